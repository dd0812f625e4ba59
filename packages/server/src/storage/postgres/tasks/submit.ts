import { standsBehind } from '../../moves/move.ts';
import { newborn, type Stored, toRow } from '../../moves/stored.ts';
import type { NewTask, SubmitOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Transaction } from '../transaction.ts';
import type { Lane, Lanes } from './lanes.ts';
import { type Ground, readGround } from './submit-ground.ts';
import { keepKeys } from './submit-keys.ts';

/** What one caller submits. */
export type Submission = Parameters<TasksStore['submit']>[0];

/**
 * Everything that bears on the newcomers is locked and read at once; then they are judged one after
 * the other, in memory, each by what those before it left; then what was accepted is written.
 *
 * The queues are locked, so that their bound holds whoever else submits. Ids and keys are not: who
 * takes one at the same moment makes the write fail on its unique index, and the second look, in
 * another transaction, finds it.
 */
export async function submitAll(
  tx: Transaction,
  submissions: readonly Submission[],
): Promise<SubmitOutcome[][]> {
  const tasks = submissions.flatMap((submission) => submission.tasks);
  const ground = await readGround(tx, { tasks, now: submissions[0]?.now ?? 'store' });
  const accepted: NewTask[] = [];
  let n = 0;
  const judge = (task: NewTask, bound: Submission): SubmitOutcome => {
    const number = ground.numberOf(n++);
    const refused = refusal(ground, task, bound);
    if (refused !== undefined) return refused;
    accepted.push(task);
    const ahead = aheadOf(ground, task);
    return { outcome: 'accepted', row: toRow(store(ground, task, number)), ahead };
  };
  const outcomes = submissions.map((one) => one.tasks.map((task) => judge(task, one)));
  write(tx, ground, accepted);
  return outcomes;
}

function refusal(ground: Ground, task: NewTask, bound: Submission): SubmitOutcome | undefined {
  const { tenant, key, parentId } = task;
  const known = ground.find(task);
  if (known !== undefined) {
    const outcome = known.fingerprint === task.fingerprint ? 'same' : 'conflict';
    return { outcome, row: toRow(known) };
  }
  const record = key && ground.keyOf(key);
  if (record !== undefined) return { outcome: 'key-held', record };
  const parent = parentId === undefined ? undefined : ground.find({ tenant, taskId: parentId });
  if (parent?.state === 'cancelled') return { outcome: 'parent-cancelled', parent: toRow(parent) };

  const pending = sum(ground, task, (lane) => lane.blocked + lane.queued + lane.waiting);
  const room = bound.pendingMax + (task.priority === 10 ? bound.reserve : 0);
  return pending >= room ? { outcome: 'busy', pending } : undefined;
}

/** How many of the queued ones are as urgent or more so. */
function aheadOf(ground: Ground, task: NewTask): number {
  return sum(ground, task, (lane) => (lane.priority >= task.priority ? lane.queued : 0));
}

/** Over the lanes of a task's queue, as they would be if what was accepted so far were written. */
function sum({ lanes, shelf }: Ground, task: NewTask, of: (lane: Lane) => number): number {
  return lanes.around(task).reduce((total, lane) => {
    const { blocked = 0, queued = 0, waiting = 0 } = shelf.changeOf(lane.lane);
    const now = {
      ...lane,
      blocked: lane.blocked + blocked,
      queued: lane.queued + queued,
      waiting: lane.waiting + waiting,
    };
    return total + of(now);
  }, 0);
}

function store(ground: Ground, task: NewTask, seq: number): Stored {
  const { shelf, now } = ground;
  // Among equals the newcomer is the last.
  const comer = { ...task, chain: task.chain ?? null, chainSeq: task.chainSeq ?? null };
  const isBehind = standsBehind(shelf, { ...comer, seq: Number.POSITIVE_INFINITY }, now);
  const dueAt = (task.delayMs ?? 0) > 0 ? now + (task.delayMs ?? 0) : null;
  const state = isBehind ? 'blocked' : dueAt === null ? 'queued' : 'waiting';
  const stored = newborn(task, { state, dueAt, now });
  stored.seq = seq;
  Object.assign(stored, placeIn(ground.lanes, task));
  const { key } = task;
  shelf.bear({
    task: stored,
    payload: task.payload,
    key: key && { scope: key.scope, key: key.key, until: now + key.ttlMs },
  });
  if (key !== undefined) ground.keepKey(key, task.taskId);
  shelf.writeLine(stored, { from: null, cause: 'submitted', agentId: stored.agentId });
  shelf.recount(stored.lane, undefined, state);
  return stored;
}

function placeIn(lanes: Lanes, task: NewTask): { queue: number; lane: number } {
  const lane = lanes.laneOf(task);
  if (lane === undefined) throw new Error(`the lane of task ${task.taskId} was not made`);
  return { queue: lane.queue, lane: lane.lane };
}

function write(tx: Transaction, { shelf, now }: Ground, accepted: readonly NewTask[]): void {
  shelf.write(tx);
  keepKeys(tx, accepted, now);
}
