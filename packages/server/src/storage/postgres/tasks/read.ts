import { AHEAD_MAX, type Counted, placeBehind, toCounts } from '../../moves/figures.ts';
import { fromList, SELECT_TASK, toRow } from '../../moves/stored.ts';
import type { EditRow, HistoryRow, OrphanRow, TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { HAS_TURN } from './chains.ts';
import { findTask, tasksOf } from './stored.ts';

export const getTask: Operation<TasksStore['get']> = async (tx, { tenant, taskId }) => {
  const [found] = await tx.lists(WHOLE, [tenant, taskId]);
  if (found === undefined) return undefined;
  const [payload, result] = found.slice(-2) as [string, string | null];
  const row = { ...toRow(fromList(found)), payload };
  return result === null ? row : { ...row, result };
};

export const taskHistory: Operation<TasksStore['history']> = (tx, query) =>
  partsOf<HistoryRow>(tx, HISTORY, query);

export const taskOrphans: Operation<TasksStore['orphans']> = (tx, query) =>
  partsOf<OrphanRow>(tx, ORPHANS, query);

export const taskEdits: Operation<TasksStore['edits']> = (tx, query) =>
  partsOf<EditRow>(tx, EDITS, query);

export const ahead: Operation<TasksStore['ahead']> = async (tx, query) => {
  const task = await findTask(tx, query);
  if (task?.state !== 'queued') return undefined;
  const { queue, priority, readyAt, seq } = task;
  const [found] = await tx.rows<{ urgent: number; alike: number }>(AHEAD, [
    queue,
    priority,
    readyAt,
    seq,
  ]);
  return placeBehind(found ?? { urgent: 0, alike: 0 });
};

export const chainHead: Operation<TasksStore['chainHead']> = async (tx, { tenant, chain }) => {
  const [head] = await tasksOf(tx, TURN, [tenant, chain]);
  return head && toRow(head);
};

export const counts: Operation<TasksStore['counts']> = async (tx, { tenant }) => {
  const rows = await tx.rows<Counted>(COUNTS, [tenant ?? null]);
  return rows.map(toCounts);
};

/** What hangs on a task, in the order of the text; what is null is left out. */
async function partsOf<Part>(
  tx: Transaction,
  text: string,
  { tenant, taskId }: { tenant: string; taskId: string },
): Promise<Part[]> {
  const rows = await tx.rows<object>(text, [tenant, taskId]);
  return rows
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
    .map((part) => part as Part);
}

const WHOLE = `
  ${SELECT_TASK},
    coalesce((SELECT body FROM task_payloads WHERE task_payloads.seq = tasks.seq), ''),
    (SELECT body FROM task_results WHERE task_results.seq = tasks.seq)
  FROM tasks WHERE tenant = $1 AND task_id = $2`;

const OF_TASK = 'seq = (SELECT seq FROM tasks WHERE tenant = $1 AND task_id = $2)';

const HISTORY = `
  SELECT version, at, from_state AS "from", to_state AS "to", cause, epoch, agent_id AS "agentId",
         holder, by, reason
  FROM task_history WHERE ${OF_TASK} ORDER BY version`;

const ORPHANS = `
  SELECT epoch, holder, result, at FROM task_orphans WHERE ${OF_TASK}
  ORDER BY at DESC, epoch DESC`;

const EDITS = `
  SELECT version, at, by, reason, payload FROM task_edits WHERE ${OF_TASK} ORDER BY version DESC`;

const TURN = `${SELECT_TASK} FROM tasks WHERE tenant = $1 AND chain = $2 AND ${HAS_TURN}`;

const AHEAD = `
  SELECT
    (SELECT coalesce(sum(queued), 0)::bigint FROM task_lanes
     WHERE queue = $1 AND priority > $2) AS urgent,
    (SELECT count(*) FROM (
       SELECT 1 FROM task_lanes JOIN tasks
         ON tasks.lane = task_lanes.lane AND state = 'queued'
           AND (tasks.ready_at, tasks.seq) < ($3::bigint, $4::bigint)
       WHERE task_lanes.queue = $1 AND task_lanes.priority = $2
       LIMIT ${AHEAD_MAX + 1}) AS alike) AS alike`;

const COUNTS = `
  SELECT tenant, agent_id AS "agentId", task_queues.task_type AS "taskType",
         sum(blocked)::bigint AS blocked, sum(queued)::bigint AS queued,
         sum(waiting)::bigint AS waiting, sum(delivered)::bigint AS delivered,
         sum(running)::bigint AS running, sum(dead)::bigint AS dead,
         min(CASE WHEN queued > 0 THEN (
           SELECT ready_at FROM tasks WHERE tasks.lane = task_lanes.lane AND state = 'queued'
           ORDER BY ready_at LIMIT 1) END) AS "oldestAt"
  FROM task_queues JOIN task_lanes USING (queue)
  WHERE $1::text IS NULL OR tenant = $1
  GROUP BY queue, tenant, agent_id, task_queues.task_type
  HAVING sum(blocked + queued + waiting + delivered + running + dead) > 0
  ORDER BY tenant, agent_id, task_queues.task_type`;
