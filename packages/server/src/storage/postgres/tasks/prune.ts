import { hasTurn } from '../../moves/chain.ts';
import { demandLimit } from '../../moves/demand.ts';
import { isReady, passTurn } from '../../moves/move.ts';
import { toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { holdNext } from './chains.ts';
import { TaskShelf } from './shelf.ts';
import { lockFound } from './sweep.ts';

export const prune: Operation<TasksStore['prune']> = async (tx, move) => {
  demandLimit(move);
  const shelf = new TaskShelf();
  const now = await tx.clock(move.now);
  const ended = await lockNumbers(tx, [move.endedBefore, move.limit]);
  const room = move.limit - ended.length;
  const dead = await lockFound(tx, shelf, DEAD, [move.deadBefore, room]);
  await holdNext(tx, shelf, dead);
  forget(tx, [...ended, ...dead.map(({ seq }) => seq)]);
  const next = dead.flatMap((task) => {
    shelf.recount(task.lane, 'dead', undefined);
    const { tenant, chain } = task;
    // Nobody redrove it in time: its chain, if it waited, goes on.
    return chain !== null && hasTurn(task) ? (passTurn(shelf, { tenant, chain }, now) ?? []) : [];
  });
  shelf.write(tx);
  // Under the locks of their queues, where nobody puts a task now; the others' turn will come.
  const idle = (await tx.lists(IDLE)).map(([queue]) => queue as number);
  if (idle.length > 0) {
    tx.put(EMPTY_LANES, [idle]);
    tx.put(EMPTY_QUEUES, [idle]);
  }
  return { forgotten: ended.length + dead.length, next: next.filter(isReady).map(toRow) };
};

async function lockNumbers(tx: Transaction, values: [number, number]): Promise<number[]> {
  return (await tx.lists(ENDED, values)).map(([seq]) => seq as number);
}

function forget(tx: Transaction, seqs: readonly number[]): void {
  if (seqs.length === 0) return;
  tx.put(RELEASE_KEYS, [seqs]);
  for (const text of FORGET) tx.put(text, [seqs]);
}

const ENDED = `
  SELECT seq FROM tasks WHERE ended_at < $1 AND ended_at IS NOT NULL
  ORDER BY ended_at, seq LIMIT $2 FOR UPDATE SKIP LOCKED`;

const DEAD = `
  FROM tasks WHERE state = 'dead' AND updated_at < $1 ORDER BY updated_at, seq LIMIT $2`;

/** A key stays as long as its task does, and then until its own time. */
const RELEASE_KEYS = `
  UPDATE keys SET expires_at = gone.key_until
  FROM unnest($1::bigint[]) AS named (seq)
  CROSS JOIN LATERAL (SELECT * FROM tasks WHERE tasks.seq = named.seq LIMIT 1) AS gone
  CROSS JOIN LATERAL (
    SELECT ctid AS place FROM keys
    WHERE keys.scope = gone.key_scope AND keys.key = gone.key LIMIT 1) AS known
  WHERE keys.ctid = known.place`;

const FORGET = ['task_payloads', 'task_results', 'task_history', 'task_orphans', 'task_edits']
  .concat('tasks')
  .map((table) => `DELETE FROM ${table} WHERE seq = ANY ($1::bigint[])`);

const LIVES = 'blocked + queued + waiting + delivered + running + dead > 0';

/**
 * Queues with a lane that is empty, as many as a move may take. There are as many queues as agents,
 * so a walk over them is short.
 */
const IDLE = `
  SELECT queue FROM task_queues
  WHERE NOT EXISTS (SELECT 1 FROM task_lanes WHERE task_lanes.queue = task_queues.queue)
    OR EXISTS (SELECT 1 FROM task_lanes WHERE task_lanes.queue = task_queues.queue AND NOT ${LIVES})
  ORDER BY queue LIMIT 1000 FOR UPDATE SKIP LOCKED`;

const EMPTY_LANES = `
  DELETE FROM task_lanes WHERE queue = ANY ($1::bigint[]) AND NOT ${LIVES}`;

const EMPTY_QUEUES = `
  DELETE FROM task_queues WHERE queue = ANY ($1::bigint[])
    AND NOT EXISTS (SELECT 1 FROM task_lanes WHERE task_lanes.queue = task_queues.queue)`;
