import { demandSubmit } from '../../moves/demand.ts';
import { standsBehind } from '../../moves/move.ts';
import { newborn, type Stored, toRow } from '../../moves/stored.ts';
import type { NewTask, SubmitOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import { keepKey, present } from '../ledger.ts';
import type { Operation, Timed } from '../operation.ts';
import { writeLine } from './history.ts';
import { fullnessOf, laneOf, recount } from './lanes.ts';
import { shelfOn } from './shelf.ts';
import { findTask, insertTask } from './stored.ts';

type Submit = Timed<Parameters<TasksStore['submit']>[0]>;

export const submit: Operation<TasksStore['submit']> = (db, move) => {
  demandSubmit(move);
  return move.tasks.map((task) => submitOne(db, task, move));
};

function submitOne(db: Database, task: NewTask, move: Submit): SubmitOutcome {
  const known = findTask(db, task);
  if (known !== undefined) {
    const outcome = known.fingerprint === task.fingerprint ? 'same' : 'conflict';
    return { outcome, row: toRow(known) };
  }
  const { key, parentId, tenant } = task;
  const record = key && present(db, { ...key, now: move.now });
  if (record !== undefined) return { outcome: 'key-held', record };
  const parent = parentId === undefined ? undefined : findTask(db, { tenant, taskId: parentId });
  if (parent?.state === 'cancelled') return { outcome: 'parent-cancelled', parent: toRow(parent) };

  const { queue, pending, ahead } = fullnessOf(db, { ...task, agentId: task.agentId ?? null });
  const room = move.pendingMax + (task.priority === 10 ? move.reserve : 0);
  if (pending >= room) return { outcome: 'busy', pending };
  return { outcome: 'accepted', row: toRow(store(db, task, { queue, now: move.now })), ahead };
}

function store(
  db: Database,
  task: NewTask,
  at: { queue: number | undefined; now: number },
): Stored {
  const { now } = at;
  // Among equals the newcomer is the last.
  const comer = { ...task, chain: task.chain ?? null, chainSeq: task.chainSeq ?? null };
  const isBehind = standsBehind(shelfOn(db), { ...comer, seq: Number.POSITIVE_INFINITY }, now);
  const dueAt = (task.delayMs ?? 0) > 0 ? now + (task.delayMs ?? 0) : null;
  const state = isBehind ? 'blocked' : dueAt === null ? 'queued' : 'waiting';
  const stored = newborn(task, { state, dueAt, now });
  Object.assign(stored, laneOf(db, stored, at.queue));
  const { key } = task;
  stored.seq = insertTask(db, stored, key && { ...key, until: now + key.ttlMs });
  db.write(INSERT_PAYLOAD, stored.seq, task.payload);
  if (key !== undefined) keepKey(db, { ...key, token: task.taskId });
  writeLine(db, stored, { from: null, cause: 'submitted', agentId: stored.agentId });
  recount(db, stored.lane, undefined, state);
  return stored;
}

const INSERT_PAYLOAD = 'INSERT INTO task_payloads VALUES (?, ?)';
