import { byName, isAged, isAgedTurn } from '../../moves/claim.ts';
import type { Fairness } from '../../spi/tasks.ts';

/** A queued task that may be next. */
export interface Candidate {
  lane: number;
  priority: number;
  /** The caller of this priority who was served last. */
  last: string;
  principal: string;
  seq: number;
  /** How many of this caller's tasks were read at most, of this lane. */
  share: number;
}

/** One of those that have been ready longest, of their lanes. */
export interface Aged {
  seq: number;
  readyAt: number;
  priority: number;
}

/** What a claim may take, and when. */
export interface Round {
  limit: number;
  /** How many the queue had handed out before. */
  taken: number;
  fairness: Fairness | undefined;
  now: number;
}

/** What a claim takes. */
export interface Picked {
  /** In the order in which they are given. */
  picks: number[];
  /** Who was served last, of the priorities that were served. */
  turns: Map<number, string>;
  /** It ended because it could not see who is next: somebody's tasks were not read to the end. */
  isCut: boolean;
}

/**
 * Picks tasks one after the other: the most urgent first, within a priority the callers in turn,
 * within a caller the lowest number; and now and then one that has waited too long.
 */
export function pickInTurn(
  candidates: readonly Candidate[],
  aged: readonly Aged[],
  { limit, taken, fairness, now }: Round,
): Picked {
  const picked: Picked = { picks: [], turns: new Map(), isCut: false };
  const gone = new Set<number>();
  const rounds = roundsOf(candidates);
  const longest = aged.toSorted((a, b) => a.readyAt - b.readyAt || a.seq - b.seq);
  while (picked.picks.length < limit) {
    const next = nextOf(rounds, gone);
    if (next === undefined || next === 'unseen') return { ...picked, isCut: next === 'unseen' };
    const isDue = isAgedTurn(taken + picked.picks.length + 1, fairness) && next.priority < 10;
    const old = isDue
      ? longest.find((task) => !gone.has(task.seq) && isAged(task, fairness, now))
      : undefined;
    // It is nobody's turn when an aged one goes.
    if (old === undefined) picked.turns.set(next.priority, next.principal);
    const seq = old?.seq ?? next.seq;
    if (old === undefined) next.served();
    gone.add(seq);
    picked.picks.push(seq);
  }
  return picked;
}

/** The callers of one priority, from the one whose turn it is. */
interface CallersRound {
  priority: number;
  callers: Caller[];
}

interface Caller {
  principal: string;
  /** By number, over all lanes; and beyond `seenTo` there may be others. */
  seqs: number[];
  seenTo: number;
}

function roundsOf(candidates: readonly Candidate[]): CallersRound[] {
  const byPriority = Map.groupBy(candidates, ({ priority }) => priority);
  return [...byPriority]
    .toSorted(([a], [b]) => b - a)
    .map(([priority, of]) => ({ priority, callers: callersOf(of) }));
}

function callersOf(candidates: readonly Candidate[]): Caller[] {
  const last = candidates[0]?.last ?? '';
  const isEarlier = (principal: string) => (byName(principal, last) > 0 ? 0 : 1);
  return [...Map.groupBy(candidates, ({ principal }) => principal)]
    .toSorted(([a], [b]) => isEarlier(a) - isEarlier(b) || byName(a, b))
    .map(([principal, own]) => ({
      principal,
      seqs: own.map(({ seq }) => seq).toSorted((a, b) => a - b),
      seenTo: seenTo(own),
    }));
}

/** The lowest of the last tasks of those lanes in which the caller may have more than were read. */
function seenTo(own: readonly Candidate[]): number {
  const lanes = Map.groupBy(own, ({ lane }) => lane).values();
  const ends = [...lanes]
    .filter((lane) => lane.length >= (lane[0]?.share ?? 0))
    .map((lane) => Math.max(...lane.map(({ seq }) => seq)));
  return Math.min(Number.POSITIVE_INFINITY, ...ends);
}

/** The next task in turn; `unseen`: it may be one that was not read. */
function nextOf(rounds: readonly CallersRound[], gone: ReadonlySet<number>) {
  for (const { priority, callers } of rounds) {
    for (const [n, caller] of callers.entries()) {
      const seq = caller.seqs.find((one) => !gone.has(one));
      if (seq === undefined && caller.seenTo === Number.POSITIVE_INFINITY) continue;
      if (seq === undefined || seq > caller.seenTo) return 'unseen';
      // Who was served goes to the end of the round, and those who had nothing with him.
      const served = () => callers.push(...callers.splice(0, n + 1));
      return { priority, principal: caller.principal, seq, served };
    }
  }
  return undefined;
}
