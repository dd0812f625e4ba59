import { askerOf, type Bench, openBench } from './house.ts';

/** Heartbeats of a fleet of a hundred, beside agents that beat every five seconds. */
export interface BeatCount {
  minutes: number;
  steady: number;
  /** Of another fleet, in which one in five loses every third probe. */
  mixed: number;
  fixed: number;
}

/** A fleet of 2,000 in which everybody is in trouble from one moment on. */
export interface Incident {
  budget: number;
  /** Beats a second before, and in the worst ten seconds after. */
  before: number;
  worst: number;
}

const AGENTS = 100;
const WARM_MS = 300_000;
const LOOK_MS = 600_000;
const FIXED_MS = 5_000;

/** Agents that keep to what they are told, as those on the SDK do. */
class Fleet {
  beats = 0;
  readonly #bench: Bench;
  readonly #pending: () => number;

  constructor(bench: Bench, pending: () => number = () => 0) {
    this.#bench = bench;
    this.#pending = pending;
  }

  /** Begins at any time of its first pause. */
  add(name: string, pauseMs: number): void {
    const { clock, random } = this.#bench;
    clock.timer(pauseMs * random.next(), () => void this.#beat(name, 1));
  }

  async #beat(name: string, seq: number): Promise<void> {
    const { clock, random, house } = this.#bench;
    this.beats += 1;
    const pending = this.#pending();
    const said = { agent_id: name, seq, ...(pending === 0 ? {} : { pending }) };
    const told = await house.handlers['agents.heartbeat'](said, askerOf(name));
    const pauseMs = told.next_heartbeat_ms * (0.9 + 0.2 * random.next());
    clock.timer(pauseMs, () => void this.#beat(name, seq + 1));
  }
}

/** For how long a fleet lives before it is looked at, and how long it is. */
export interface Span {
  warmMs: number;
  lookMs: number;
}

export async function beatCount(
  seed: number,
  span: Span = { warmMs: WARM_MS, lookMs: LOOK_MS },
): Promise<BeatCount> {
  return {
    minutes: span.lookMs / 60_000,
    steady: await countOf(seed, 0, span),
    mixed: await countOf(seed, AGENTS / 5, span),
    fixed: (AGENTS * span.lookMs) / FIXED_MS,
  };
}

async function countOf(seed: number, unsteady: number, { warmMs, lookMs }: Span): Promise<number> {
  await using bench = await openBench(seed);
  const fleet = new Fleet(bench);
  for (let n = 0; n < AGENTS; n++) {
    const { instance } = await bench.register({ name: `agent-${n}`, capabilities: ['look_up'] });
    fleet.add(`agent-${n}`, instance?.heartbeat_interval_ms ?? FIXED_MS);
  }
  let probes = 0;
  bench.onProbe = (name) => {
    if (Number(name.slice('agent-'.length)) >= unsteady) return;
    bench.machines.set(name, ++probes % 3 === 0 ? 'killed' : 'well');
  };
  await bench.clock.advance(warmMs);
  const before = fleet.beats;
  await bench.clock.advance(lookMs);
  return fleet.beats - before;
}

const MANY = 2_000;
const BUDGET = 200;
const WINDOW_MS = 10_000;
const STEP_MS = 1_000;
const AFTER_MS = 60_000;
/** Many times what an agent that says nothing has room for. */
const FULL = 500;

export async function incident(
  seed: number,
  { warmMs, lookMs }: Span = { warmMs: WARM_MS / 2, lookMs: AFTER_MS },
  { many, budget } = { many: MANY, budget: BUDGET },
): Promise<Incident> {
  await using bench = await openBench(seed, {
    'agent.heartbeat.budget': budget,
    'registry.agents.max': many,
    // What their names mean is not asked here, and takes most of a registration.
    'routing.semantic.mode': 'off',
  });
  let pending = 0;
  const fleet = new Fleet(bench, () => pending);
  for (let n = 0; n < many; n++) {
    const name = `agent-${n}`;
    const { instance } = await bench.register({ name, capabilities: ['look_up'], pulls: true });
    fleet.add(name, instance?.heartbeat_interval_ms ?? FIXED_MS);
  }
  await bench.clock.advance(warmMs);
  const counts: number[] = [];
  const count = async (forMs: number) => {
    const before = fleet.beats;
    await bench.clock.advance(forMs);
    return fleet.beats - before;
  };
  const before = (await count(WINDOW_MS)) / (WINDOW_MS / 1_000);
  pending = FULL;
  for (let passed = 0; passed < lookMs; passed += STEP_MS) counts.push(await count(STEP_MS));
  const width = WINDOW_MS / STEP_MS;
  const windows = counts.slice(width - 1).map((_, n) => sum(counts.slice(n, n + width)) / width);
  return { budget, before, worst: Math.max(...windows) };
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
