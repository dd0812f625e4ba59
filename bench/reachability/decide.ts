import { askerOf, type Bench, openBench } from './house.ts';

/** What a route decision costs in a fleet of 100 agents with five capabilities each. */
export interface DecisionCost {
  /** Processor time of the whole process for one decision, microseconds. */
  cpuUs: number;
  p50Us: number;
  p99Us: number;
  /** Where the last decision was so long ago that all scores are made anew. */
  rareCpuUs: number;
  /** With an explanation. */
  explainedUs: number;
}

const AGENTS = 100;
const NAMES = 50;
const CAPABILITIES_EACH = 5;
const WARM = 5_000;
const ROUNDS = 20_000;
const EXPLAINED = 2_000;
const RARE = 5_000;
/** A score is used for a quarter of a second. */
const RARE_MS = 300;

/** A hundred agents, each capability of ten of them. */
export async function fleet(bench: Bench): Promise<void> {
  for (let n = 0; n < AGENTS; n++) {
    const capabilities = Array.from(
      { length: CAPABILITIES_EACH },
      (_, k) => `look_up_${(n * CAPABILITIES_EACH + k) % NAMES}`,
    );
    await bench.register({ name: `agent-${n}`, capabilities });
  }
  await bench.clock.advance(10_000);
}

export async function decisionCost(seed: number): Promise<DecisionCost> {
  await using bench = await openBench(seed);
  await fleet(bench);
  const asker = askerOf('shop');
  const decide = (n: number, explain = false) =>
    bench.house.handlers['routes.decide'](
      {
        capability: `look_up_${n % NAMES}`,
        params: { order_no: `ORD${n}` },
        ...(explain ? { explain } : {}),
      },
      asker,
    );
  for (let n = 0; n < WARM; n++) await decide(n);
  const times = new Float64Array(ROUNDS);
  const before = process.cpuUsage();
  for (let n = 0; n < ROUNDS; n++) {
    const start = performance.now();
    await decide(n);
    times[n] = (performance.now() - start) * 1_000;
  }
  const { user, system } = process.cpuUsage(before);
  times.sort();
  const explainedFrom = performance.now();
  for (let n = 0; n < EXPLAINED; n++) await decide(n, true);
  const explainedUs = ((performance.now() - explainedFrom) * 1_000) / EXPLAINED;
  const rareFrom = process.cpuUsage();
  for (let n = 0; n < RARE; n++) {
    // Nobody is woken: what probes cost is another matter.
    bench.clock.stall(RARE_MS);
    await decide(n);
  }
  const rare = process.cpuUsage(rareFrom);
  return {
    cpuUs: (user + system) / ROUNDS,
    p50Us: times[Math.floor(ROUNDS / 2)] ?? 0,
    p99Us: times[Math.floor(ROUNDS * 0.99)] ?? 0,
    rareCpuUs: (rare.user + rare.system) / RARE,
    explainedUs,
  };
}
