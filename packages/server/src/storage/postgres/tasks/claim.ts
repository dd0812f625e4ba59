import { give } from '../../moves/claim.ts';
import { type Stored, toRow } from '../../moves/stored.ts';
import type { Transaction } from '../transaction.ts';
import {
  type Ask,
  type Claim,
  type Claimed,
  lockPicks,
  lookFor,
  type Order,
  queueOf,
  tastesOf,
} from './claim-search.ts';
import { type Picked, pickInTurn } from './pick.ts';
import { TaskShelf } from './shelf.ts';

/**
 * Whether a claim may be served together with others: those of its queue, if there are any, would
 * take the same tasks in the same turns. They are alike among themselves, so one speaks for all.
 */
export function isServedWith(claim: Claim, others: readonly Claim[]): boolean {
  const { tenant, agentId } = claim;
  const own = others.find((other) => other.agentId === agentId && other.tenant === tenant);
  return own === undefined || tastesOf(own) === tastesOf(claim);
}

/**
 * Locks the queues, so that their callers take turns whoever claims; reads who may be next, as many
 * as it needs and no more, by the indexes of the lanes; decides in memory; then locks and gives what
 * it picked. So a claim costs by what it takes, whatever the queue holds. A queue with nothing for
 * its holder is not locked, and nothing is written.
 *
 * Claims of one queue are served as one that takes as much as all of them, and share it in the order
 * in which they were made.
 */
export async function claimAll(tx: Transaction, claims: readonly Claim[]): Promise<Claimed[][]> {
  const orders = claims.map((claim): Order => ({ claim, given: [] }));
  let asks = asksOf(orders);
  while (asks.length > 0) {
    const rounds = await pick(tx, asks);
    const unseen = await giveAll(tx, rounds);
    asks = asksOf(unseen.flatMap(({ ask }) => ask.orders));
  }
  return orders.map(({ given }) => given);
}

function asksOf(orders: readonly Order[]): Ask[] {
  const open = orders.filter((order) => roomOf(order) > 0);
  return [...Map.groupBy(open, ({ claim }) => queueOf(claim)).values()].map((own) => ({
    orders: own,
    claim: (own[0] as Order).claim,
    limit: own.reduce((sum, order) => sum + roomOf(order), 0),
  }));
}

function roomOf({ claim, given }: Order): number {
  return claim.limit - given.length;
}

/** What one queue is to give, decided under its lock. */
interface Round extends Picked {
  ask: Ask;
  queue: number;
  /** How many tasks the queue had ever handed out. */
  taken: number;
  now: number;
}

async function pick(tx: Transaction, asks: readonly Ask[]): Promise<Round[]> {
  const { queues, candidatesOf, agedOf, now } = await lookFor(tx, asks);
  // What came to a queue after it had been passed over is for the next claim.
  return queues.map(({ nth, queue, taken }) => {
    const ask = asks[nth - 1] as Ask;
    const { fairness } = ask.claim;
    const bounds = { limit: ask.limit, taken, fairness, now };
    const picked = pickInTurn(candidatesOf.get(nth) ?? [], agedOf.get(nth) ?? [], bounds);
    return { ask, queue, taken, now, ...picked };
  });
}

/**
 * Gives what was picked and is not being moved by somebody else at this moment. Answers the rounds
 * that ended too early.
 */
async function giveAll(tx: Transaction, rounds: readonly Round[]): Promise<Round[]> {
  const picks = rounds.flatMap((round) => round.picks);
  if (picks.length === 0) return [];
  const shelf = new TaskShelf();
  const { tasks, payloads } = await lockPicks(tx, picks);
  shelf.hold(tasks);
  const unseen = rounds.filter((round) => {
    const locked = round.picks.flatMap((seq) => shelf.at(seq) ?? []);
    deal(shelf, locked, { ...round, payloads });
    // Who had more tasks than were read may have been the next in turn: look again. But not for
    // what is locked: it would be found and passed over until somebody else is done with it.
    return round.isCut && locked.length === round.picks.length;
  });
  shelf.write(tx);
  remember(tx, rounds);
  return unseen;
}

function deal(
  shelf: TaskShelf,
  tasks: readonly Stored[],
  { ask, now, payloads }: Round & { payloads: ReadonlyMap<number, string> },
): void {
  let dealt = 0;
  for (const { claim, given } of ask.orders) {
    const own = tasks.slice(dealt, dealt + claim.limit - given.length);
    dealt += own.length;
    for (const task of own) {
      give(shelf, task, { holder: claim.holder, leaseMs: claim.leaseMs, now });
      given.push({ ...toRow(task), payload: payloads.get(task.seq) ?? '' });
    }
  }
}

function remember(tx: Transaction, rounds: readonly Round[]): void {
  const served = rounds.filter(({ picks }) => picks.length > 0);
  tx.put(REMEMBER, [
    served.map(({ queue }) => queue),
    served.map(({ taken, picks }) => taken + picks.length),
  ]);
  const turns = served.flatMap(({ queue, turns: own }) =>
    [...own].map(([priority, principal]) => ({ queue, priority, principal })),
  );
  if (turns.length === 0) return;
  tx.put(REMEMBER_TURNS, [
    turns.map(({ queue }) => queue),
    turns.map(({ priority }) => priority),
    turns.map(({ principal }) => principal),
  ]);
}

const REMEMBER = `
  UPDATE task_queues SET taken = served.taken
  FROM unnest($1::bigint[], $2::bigint[]) AS served (queue, taken)
  WHERE task_queues.queue = served.queue`;

const REMEMBER_TURNS = `
  INSERT INTO task_turns (queue, priority, principal)
  SELECT queue, priority, principal
  FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS turn (queue, priority, principal)
  ON CONFLICT (queue, priority) DO UPDATE SET principal = excluded.principal`;
