import { resolve } from 'node:path';
import { type Gateway, serve as openGateway, VERSION } from '@agent-reach/server';
import { EXIT } from '../failure.ts';
import { readPairs } from '../input.ts';
import type { Page } from '../render/page.ts';
import { type Fact, facts } from '../render/table.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';
import type { World } from '../world.ts';

/** Options that have a flag of their own; `--set` gives the others. */
const FLAGS: readonly (readonly [flag: string, option: string])[] = [
  ['port', 'listen.business.port'],
  ['agentPort', 'listen.agents.port'],
  ['host', 'listen.host'],
  ['dataDir', 'data.dir'],
  ['logLevel', 'log.level'],
];

/**
 * `reach serve`: runs a gateway until it is told to stop. What runs may finish; a second request to
 * stop waits for nothing.
 */
export async function serve(use: Use, session: Session): Promise<number> {
  const { world } = session;
  const stop = stopOf(world);
  // Until it listens, nothing else holds this process: not a store that is waited for.
  using _ = world.hold();
  const gateway = await openGateway({ cwd: world.cwd, env: world.env, flags: flagsOf(use) });
  const told = toldOf(gateway, world);
  session.answer(told, (page) => show(told, page));
  await stop.asked;
  session.note('Stopping: what runs may finish. Ask again to stop at once.');
  await gateway.stop();
  stop.done();
  return EXIT.ok;
}

function flagsOf(use: Use): Record<string, string> {
  const flags = readPairs(use.many('set'), '--set');
  for (const [flag, option] of FLAGS) {
    const value = use.text(flag);
    if (value !== undefined) flags[option] = value;
  }
  return flags;
}

/**
 * Listens from before the gateway opens, so that a request to stop that comes early is not lost, and
 * until the process is gone: one that comes late would kill a process that has ended well.
 */
function stopOf(world: World): { asked: Promise<void>; done(): void } {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let count = 0;
  let ifAskedAgain: number = EXIT.failed;
  world.onStop(() => {
    count++;
    if (count === 1) ask();
    else world.exit(ifAskedAgain);
  });
  const done = () => {
    ifAskedAgain = EXIT.ok;
  };
  return { asked, done };
}

interface Told {
  version: string;
  listeners: { role: string; url: string }[];
  /** Where everything is kept: an engine, and where it is. */
  storage: string;
  data: string[];
  /** Shown once: by the start that made the first admin. */
  admin_token?: string;
  pid: number;
}

function toldOf({ addresses, config, storage, firstToken }: Gateway, { cwd }: World): Told {
  const { http } = config.settings;
  const roles = rolesOf(http.businessPort, http.agentPort);
  return {
    version: VERSION,
    // Each host in turn has the same listeners.
    listeners: addresses.map((url, i) => ({ role: roles[i % roles.length] ?? 'all', url })),
    storage,
    data: placesOf(storage, config, cwd),
    ...(firstToken === undefined ? {} : { admin_token: firstToken }),
    pid: process.pid,
  };
}

/** Where the data is, without what is secret in an address. */
function placesOf(storage: string, { settings, shown }: Gateway['config'], cwd: string): string[] {
  if (storage === 'sqlite') {
    const { dataDir } = settings.storage;
    return [dataDir === ':memory:' ? IN_MEMORY : resolve(cwd, dataDir)];
  }
  return ['redis.addr', 'db.dsn'].flatMap((key) => {
    const value = shown.find((option) => option.key === key)?.value;
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}

const IN_MEMORY = 'in memory: kept until it stops';

function rolesOf(business: number | 'off', agents: number | 'off'): string[] {
  if (business === 'off') return ['agents'];
  if (agents === 'off') return ['business'];
  return business === agents && business !== 0 ? ['all'] : ['business', 'agents'];
}

function show({ version, listeners, data, admin_token: token, pid }: Told, page: Page): string {
  const rows: Fact[] = [
    ...listeners.map(({ role, url }): Fact => [role, url, 'cyan']),
    ...data.map((place): Fact => ['data', place]),
    ['stop', `Ctrl-C, or kill ${pid}`],
  ];
  const ready = `Agent-Reach ${version} is ready\n${facts(rows, page)}`;
  if (token === undefined) return ready;
  const keep = 'Nobody was let in yet. This token is an admin, and is shown this once:';
  return `${ready}\n${keep}\n\n  export REACH_TOKEN=${token}\n`;
}
