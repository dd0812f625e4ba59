import { interpret } from '@agent-reach/server/meaning';
import { catalogueOf, type RoutingSet } from './data.ts';

export interface Latency {
  capabilities: number;
  questions: number;
  p50: number;
  p95: number;
  p99: number;
  buildMs: number;
  heapMb: number;
}

const ROUNDS = 3;

/** The time of one reading among so many capabilities of all sets, in milliseconds; best of rounds. */
export function measure(sets: readonly RoutingSet[], capabilities: number): Latency {
  const pooled = pool(sets, capabilities);
  const heapBefore = process.memoryUsage().heapUsed;
  const began = performance.now();
  const { catalogue } = catalogueOf(pooled, 0);
  const buildMs = performance.now() - began;
  const heapMb = (process.memoryUsage().heapUsed - heapBefore) / 2 ** 20;
  const rounds = Array.from({ length: ROUNDS }, () => {
    const times = pooled.questions.map(({ text }) => {
      const start = performance.now();
      interpret({ intent: text, params: {}, admits: () => 'in' }, catalogue, { budget: '1' });
      return performance.now() - start;
    });
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.floor(share * times.length)] ?? 0;
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
  });
  const best = rounds.reduce((a, b) => (b.p95 < a.p95 ? b : a));
  return {
    capabilities: catalogue.lexicon.size,
    questions: pooled.questions.length,
    ...best,
    buildMs,
    heapMb,
  };
}

/** The largest sets first, and questions of each in turn. */
function pool(sets: readonly RoutingSet[], most: number): RoutingSet {
  const bySize = sets.toSorted((a, b) => b.capabilities.length - a.capabilities.length);
  const rows = new Map(bySize.flatMap((set) => set.capabilities.map((row) => [row.name, row])));
  return {
    name: 'all',
    capabilities: [...rows.values()].slice(0, most),
    questions: sets.flatMap((set) => set.questions.slice(0, 60)),
    examples: new Map(),
  };
}
