import { AHEAD_MAX, type Counted, placeBehind, toCounts } from '../../moves/figures.ts';
import { type Stored, toRow } from '../../moves/stored.ts';
import type { EditRow, HistoryRow, OrphanRow, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation } from '../operation.ts';
import { turnOf } from './shelf.ts';
import { findTask } from './stored.ts';

export const getTask: Operation<TasksStore['get']> = (db, query) => {
  const task = findTask(db, query);
  if (task === undefined) return undefined;
  const payload = bodyOf(db, 'task_payloads', task) ?? '';
  const result = bodyOf(db, 'task_results', task);
  const row = { ...toRow(task), payload };
  return result === undefined ? row : { ...row, result };
};

export const taskHistory: Operation<TasksStore['history']> = (db, query) =>
  partsOf<HistoryRow>(db, HISTORY, query);

export const taskOrphans: Operation<TasksStore['orphans']> = (db, query) =>
  partsOf<OrphanRow>(db, ORPHANS, query);

export const taskEdits: Operation<TasksStore['edits']> = (db, query) =>
  partsOf<EditRow>(db, EDITS, query);

export const ahead: Operation<TasksStore['ahead']> = (db, query) => {
  const task = findTask(db, query);
  if (task?.state !== 'queued') return undefined;
  return placeBehind(db.get<{ urgent: number; alike: number }>(AHEAD, task) ?? NOBODY);
};

export const chainHead: Operation<TasksStore['chainHead']> = (db, { tenant, chain }) => {
  const head = turnOf(db, tenant, chain);
  return head && toRow(head);
};

export const counts: Operation<TasksStore['counts']> = (db, { tenant }) =>
  db.all<Counted>(tenant === undefined ? COUNTS : COUNTS_OF_TENANT, { tenant }).map(toCounts);

function bodyOf(db: Database, table: string, { seq }: Stored): string | undefined {
  return db.first<{ body: string }>(`SELECT body FROM ${table} WHERE seq = ?`, seq)?.body;
}

/** What hangs on a task, in the order of the text; what is null is left out. */
function partsOf<Part>(db: Database, text: string, query: { tenant: string; taskId: string }) {
  return db
    .all<object>(text, query)
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
    .map((part) => part as Part);
}

const OF_TASK = 'seq = (SELECT seq FROM tasks WHERE tenant = :tenant AND task_id = :taskId)';

const HISTORY = `
  SELECT version, at, from_state AS "from", to_state AS "to", cause, epoch, agent_id AS agentId,
         holder, by, reason
  FROM task_history WHERE ${OF_TASK} ORDER BY version`;

const ORPHANS = `
  SELECT epoch, holder, result, at FROM task_orphans WHERE ${OF_TASK}
  ORDER BY at DESC, epoch DESC`;

const EDITS = `
  SELECT version, at, by, reason, payload FROM task_edits WHERE ${OF_TASK} ORDER BY version DESC`;

const NOBODY = { urgent: 0, alike: 0 };

const AHEAD = `
  SELECT
    (SELECT coalesce(sum(queued), 0) FROM task_lanes
     WHERE queue = :queue AND priority > :priority) AS urgent,
    (SELECT count(*) FROM (
       SELECT 1 FROM task_lanes CROSS JOIN tasks
         ON tasks.lane = task_lanes.lane AND state = 'queued'
           AND (ready_at, seq) < (:readyAt, :seq)
       WHERE task_lanes.queue = :queue AND task_lanes.priority = :priority
       LIMIT ${AHEAD_MAX + 1})) AS alike`;

const countsWhere = (filter: string) => `
  SELECT tenant, agent_id AS agentId, task_queues.task_type AS taskType,
         sum(blocked) AS blocked, sum(queued) AS queued, sum(waiting) AS waiting,
         sum(delivered) AS delivered, sum(running) AS running, sum(dead) AS dead,
         min(CASE WHEN queued > 0 THEN (
           SELECT ready_at FROM tasks WHERE tasks.lane = task_lanes.lane AND state = 'queued'
           ORDER BY ready_at LIMIT 1) END) AS oldestAt
  FROM task_queues CROSS JOIN task_lanes USING (queue)
  WHERE ${filter}
  GROUP BY queue
  HAVING sum(blocked + queued + waiting + delivered + running + dead) > 0
  ORDER BY tenant, agent_id, task_queues.task_type`;

const COUNTS = countsWhere('TRUE');

const COUNTS_OF_TENANT = countsWhere('tenant = :tenant');
