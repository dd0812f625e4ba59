import { AgentProgram } from '../kit/agents.ts';
import { pause, until } from '../kit/bounds.ts';
import type { Gateway } from '../kit/gateway.ts';
import { keptPort } from '../kit/ports.ts';
import { type Answered, Caller } from './caller.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { dealt, requests } from './submit-plan.ts';
import { TYPES } from './work.ts';

const SETTINGS = {
  'probe.interval': '1s',
  'probe.timeout': '500ms',
  'probe.edge': '200ms',
  'agent.lease.min': '4s',
  // A busy machine shall not be taken for what is shown here.
  'overload.delay': '0',
};
const CALLERS = 4;
const TASKS = 20;
/** Agents a process: sixty processes would measure how fast this machine starts them. */
const EACH = 10;
const FLEET = { short: 20, full: 60 };
/** Longer than every lease. */
const FROZEN_MS = { short: 9_000, full: 30_000 };
/** What was asked while it was hurt may come to nothing; what is asked so much later may not. */
const AFTERMATH_MS = 3_000;
const BACK_MS_MAX = 60_000;

/** `frozen`: the gateway is stopped (SIGSTOP) for longer than every lease. `restart`: all agents are killed
 * and started again at once. */
const KINDS = ['frozen', 'restart'] as const;
type Kind = (typeof KINDS)[number];

/**
 * The gateway stands still, or its whole fleet starts anew, while callers ask on. Who stood still takes
 * nobody for dead, and a fleet that is back is used.
 */
export const fleet: Experiment = {
  id: 'E14',
  title: 'the gateway stands still for longer than every lease, or all agents start anew at once',
  rounds: 4,
  round,
};

async function round({ isShort, number, ...world }: Round): Promise<Outcome> {
  const kind = KINDS[number % KINDS.length] ?? 'frozen';
  const form = isShort ? 'short' : 'full';
  await using lab = await Lab.open(world, { set: SETTINGS });
  await lab.labourer({ places: 2 });
  const gateway = lab.gatewayAt(0);
  await using places = await Fleet.open(gateway, FLEET[form]);
  await using seen = new Seen(gateway);
  await using stack = new AsyncDisposableStack();
  const callers = Array.from({ length: CALLERS }, () => stack.use(new Caller(gateway)));
  const submitted = lab.submit({ insist: 'acceptance', paceMs: 50, clients: dealt(tasks(), 2) });
  await until('all are up', () => seen.up === FLEET[form], BACK_MS_MAX);

  const hurtAt = performance.now();
  if (kind === 'frozen') await freeze(gateway, FROZEN_MS[form]);
  else await places.restart();
  const mendedAt = performance.now();
  await until('all are up again', () => seen.up === FLEET[form], BACK_MS_MAX);
  const upAt = performance.now();
  await pause(AFTERMATH_MS + 2_000);
  const asked = (await Promise.all(callers.map((one) => one.end()))).flat();
  await submitted;
  await lab.settled();
  return outcome({ kind, asked, hurtAt, mendedAt, upAt, gone: seen.gone }, await lab.evidence());
}

async function freeze(gateway: Gateway, ms: number): Promise<void> {
  gateway.signal('SIGSTOP');
  await pause(ms);
  gateway.signal('SIGCONT');
}

/** What a round saw. */
interface Course {
  kind: Kind;
  asked: readonly Answered[];
  hurtAt: number;
  mendedAt: number;
  upAt: number;
  gone: readonly string[];
}

function outcome(
  { kind, asked, hurtAt, mendedAt, upAt, gone }: Course,
  evidence: Outcome['evidence'],
): Outcome {
  const demands = new Demands();
  const calmAt = (kind === 'frozen' ? mendedAt : upAt) + AFTERMATH_MS;
  for (const { at, status, code } of asked.filter((one) => one.at > calmAt)) {
    const detail = `asked ${Math.round(at - mendedAt)} ms after it was well, the answer was ${status} ${code}`;
    demands.that(status === 200, detail);
  }
  demands.that(
    asked.some(({ at }) => at > calmAt),
    'nobody asked after it was well',
  );
  if (kind === 'frozen') demands.that(gone.length === 0, `taken for dead: ${gone.join(', ')}`);
  const during = asked.filter(({ at, tookMs }) => at + tookMs >= hurtAt && at < mendedAt);
  return {
    evidence,
    faults: demands.faults,
    measured: {
      [`${kind}: all up after, ms`]: [upAt - mendedAt],
      [`${kind}: questions while it was hurt`]: [during.length],
      [`${kind}: of them not answered`]: [during.filter(({ status }) => status !== 200).length],
      [`${kind}: taken for dead`]: [gone.length],
    },
  };
}

function tasks() {
  return requests('t', TASKS, () => ({ task_type: TYPES.work, payload: { ms: 20 } }));
}

/** Many places, several a process, which keep their addresses when they start anew. */
class Fleet implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #start: (n: number) => AgentProgram;
  #programs: AgentProgram[];

  private constructor(
    stack: AsyncDisposableStack,
    start: (n: number) => AgentProgram,
    programs: AgentProgram[],
  ) {
    this.#stack = stack;
    this.#start = start;
    this.#programs = programs;
  }

  static async open({ agentUrl }: Gateway, count: number): Promise<Fleet> {
    await using opening = new AsyncDisposableStack();
    const stack = opening.use(new AsyncDisposableStack());
    const ports: number[] = [];
    for (let n = 0; n < count; n++) ports.push(await keptPort());
    const start = (n: number) => {
      const own = ports.slice(n * EACH, (n + 1) * EACH);
      const args = ['--ports', own.join(), '--first', String(n * EACH)];
      return stack.use(new AgentProgram('fleet', agentUrl, args));
    };
    const programs = Array.from({ length: count / EACH }, (_, n) => start(n));
    for (const program of programs) await program.said('ready');
    opening.move();
    return new Fleet(stack, start, programs);
  }

  /** kill -9 for all of them, and new ones at once. */
  async restart(): Promise<void> {
    await Promise.all(this.#programs.map(({ program }) => program.end('SIGKILL')));
    this.#programs = this.#programs.map((_, n) => this.#start(n));
    for (const program of this.#programs) await program.said('ready');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** How the gateway sees its fleet. */
class Seen implements AsyncDisposable {
  /** How many of them are up. */
  up = 0;
  /** Who was ever taken for dead. */
  readonly gone: string[] = [];
  readonly #over = new AbortController();
  readonly #reading: Promise<void>;

  constructor({ reach }: Gateway) {
    this.#reading = this.#read(reach);
  }

  async #read(reach: Gateway['reach']): Promise<void> {
    const { signal } = this.#over;
    for await (const { rows, changes } of reach.agents.watch({ agent: 'places' }, { signal })) {
      this.up = [...rows.values()].filter(({ state }) => state?.observed === 'up').length;
      for (const { instance_id: id = '', new: now } of changes) {
        if (now?.observed === 'gone') this.gone.push(id);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#reading.catch(() => {});
  }
}
