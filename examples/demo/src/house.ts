import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { credentialsIn, Reach } from '@agent-reach/sdk';
import { type Keys, letIn } from './access.ts';
import { type Child, Children } from './children.ts';
import type { Plan } from './shop/plan.ts';
import { PLAN, type Role } from './shop/role.ts';

/** The agents of the demo, by the names under which they register. */
export const AGENTS = ['customer-service', 'orders', 'logistics', 'inventory'] as const;
export type AgentName = (typeof AGENTS)[number];

/** The processes of the agent `labels`, by the names of their instances. */
export const PRINTERS = ['printer-1', 'printer-2', 'printer-3'] as const;
export type PrinterName = (typeof PRINTERS)[number];

/** Two more processes of the agent `inventory`, by the names of their instances. */
export const SHELVES = ['inventory-2', 'inventory-3'] as const;
export type ShelfName = (typeof SHELVES)[number];

/** A printer that is silent for so long loses what it had in hand. */
export const LEASE_S = 3;
/** More tasks at once are no demo any more. */
export const TASKS_MAX = 20_000;

/** Of what only reads, one question in a hundred may go wrong; here five may, so that fewer are asked back. */
export const BUDGET_PERCENT = 5;
const MEANING = { 'routing.semantic.budget': String(BUDGET_PERCENT) };

/**
 * What else differs from the defaults. They are for agents that work for minutes: 30 s of silence, 1,000
 * tasks that may wait for one agent before submitters are told to come again, a probe every 5 s.
 */
const STORY = {
  'task.ack.timeout': `${LEASE_S}s`,
  'task.run.lease': `${LEASE_S}s`,
  'task.retry.base': '100ms',
  'flowcontrol.max-pending': String(TASKS_MAX),
  // So that one who freezes is found, left alone and taken back while somebody watches.
  'probe.interval': '500ms',
  'probe.timeout': '300ms',
  'probe.edge': '100ms',
  'fence.lease': '1s',
};

/** Programs that start at once. */
const STARTED_AT_ONCE = 4;

interface HouseOptions {
  isSecure?: boolean;
  plan?: Plan | undefined;
}

/**
 * A gateway and its agents, each in a process of its own. Ports are free ones and the data folder
 * is temporary, so that the demo meets no gateway that runs already.
 */
export class House implements AsyncDisposable {
  readonly reach: Reach;
  readonly endpoint: string;
  readonly #children: Children;
  readonly #gateway: Child;
  readonly #dataDir: string;
  readonly #agents = new Map<string, Child>();
  #planFile: string | undefined;

  /** Of the admin, where everybody must show who he is. */
  readonly adminToken: string | undefined;
  /** In the name of her who approves refunds; undefined where nobody shows who he is. */
  readonly alice: Reach | undefined;
  readonly #keys: Keys | undefined;

  private constructor(children: Children, gateway: Child, dataDir: string, keys: Keys | undefined) {
    this.#children = children;
    this.#gateway = gateway;
    this.#dataDir = dataDir;
    this.#keys = keys;
    this.endpoint = endpointIn(gateway.greeting);
    this.adminToken = tokenIn(gateway.greeting);
    const credentials = credentialsIn(keys?.demo ?? {});
    this.reach = new Reach({ endpoint: this.endpoint, agentId: 'demo', credentials });
    if (keys !== undefined) {
      this.alice = new Reach({
        endpoint: this.endpoint,
        credentials: credentialsIn(keys.alice),
      });
    }
  }

  /** With a plan: the shop that it describes, and not the demo's own story. */
  static async open({ isSecure = false, plan }: HouseOptions = {}): Promise<House> {
    const children = new Children();
    const dataDir = await mkdtemp(join(tmpdir(), 'reach-demo-'));
    const set = {
      ...MEANING,
      ...(plan ? {} : STORY),
      ...(isSecure ? { 'auth.mode': 'required' } : {}),
    };
    const settings = Object.entries(set).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
    const listen = ['--port', '0', '--agent-port', '0', '--data-dir', dataDir];
    let gateway: Child | undefined;
    let keys: Keys | undefined;
    try {
      gateway = await children.start({
        name: 'the gateway',
        args: [await reachProgram(), 'serve', '--json', ...listen, ...settings],
        cwd: dataDir,
        env: cleanEnv(),
        readyBy: 'line',
      });
      const token = tokenIn(gateway.greeting);
      if (token !== undefined) keys = await letIn(endpointIn(gateway.greeting), token);
    } catch (error) {
      if (gateway !== undefined) await children.stop([gateway]);
      await rm(dataDir, { recursive: true, force: true });
      throw error;
    }
    const house = new House(children, gateway, dataDir, keys);
    try {
      if (plan !== undefined) await house.#take(plan);
      await Promise.all(AGENTS.map((name) => house.startAgent(name)));
      if (plan !== undefined) await house.#startDesks(Object.keys(plan.desks));
    } catch (error) {
      await house[Symbol.asyncDispose]();
      throw error;
    }
    return house;
  }

  /** Where the printers and the demo note down what they do. */
  get notesDir(): string {
    return join(this.#dataDir, 'notes');
  }

  /** Writes down what everybody who is started from now on has to know. */
  async #take(plan: Plan): Promise<void> {
    const role: Role = { ...plan, notesDir: this.notesDir };
    this.#planFile = join(this.#dataDir, 'plan.json');
    await mkdir(this.notesDir);
    await writeFile(this.#planFile, JSON.stringify(role));
  }

  /** Starts desks, a few at a time: a machine with two cores starts a dozen programs no sooner at once. */
  async #startDesks(names: readonly string[]): Promise<void> {
    for (let from = 0; from < names.length; from += STARTED_AT_ONCE) {
      const some = names.slice(from, from + STARTED_AT_ONCE);
      await Promise.all(some.map((name) => this.#start(name, ['desk.ts', name])));
    }
  }

  /** Starts an agent and waits until it is registered: from then on it is routed to. */
  startAgent(name: AgentName): Promise<void> {
    return this.#start(name, [`${name}.ts`]);
  }

  /** Starts all printers; returns when they ask for work. */
  async startPrinters(): Promise<void> {
    await mkdir(this.notesDir);
    const start = (name: PrinterName) => this.#start(name, ['labels.ts', name, this.notesDir]);
    await Promise.all(PRINTERS.map(start));
  }

  /** Starts two more processes that count the stock. */
  async startShelves(): Promise<void> {
    await Promise.all(SHELVES.map((name) => this.#start(name, ['inventory.ts', name])));
  }

  /** Freezes a process, as a machine does that swaps: it is there, and answers nothing. */
  freeze(name: ShelfName): void {
    this.#agents.get(name)?.kill('SIGSTOP');
  }

  /** Lets a frozen process go on where it stood. */
  thaw(name: ShelfName): void {
    this.#agents.get(name)?.kill('SIGCONT');
  }

  async #start(
    name: string,
    [script, ...args]: [script: string, ...args: string[]],
  ): Promise<void> {
    const child = await this.#children.start({
      name,
      args: [join(import.meta.dirname, 'agents', script), ...args],
      cwd: this.#dataDir,
      env: {
        ...cleanEnv(),
        REACH_ENDPOINT: this.endpoint,
        ...(this.#planFile === undefined ? {} : { [PLAN]: this.#planFile }),
        ...this.#keys?.[agentOf(name)],
      },
      readyBy: 'message',
    });
    this.#agents.set(name, child);
  }

  /** Kills an agent as the kernel does when memory runs out: it cannot say goodbye. */
  async killAgent(name: AgentName | PrinterName): Promise<void> {
    const child = this.#agents.get(name);
    this.#agents.delete(name);
    child?.kill('SIGKILL');
    await child?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reach.close();
    await this.alice?.close();
    await this.#children.stop([...this.#agents.values()]);
    await this.#children.stop([this.#gateway]);
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** The script that the `reach` command of `@agent-reach/cli` runs. */
async function reachProgram(): Promise<string> {
  const manifest = fileURLToPath(import.meta.resolve('@agent-reach/cli/package.json'));
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: { reach: string } };
  return join(dirname(manifest), bin.reach);
}

/** Where Node keeps it if nobody says where, and so what `reach` has compiled, too. */
const COMPILED = join(tmpdir(), 'node-compile-cache');

/**
 * Whatever is set for another gateway of this machine is not meant for this one. Programs share what
 * Node has compiled, and all but the first start in two thirds of the time.
 */
function cleanEnv(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('REACH_'));
  return { NODE_COMPILE_CACHE: COMPILED, ...Object.fromEntries(entries) };
}

/** Whose process it is. */
function agentOf(name: string): AgentName | 'labels' {
  const isOneOf = (names: readonly string[]) => names.includes(name);
  if (isOneOf(PRINTERS)) return 'labels';
  return isOneOf(SHELVES) ? 'inventory' : (name as AgentName);
}

/** A gateway that asks everybody who he is says once how the first one comes in. */
function tokenIn(greeting: string): string | undefined {
  return (JSON.parse(greeting) as { admin_token?: string }).admin_token;
}

function endpointIn(greeting: string): string {
  const { listeners } = JSON.parse(greeting) as { listeners: { role: string; url: string }[] };
  const url = listeners.find(({ role }) => role !== 'agents')?.url;
  if (url === undefined) throw new Error(`reach serve did not say where it listens: ${greeting}`);
  return url;
}
