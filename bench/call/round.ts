import { setTimeout as pause } from 'node:timers/promises';
import type { Case, Field } from './field.ts';
import type { Outcome } from './load.ts';

/** What one case cost in one round. */
export interface Figures extends Outcome {
  /** Of the measured process, microseconds a call, all threads. */
  cpuUs: number;
  /** Of its JavaScript thread alone. */
  mainUs: number;
  /** The share of its calls whose hop was written; 1 where none is. */
  kept: number;
}

/** Time for what is written behind the caller's back; it belongs to the calls before it. */
const SETTLE_MS = 200;

/** Runs one case for a while and says what it cost. */
export async function measure(
  { load }: Pick<Field, 'load'>,
  { server, job, hops = () => 0 }: Pick<Case, 'server' | 'job' | 'hops'>,
  how: { connections: number; seconds: number },
): Promise<Figures> {
  const before = { ...(await server.usage()), hops: hops() };
  const outcome = await load.run({ ...job, ...how });
  await settled(hops);
  const after = { ...(await server.usage()), hops: hops() };
  const { calls } = outcome;
  return {
    ...outcome,
    cpuUs: (after.cpuUs - before.cpuUs) / calls,
    mainUs: (after.mainUs - before.mainUs) / calls,
    kept: after.hops === before.hops ? 1 : (after.hops - before.hops) / calls,
  };
}

/** Returns when nothing has been written for a while. */
async function settled(hops: () => number): Promise<void> {
  let seen: number;
  do {
    seen = hops();
    await pause(SETTLE_MS);
  } while (hops() !== seen);
}

/** The middle of several figures; of an even number, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? Number.NaN;
}
