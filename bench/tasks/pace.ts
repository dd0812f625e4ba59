import { setTimeout as pause } from 'node:timers/promises';
import type { Contender, Lane } from './contender.ts';

/** What was done in a while, and what it cost. */
export interface Pace {
  perSecond: number;
  /** Of one act; NaN where they are not timed one by one. */
  p50Ms: number;
  p99Ms: number;
  /** µs of this process an act, all threads, and of the contender's server. */
  ownUs: number;
  serverUs: number;
}

/** How long a measurement takes. */
export interface Span {
  seconds: number;
}

/** Does something over and over, `writers` at a time. */
export async function repeat(
  act: () => Promise<unknown>,
  { seconds, writers }: Span & { writers: number },
  contender: Pick<Contender, 'serverUs'>,
): Promise<Pace> {
  return costOf(contender, async () => {
    const took: number[] = [];
    const end = performance.now() + seconds * 1_000;
    const write = async () => {
      while (performance.now() < end) {
        const begin = performance.now();
        await act();
        took.push(performance.now() - begin);
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
    return took;
  });
}

/** Works off a lane that has been filled, for a while or until it is empty. */
export async function drain(
  lane: Lane,
  { seconds, places, jobs }: Span & { places: number; jobs: number },
  contender: Pick<Contender, 'serverUs'>,
): Promise<Pace> {
  await lane.addMany(jobs);
  return costOf(contender, async () => {
    const empty = Promise.withResolvers<void>();
    let done = 0;
    {
      await using _ = await lane.drain(places, () => {
        done++;
        if (done === jobs) empty.resolve();
      });
      await atMost(seconds * 1_000, empty.promise);
    }
    return { count: done };
  });
}

/** A job that has not begun after so long is not waited for. */
export const LATE_MS = 5_000;

/** How long a job waits for its worker when there is little to do: a steady few a second. */
export async function latency(
  lane: Lane,
  { seconds, perSecond }: Span & { perSecond: number },
): Promise<number[]> {
  const waited: number[] = [];
  const all = Math.round(seconds * perSecond);
  const complete = Promise.withResolvers<void>();
  await using _ = await lane.serve?.(({ sent_at: sentAt }) => {
    waited.push(performance.now() - sentAt);
    if (waited.length === all) complete.resolve();
  });
  await steadily(() => lane.add(), { count: all, perSecond });
  await atMost(LATE_MS, complete.promise);
  // What has not begun by then counts as what it is at least.
  return [...waited, ...Array.from({ length: all - waited.length }, () => LATE_MS)];
}

/** Does something so many times, at even distances, whether or not it has ended before. */
export async function steadily(
  act: () => Promise<unknown>,
  { count, perSecond }: { count: number; perSecond: number },
): Promise<void> {
  const begin = performance.now();
  const running: Promise<unknown>[] = [];
  for (let n = 0; n < count; n++) {
    const dueMs = begin + (n * 1_000) / perSecond - performance.now();
    if (dueMs > 0) await pause(dueMs);
    running.push(act());
  }
  await Promise.all(running);
}

async function atMost(ms: number, done: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([done, pause(ms, undefined, { signal: over.signal })]);
  over.abort();
}

async function costOf(
  { serverUs }: Pick<Contender, 'serverUs'>,
  work: () => Promise<number[] | { count: number }>,
): Promise<Pace> {
  const server = await serverUs();
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const done = await work();
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  const count = Array.isArray(done) ? done.length : done.count;
  const at = (share: number) => (Array.isArray(done) ? quantile(done, share) : Number.NaN);
  return {
    perSecond: (count / ms) * 1_000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    ownUs: (user + system) / count,
    serverUs: ((await serverUs()) - server) / count,
  };
}

/** The figure below which so large a share of all lies. */
export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
