import { openWire, type Wire } from '@agent-reach/core/testing';
import { AgentProgram } from '../kit/agents.ts';
import { pause, until } from '../kit/bounds.ts';
import type { Gateway } from '../kit/gateway.ts';
import { keptPort } from '../kit/ports.ts';
import { Caller } from './caller.ts';
import { Demands, type Experiment, type Outcome, type Round } from './experiment.ts';
import { Lab } from './lab.ts';
import { dealt, requests } from './submit-plan.ts';
import { TYPES } from './work.ts';

const SETTINGS = {
  'probe.interval': '1s',
  'probe.timeout': '500ms',
  'probe.edge': '200ms',
  'fence.lease': '3s',
  'fence.veto': '1s',
  'agent.lease.min': '10s',
  // A busy machine shall not be taken for what is shown here.
  'overload.delay': '0',
};
/** Of so many places one is hurt. */
const PLACES = 4;
const CALLERS = 4;
const CALL_MS_MAX = 3_000;
/** After so long whoever is hurt gets no calls any more, on a machine that has other work too. */
const FOUND_MS_MAX = 10_000;
const DEAF_MS_MAX = 100_000;
const BACK_MS_MAX = 60_000;
/** That it was found late is judged, and not waited for without end. */
const SEEN_MS = 20_000;
const TASKS = 20;
const HURT = 'p-0';

/**
 * `frozen`: SIGSTOP. `black hole`: its port swallows everything, its heartbeats pass. `deaf`: its
 * heartbeats are swallowed, its port is not. `reused`: another agent answers at its address.
 */
const KINDS = ['frozen', 'black hole', 'deaf', 'reused'] as const;
type Kind = (typeof KINDS)[number];

/** How it must be seen while it is hurt, sooner or later. */
const SEEN: Record<Kind, RegExp> = {
  // Its beats stop as well: who is slow to look finds it away.
  frozen: /fenced|unreachable/,
  'black hole': /fenced/,
  deaf: /gone/,
  reused: /unreachable/,
};

/**
 * One of several places cannot be reached as it should, while callers ask on. Once that is found nobody
 * is sent there, every question is answered by the others, and when it is well again it is used again.
 */
export const unreachable: Experiment = {
  id: 'E13',
  title: 'one of several places freezes, is swallowed by its port, is not heard, or is another',
  rounds: 8,
  round,
};

async function round({ isShort, number, ...world }: Round): Promise<Outcome> {
  const kind = KINDS[number % KINDS.length] ?? 'frozen';
  await using lab = await Lab.open(world, { set: SETTINGS });
  await lab.labourer({ places: 2 });
  const gateway = lab.gatewayAt(0);
  await using places = await Places.open(gateway);
  await using seen = new Seen(gateway);
  await using stack = new AsyncDisposableStack();
  const callers = Array.from({ length: CALLERS }, () => stack.use(new Caller(gateway)));
  const submitted = lab.submit({ insist: 'acceptance', paceMs: 50, clients: dealt(tasks(), 2) });
  await until('everybody was asked', () => distinct(callers) === PLACES);

  const hurtAt = performance.now();
  await places.hurt(kind);
  await seen.until(SEEN[kind], foundMsMax(kind) + SEEN_MS);
  const foundAt = performance.now();
  await pause(isShort ? 2_000 : 12_000);
  const mendingAt = performance.now();
  await places.mend(kind);
  const mendedAt = performance.now();
  await seen.until(/^up$/, BACK_MS_MAX);
  const backAt = performance.now();
  await until('it is asked again', () => callers.some((one) => one.isAnsweredBy(HURT, backAt)));
  const asked = (await Promise.all(callers.map((one) => one.end()))).flat();
  await submitted;
  await lab.settled();
  const evidence = await lab.evidence();

  const demands = new Demands();
  demands.that(foundAt - hurtAt <= foundMsMax(kind), `found after ${foundAt - hurtAt} ms`);
  // What was under way when it was found may still fail.
  const later = asked.filter(({ at }) => at > foundAt + CALL_MS_MAX);
  for (const { status, code } of later) {
    demands.that(status === 200, `asked later, the answer was ${status} ${code}`);
  }
  for (const { at, by } of later.filter((one) => one.at < mendingAt)) {
    demands.that(by !== HURT, `${Math.round(at - foundAt)} ms after it was found ${by} was asked`);
  }
  const during = asked.filter(({ at }) => at >= hurtAt && at < mendingAt);
  const unanswered = during.filter(({ status }) => status !== 200);
  return {
    evidence,
    faults: demands.faults,
    measured: {
      [`${kind}: found after, ms`]: [foundAt - hurtAt],
      [`${kind}: used again after, ms`]: [backAt - mendedAt],
      [`${kind}: questions while it was hurt`]: [during.length],
      [`${kind}: of them not answered`]: [unanswered.length],
      [`${kind}: an answer took, ms`]: during.map(({ tookMs }) => tookMs),
    },
  };
}

/** Who is not heard is believed until his lease is over: the longer, the later the gateway itself is. */
function foundMsMax(kind: Kind): number {
  return kind === 'deaf' ? DEAF_MS_MAX : FOUND_MS_MAX;
}

function tasks() {
  return requests('t', TASKS, () => ({ task_type: TYPES.work, payload: { ms: 20 } }));
}

function distinct(callers: readonly Caller[]): number {
  return new Set(callers.flatMap(({ answers }) => answers.map(({ by }) => by))).size;
}

/** The places, the first of which is reached, and speaks, through wires that can be frozen. */
class Places implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #first: AgentProgram;
  readonly #port: number;
  readonly #in: Wire;
  readonly #out: Wire;
  #other: AgentProgram | undefined;

  private constructor(
    stack: AsyncDisposableStack,
    first: { program: AgentProgram; port: number; in: Wire; out: Wire },
  ) {
    this.#stack = stack;
    this.#first = first.program;
    this.#port = first.port;
    this.#in = first.in;
    this.#out = first.out;
  }

  static async open({ agentUrl }: Gateway): Promise<Places> {
    await using stack = new AsyncDisposableStack();
    const port = await keptPort();
    const out = stack.use(await openWire(agentUrl));
    const into = stack.use(await openWire(`http://127.0.0.1:${port}`));
    const base = into.url.replace(/\/$/, '');
    const program = stack.use(place(out.url, { port, instance: HURT, base }));
    await program.said('ready');
    for (let n = 1; n < PLACES; n++) {
      const one = stack.use(place(agentUrl, { port: await keptPort(), instance: `p-${n}` }));
      await one.said('ready');
    }
    return new Places(stack.move(), { program, port, in: into, out });
  }

  async hurt(kind: Kind): Promise<void> {
    if (kind === 'frozen') this.#first.program.signal('SIGSTOP');
    if (kind === 'black hole') this.#in.freeze();
    if (kind === 'deaf') this.#out.freeze();
    if (kind !== 'reused') return;
    await this.#first.program.end('SIGKILL');
    // Of another gateway, it never comes to: it only takes the port.
    const about = { port: this.#port, instance: 'x-1', name: 'somebody-else', capability: 'else' };
    this.#other = this.#stack.use(place(this.#out.url, about));
    await this.#other.said('ready');
  }

  async mend(kind: Kind): Promise<void> {
    if (kind === 'frozen') this.#first.program.signal('SIGCONT');
    if (kind === 'black hole') this.#in.thaw();
    if (kind === 'deaf') this.#out.thaw();
    if (kind !== 'reused') return;
    await this.#other?.program.end('SIGKILL');
    const base = this.#in.url.replace(/\/$/, '');
    const again = this.#stack.use(place(this.#out.url, { port: this.#port, instance: HURT, base }));
    await again.said('ready');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

function place(url: string, flags: Record<string, string | number>): AgentProgram {
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return new AgentProgram('place', url.replace(/\/$/, ''), args);
}

/** How the gateway sees the place that is hurt: what is observed and, where it is taken out, intended. */
class Seen implements AsyncDisposable {
  readonly #words: string[] = [];
  readonly #over = new AbortController();
  readonly #reading: Promise<void>;

  constructor({ reach }: Gateway) {
    this.#reading = this.#read(reach);
  }

  /** Until it is seen so now. */
  async until(word: RegExp, boundMs?: number): Promise<void> {
    try {
      const what = `it is seen as ${word.source}`;
      await until(what, () => word.test(this.#words.at(-1) ?? ''), boundMs);
    } catch (error) {
      throw new Error(`${(error as Error).message}; it was ${this.#words.join(', ')}`, {
        cause: error,
      });
    }
  }

  async #read(reach: Gateway['reach']): Promise<void> {
    for await (const { rows } of reach.agents.watch(
      { agent: 'places' },
      { signal: this.#over.signal },
    )) {
      const state = rows.get(`places/${HURT}`)?.state;
      if (state?.observed === undefined) continue;
      const { observed, intent = '' } = state;
      this.#words.push(intent === 'enabled' ? observed : `${observed} (${intent})`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#reading.catch(() => {});
  }
}
