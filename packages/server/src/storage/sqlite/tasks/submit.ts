import type { NewTask, SubmitOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import { keepKey, present } from '../ledger.ts';
import type { Operation, Timed } from '../operation.ts';
import { demandAtMost, demandNewTask, demandWhole } from '../../spi/demand.ts';
import { writeLine } from './history.ts';
import { fullnessOf, laneOf, recount } from './lanes.ts';
import { standsBehind } from './move.ts';
import { findTask, insertTask, type Stored, toRow } from './stored.ts';

type Submit = Timed<Parameters<TasksStore['submit']>[0]>;

export const submit: Operation<TasksStore['submit']> = (db, move) => {
  demandAtMost('tasks', move.tasks.length, 1_000);
  demandWhole('pendingMax', move.pendingMax, 0);
  demandWhole('reserve', move.reserve, 0);
  for (const task of move.tasks) demandNewTask(task);
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
  const isBehind = standsBehind(db, { ...comer, seq: Number.POSITIVE_INFINITY }, now);
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

type Birth = Pick<Stored, 'state' | 'dueAt'> & { now: number };

/** A task of its first moment. It has no number and stands in no lane yet. */
function newborn(task: NewTask, { now, ...birth }: Birth): Stored {
  return {
    tenant: task.tenant,
    taskId: task.taskId,
    taskType: task.taskType,
    kind: task.kind,
    fingerprint: task.fingerprint,
    principal: task.principal,
    traceId: task.traceId,
    parentId: task.parentId ?? null,
    agentId: task.agentId ?? null,
    group: task.group ?? null,
    home: task.home ?? null,
    effect: task.effect ?? null,
    priority: task.priority,
    chain: task.chain ?? null,
    chainSeq: task.chainSeq ?? null,
    onDead: task.onDead ?? null,
    cause: null,
    reason: null,
    version: 1,
    epoch: 0,
    deliveries: 0,
    attempts: 0,
    attemptsMax: task.attemptsMax,
    holder: null,
    leaseEndsAt: null,
    readyAt: birth.state === 'queued' ? now : null,
    deadlineAt: task.deadlineMs === undefined ? null : now + task.deadlineMs,
    progress: null,
    selector: task.selector,
    createdAt: now,
    updatedAt: now,
    endedAt: null,
    seq: 0,
    queue: 0,
    lane: 0,
    ...birth,
  };
}

const INSERT_PAYLOAD = 'INSERT INTO task_payloads VALUES (?, ?)';
