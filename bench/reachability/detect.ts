import { askerOf, type Bench, openBench } from './house.ts';

/** How long it took until an instance was unreachable or fenced, milliseconds on the manual clock. */
export interface Detection {
  /** From the first probe that found nobody. */
  afterFirst: Spread;
  /** From the moment at which an idle agent was killed. */
  killed: Spread;
  /** From the moment from which nothing came back. */
  blackHole: Spread;
}

/** Of many times. */
export interface Spread {
  middle: number;
  worst: number;
}

const AGENTS = 40;
const FLEETS = 3;
/** Of each fleet; of more not all would be fenced. */
const LOST = 6;
const STEP_MS = 5;
/** In between everybody else is probed, so that one loss is no majority. */
const APART_MS = 15_000;
const PATIENCE_MS = 60_000;

/** One agent of forty after the other goes away, while nobody calls it. */
export async function detection(seed: number): Promise<Detection> {
  const killed: Found[] = [];
  const lost: Found[] = [];
  for (let n = 0; n < FLEETS; n++) {
    killed.push(...(await times(seed + n, 'killed')));
    lost.push(...(await times(seed + n, 'black-hole')));
  }
  return {
    afterFirst: spreadOf(killed.map(({ fromFirst }) => fromFirst)),
    killed: spreadOf(killed.map(({ all }) => all)),
    blackHole: spreadOf(lost.map(({ all }) => all)),
  };
}

interface Found {
  all: number;
  fromFirst: number;
}

async function times(seed: number, how: 'killed' | 'black-hole'): Promise<Found[]> {
  await using bench = await openBench(seed);
  for (let n = 0; n < AGENTS; n++) {
    await bench.register({ name: `agent-${n}`, capabilities: ['look_up'] });
  }
  await bench.clock.advance(30_000);
  const found: Found[] = [];
  for (let n = 0; n < LOST; n++) {
    await bench.clock.advance(APART_MS * bench.random.next());
    await beatAll(bench);
    found.push(await timeOf(bench, `agent-${n}`, how));
  }
  return found;
}

async function timeOf(bench: Bench, name: string, how: 'killed' | 'black-hole') {
  const { clock, house, machines } = bench;
  const from = clock.monotonic();
  let first: number | undefined;
  bench.onProbe = (probed) => {
    if (probed === name) first ??= clock.monotonic();
  };
  machines.set(name, how);
  for (;;) {
    await clock.advance(STEP_MS);
    const { instances } = await house.handlers['agents.get']({ agent_id: name }, askerOf('shop'));
    const now = clock.monotonic();
    const [instance] = instances;
    if (instance?.observed === 'unreachable' || instance?.intent === 'fenced') {
      return { all: now - from, fromFirst: now - (first ?? now) };
    }
    if (now - from > PATIENCE_MS) throw new Error(`${name} was not missed`);
  }
}

/** The leases are not what is measured. */
async function beatAll({ house, clock }: Bench): Promise<void> {
  for (let n = 0; n < AGENTS; n++) {
    const said = { agent_id: `agent-${n}`, seq: Math.floor(clock.monotonic()) };
    await house.handlers['agents.heartbeat'](said, askerOf(said.agent_id));
  }
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  return { middle: sorted[Math.floor(sorted.length / 2)] ?? 0, worst: sorted.at(-1) ?? 0 };
}
