import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Catalogue, type Capability, interpret } from '@agent-reach/server/meaning';
import { capabilityOf, type RoutingSet } from './data.ts';
import { grow } from './grow.ts';

/** Milliseconds at the half, at 95 and at 99 of 100, and the most. */
export interface Spread {
  p50: number;
  p95: number;
  p99: number;
  most: number;
}

/** By the clock, and of processor: where others work beside it the second is the fairer one. */
export interface Times {
  wall: Spread;
  processor: Spread;
}

export interface Latency {
  capabilities: number;
  questions: number;
  reading: Times;
  /** An intent that is the name of a capability. */
  exact: Times;
  /** One that is new, among so many. */
  registration: Times;
  /** One that says something else than before. */
  change: Times;
  indexSeconds: number;
  /** What the process grew by, in MB. */
  heap: number;
  external: number;
  resident: number;
}

const ROUNDS = 3;
const NAMED = 1_000;
const CHANGED = 500;

/** As `measure`, in a process of its own: what it grows by is nobody else's. */
export function measureAlone(capabilities: number): Latency {
  const script = join(import.meta.dirname, 'latency-process.ts');
  const told = execFileSync(process.execPath, ['--expose-gc', script, String(capabilities)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(told) as Latency;
}

/** The times of one reading among so many capabilities of all sets, and what an index of them takes; best of rounds. */
export function measure(sets: readonly RoutingSet[], most: number): Latency {
  const capabilities = grow(sets, most).map((row) => capabilityOf(row, row.name, []));
  const texts = sets.flatMap((set) => set.questions.slice(0, 60)).map(({ text }) => text);
  const named = Array.from({ length: NAMED }, (_, i) => {
    const at = Math.floor((i * capabilities.length) / NAMED);
    return capabilities[at]?.name ?? '';
  });
  const before = memory();
  const began = performance.now();
  const catalogue = new Catalogue();
  const put = (capability: Capability) => {
    catalogue.put(capability.name, [{ agentId: 'a', capability }]);
  };
  const last = Math.max(capabilities.length - 1_000, 0);
  for (const one of capabilities.slice(0, last)) put(one);
  const registration = timesOf(capabilities.slice(last), put);
  const indexSeconds = (performance.now() - began) / 1_000;
  const after = memory();
  const read = (intent: string) => {
    interpret({ intent, params: {}, admits: () => 'in' }, catalogue, { budget: '1' });
  };
  const rounds = Array.from({ length: ROUNDS }, () => timesOf(texts, read));
  const reading = rounds.reduce((a, b) => (b.processor.p95 < a.processor.p95 ? b : a));
  const changed = capabilities.slice(0, CHANGED).map((one, i) => {
    const other = capabilities[capabilities.length - 1 - i]?.description ?? '';
    return { ...one, description: `${one.description} ${other}` };
  });
  return {
    capabilities: catalogue.lexicon.size,
    questions: texts.length,
    reading,
    exact: timesOf(named, read),
    registration,
    change: timesOf(changed, put),
    indexSeconds,
    heap: after.heap - before.heap,
    external: after.external - before.external,
    resident: after.resident - before.resident,
  };
}

function timesOf<T>(all: readonly T[], work: (one: T) => void): Times {
  const wall: number[] = [];
  const processor: number[] = [];
  for (const one of all) {
    const used = process.cpuUsage();
    const start = performance.now();
    work(one);
    wall.push(performance.now() - start);
    const { user, system } = process.cpuUsage(used);
    processor.push((user + system) / 1_000);
  }
  return { wall: spreadOf(wall), processor: spreadOf(processor) };
}

function spreadOf(times: number[]): Spread {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: times.at(-1) ?? 0 };
}

/** In MB, after garbage is gone where the process lets us ask for that. */
function memory() {
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed / 2 ** 20, external: external / 2 ** 20, resident: rss / 2 ** 20 };
}
