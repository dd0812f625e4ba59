import { hasTurn } from '../../moves/chain.ts';
import { demandLimit } from '../../moves/demand.ts';
import { passTurn } from '../../moves/move.ts';
import { type Stored, toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import { forgetKey } from '../ledger.ts';
import type { Operation } from '../operation.ts';
import { recount } from './lanes.ts';
import { shelfOn, stillReady } from './shelf.ts';
import { taskAt } from './stored.ts';

export const prune: Operation<TasksStore['prune']> = (db, move) => {
  demandLimit(move);
  const ended = db.all<{ seq: number }>(ENDED, move);
  for (const { seq } of ended) forget(db, seq);
  const dead = db.all<{ seq: number }>(DEAD, { ...move, limit: move.limit - ended.length });
  const next = dead.flatMap(({ seq }) => bury(db, seq, move.now) ?? []);
  db.run(EMPTY_LANES);
  db.run(EMPTY_QUEUES);
  return { forgotten: ended.length + dead.length, next: stillReady(db, next).map(toRow) };
};

/** Nobody redrove it in time: its chain, if it waited, goes on. */
function bury(db: Database, seq: number, now: number): Stored | undefined {
  const task = taskAt(db, seq);
  recount(db, task.lane, 'dead', undefined);
  forget(db, seq);
  const { tenant, chain } = task;
  if (chain === null || !hasTurn(task)) return undefined;
  return passTurn(shelfOn(db), { tenant, chain }, now);
}

function forget(db: Database, seq: number): void {
  const key = db.first<{ scope: string; key: string; until: number }>(KEY, seq);
  if (key !== undefined) forgetKey(db, key);
  for (const text of FORGET) db.write(text, seq);
}

const ENDED = `
  SELECT seq FROM tasks WHERE ended_at < :endedBefore AND ended_at IS NOT NULL
  ORDER BY ended_at, seq LIMIT :limit`;

const DEAD = `
  SELECT seq FROM tasks WHERE state = 'dead' AND updated_at < :deadBefore
  ORDER BY updated_at, seq LIMIT :limit`;

const KEY = `
  SELECT key_scope AS scope, key, key_until AS until FROM tasks
  WHERE seq = ? AND key_scope IS NOT NULL`;

const FORGET = ['payloads', 'results', 'history', 'orphans', 'edits']
  .map((part) => `DELETE FROM task_${part} WHERE seq = ?`)
  .concat('DELETE FROM tasks WHERE seq = ?');

const EMPTY_LANES = `
  DELETE FROM task_lanes WHERE blocked + queued + waiting + delivered + running + dead = 0`;

const EMPTY_QUEUES = `
  DELETE FROM task_queues
  WHERE NOT EXISTS (SELECT 1 FROM task_lanes WHERE task_lanes.queue = task_queues.queue)`;
