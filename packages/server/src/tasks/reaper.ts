import { type ErrorCode, ReachError } from '@agent-reach/core';
import { type Clock, inOrder, loop, type Service } from '@agent-reach/core/kernel';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { lookAgain, lookAtQueues } from './levels.ts';
import { logTask, noteLapsed, reached, recall, recordOver, told, toldTurn } from './news.ts';
import { type SweepMemory, sweepQueues } from './rebind.ts';
import { retryWaits } from './retry-wait.ts';
import type { TaskRoom } from './room.ts';
import { whenSpent } from './settle.ts';
import { type StallMemory, sweepStalls } from './stalls.ts';

/** Tasks moved in one store move: small, so that no claim waits long behind it. */
const BATCH = 100;
const SWEEP_MS = 1_000;
/**
 * Queues counted in a second at most, over time: counting ten thousand each second would take a
 * Redis 6 to 8 % of its core for every gateway. Between two readings a gateway goes by its own moves.
 */
const COUNTED_MAX = 5_000;
const STALL_LOOK_MS = 10_000;
const PRUNE_MS = 60_000;
const PRUNE_BATCH = 500;
/** More waits than any task may have runs. */
const WAITS = 21;
/**
 * A round that comes so late was held up by something that held up everybody's words as well: a
 * stopped process, a machine that slept, a store that stalled.
 */
const LATE_MS = 3_000;
const LATE_ROUNDS = 3;

/** What time does to tasks: what is due, what is late, what nobody came back with. */
export function reaper(room: TaskRoom): Service {
  const { clock } = room;
  const memory: SweepMemory = new Map();
  const stalls: StallMemory = new Set();
  let sweepMs = SWEEP_MS;
  const round = (
    what: string,
    pauseMs: number | (() => number),
    work: (signal: AbortSignal) => Promise<void>,
  ) =>
    loop({
      clock,
      pauseMs: typeof pauseMs === 'number' ? () => pauseMs : pauseMs,
      onError: (error) => room.log.error({ err: error }, what),
      round: work,
    });
  const isLate = lateness(clock, room.options.tickMs);
  let wasRefused = false;
  return inOrder([
    { start: () => comeBack(room), stop: async () => {} },
    round('due tasks could not be moved', room.options.tickMs, async () => {
      try {
        if (isLate() && room.peers.isAlone) await grace(room, 'this gateway was held up');
        if (wasRefused) await grace(room, 'the store had taken nothing');
        wasRefused = false;
        await tick(room);
        await expire(room);
      } catch (error) {
        wasRefused = isRefusal(error);
        throw error;
      }
    }),
    round(
      'the queues could not be looked at',
      () => sweepMs,
      async () => {
        const counts = await room.store.counts({});
        sweepMs = SWEEP_MS * Math.max(1, counts.length / COUNTED_MAX);
        lookAtQueues(counts, room);
        room.road.board.readWaiting(room.book.waiting());
        await sweepQueues(memory, room);
      },
    ),
    round('stalled tasks could not be looked for', STALL_LOOK_MS, () => sweepStalls(stalls, room)),
    round('old tasks could not be forgotten', PRUNE_MS, (signal) => prune(room, signal)),
  ]);
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set(['storage-full', 'store-unavailable']);

/** A store that takes no move of ours took no word of a holder either. */
function isRefusal(error: unknown): boolean {
  return ReachError.is(error) && REFUSALS.has(error.code);
}

/** True when a round comes so much too late that everybody must have been held up. */
function lateness(clock: Clock, tickMs: number): () => boolean {
  let last = clock.monotonic();
  let wall = clock.now();
  return () => {
    const passed = clock.monotonic() - last;
    // A machine that slept may not count it on the monotonic clock.
    const wallPassed = clock.now() - wall;
    last = clock.monotonic();
    wall = clock.now();
    return Math.max(passed, wallPassed) > Math.max(LATE_MS, tickMs * (LATE_ROUNDS + 1));
  };
}

/**
 * After a start nobody is late: while we were away nobody could speak. With other gateways there they
 * could, to those.
 */
async function comeBack(room: TaskRoom): Promise<void> {
  if (room.peers.isAlone) await grace(room, 'this gateway came back');
  lookAgain(await room.store.counts({}), room);
}

async function grace(room: TaskRoom, why: string): Promise<void> {
  const { graceMs } = room.options;
  if (graceMs === 0) return;
  const leases = await room.store.grace({ leaseMs: graceMs, now: room.now() });
  if (leases > 0) room.log.warn({ leases, leaseMs: graceMs, why }, 'leases were lengthened');
}

async function tick(room: TaskRoom): Promise<void> {
  for (;;) {
    const { overdue, due, next } = await room.store.tick({ limit: BATCH, now: room.now() });
    for (const row of overdue) timedOut(row, room);
    for (const row of due) told(row, 'pending', room);
    for (const row of next) toldTurn(row, room);
    if (overdue.length < BATCH && due.length < BATCH) return;
  }
}

function timedOut(row: TaskRow, room: TaskRoom): void {
  const wasHeld = room.holds.drop(row);
  wasHeld?.abort.abort(new Error('the task’s deadline passed'));
  told(row, wasHeld === undefined ? 'pending' : 'held', room);
  void recordOver(row, room);
}

async function expire(room: TaskRoom): Promise<void> {
  const { options, road } = room;
  const delaysMs = retryWaits(options, WAITS, road.random);
  for (;;) {
    // By the time of asking, never the store's own: a sweep that a stalled network delivers late
    // must not take the leases for which nobody could speak meanwhile.
    const now = room.clock.now();
    const { expired, next } = await room.store.expire({
      deliveriesMax: options.deliveriesMax,
      whenSpent: whenSpent(room),
      delaysMs,
      limit: BATCH,
      now,
    });
    for (const row of expired) lapsed(row, room);
    for (const row of next) toldTurn(row, room);
    if (expired.length < BATCH) return;
  }
}

function lapsed(row: TaskRow, room: TaskRoom): void {
  recall(row, room);
  // Back in the queue at once: whoever held it had not said that he began.
  reached(row, row.state !== 'queued' && row.cause !== 'deliveries-spent', room);
  noteLapsed(row, room);
  told(row, 'held', room);
  if (row.state === 'dead' || row.state === 'failed') void recordOver(row, room);
  else logTask('a lease was lost', row, room, { cause: row.cause });
}

async function prune(room: TaskRoom, signal: AbortSignal): Promise<void> {
  for (;;) {
    const now = room.clock.now();
    const { forgotten, next } = await room.store.prune({
      endedBefore: now - room.options.retentionMs,
      deadBefore: now - room.options.deadRetentionMs,
      limit: PRUNE_BATCH,
      now: room.now(),
    });
    for (const row of next) toldTurn(row, room);
    if (signal.aborted || forgotten < PRUNE_BATCH) return;
  }
}
