import { median } from '../call/round.ts';
import type { Contender, Lane } from './contender.ts';
import { life, type Tasks } from './ours.ts';
import { drain, latency, type Pace, quantile, repeat } from './pace.ts';
import { syncsPerSecond } from './syncs.ts';

/** What one contender did in one round. */
export interface StoreRound {
  add: Pace;
  addMany: Pace;
  work: Pace;
  workMany: Pace;
  live: Pace;
  /** From `add` to the start of its handler, ms a job. */
  waited?: number[];
}

/** What the disk and our store did on it in one round. */
export interface DiskRound {
  syncs: number;
  /** Four moves one after the other; three, where the receipt comes with the result; fifty tasks at once. */
  whole: Pace;
  joined: Pace;
  crowd: Pace;
}

const WRITERS = 50;
/** Enough that nobody runs dry in two seconds. */
const QUEUED = { one: 10_000, many: 40_000 };
const LATENCY_PER_SECOND = 50;

/** One round of one contender. Each measurement has a queue of its own. */
export async function storeRound(contender: Contender, seconds: number): Promise<StoreRound> {
  const on = async <T>(measure: (lane: Lane) => Promise<T>): Promise<T> => {
    await using lane = await contender.open();
    return await measure(lane);
  };
  const one = { seconds, writers: 1 };
  const worker = (places: number, jobs: number) => (lane: Lane) =>
    drain(lane, { seconds, places, jobs: Math.ceil((jobs * seconds) / 2) }, contender);
  const round: StoreRound = {
    add: await on((lane) => repeat(() => lane.add(), one, contender)),
    addMany: await on((lane) => repeat(() => lane.add(), { seconds, writers: WRITERS }, contender)),
    work: await on(worker(1, QUEUED.one)),
    workMany: await on(worker(WRITERS, QUEUED.many)),
    live: await on((lane) => repeat(() => lane.live(), one, contender)),
  };
  const waited = await on(async (lane) => {
    if (lane.serve === undefined) return undefined;
    return latency(lane, { seconds: seconds * 2, perSecond: LATENCY_PER_SECOND });
  });
  return waited === undefined ? round : { ...round, waited };
}

/** One round of whole lives on our store, and of what its disk can do meanwhile. */
export async function diskRound(tasks: Tasks, dir: string, seconds: number): Promise<DiskRound> {
  const nobody = { serverUs: async () => 0 };
  const lives = (writers: number, ack: boolean) => {
    let agents = 0;
    return repeat(
      () => life(tasks, `agent-${agents++ % writers}`, { ack }),
      { seconds, writers },
      nobody,
    );
  };
  return {
    syncs: syncsPerSecond(dir, seconds / 2),
    whole: await lives(1, true),
    joined: await lives(1, false),
    crowd: await lives(WRITERS, true),
  };
}

/** The middle of what the rounds say of one figure. */
export function middle<Round>(
  rounds: readonly Round[],
  pick: (round: Round) => number | undefined,
): number {
  return median(rounds.flatMap((round) => pick(round) ?? []));
}

/** How long jobs waited, over all rounds: a p99 of a hundred jobs would be their worst one. */
export function waitedOf(
  rounds: readonly Pick<StoreRound, 'waited'>[],
  share: number,
): number | undefined {
  const all = rounds.flatMap(({ waited = [] }) => waited);
  return all.length === 0 ? undefined : quantile(all, share);
}
