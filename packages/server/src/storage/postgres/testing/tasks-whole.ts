import assert from 'node:assert/strict';
import { onDatabase } from './kit.ts';

/**
 * What must agree within the tables of tasks, whatever the history: what is counted with what there
 * is, a lane with the tasks in it, and the parts of a task with its row.
 */
export async function assertTasksWhole(schema: string): Promise<void> {
  await onDatabase(async (client) => {
    await client.query(`SET search_path TO ${schema}`);
    for (const [what, sql] of Object.entries(HALVES)) {
      const { rows } = await client.query(sql);
      assert.deepEqual(rows, [], what);
    }
  });
}

const COUNTED = ['blocked', 'queued', 'waiting', 'delivered', 'running', 'dead'];

/** Each finds nothing in a store that is whole. */
const HALVES: Readonly<Record<string, string>> = {
  'lanes that count other tasks than they hold': `
    SELECT lane FROM task_lanes LEFT JOIN (
      SELECT lane, ${COUNTED.map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')}
      FROM tasks GROUP BY lane) AS held USING (lane)
    WHERE ${COUNTED.map((state) => `task_lanes.${state} <> coalesce(held.${state}, 0)`).join(' OR ')}`,
  'living tasks that stand in no lane of theirs': `
    SELECT seq FROM tasks WHERE ended_at IS NULL AND NOT EXISTS (
      SELECT 1 FROM task_lanes JOIN task_queues USING (queue)
      WHERE task_lanes.lane = tasks.lane AND task_lanes.queue = tasks.queue
        AND task_queues.tenant = tasks.tenant AND task_lanes.priority = tasks.priority
        AND task_lanes.task_type = tasks.task_type AND task_lanes.grp = coalesce(tasks.grp, '')
        AND task_lanes.home = coalesce(tasks.home, '')
        AND task_queues.agent_id = coalesce(tasks.agent_id, '')
        AND task_queues.task_type = CASE WHEN tasks.agent_id IS NULL THEN tasks.task_type ELSE '' END)`,
  'tasks without a payload': `
    SELECT seq FROM tasks WHERE seq NOT IN (SELECT seq FROM task_payloads)`,
  'tasks whose last line of history is not their present state': `
    SELECT seq FROM tasks WHERE NOT EXISTS (
      SELECT 1 FROM task_history
      WHERE task_history.seq = tasks.seq AND task_history.version = tasks.version
        AND to_state = tasks.state AND task_history.epoch = tasks.epoch)`,
  'lines of history that do not follow each other': `
    SELECT later.seq, later.version FROM task_history AS later
    JOIN task_history AS earlier USING (seq)
    WHERE earlier.version = later.version - 1 AND later.from_state <> earlier.to_state`,
  'parts of tasks that are not there': ['payloads', 'results', 'history', 'orphans', 'edits']
    .map((part) => `SELECT seq FROM task_${part} WHERE seq NOT IN (SELECT seq FROM tasks)`)
    .join(' UNION ALL '),
  'more orphans than are kept': 'SELECT seq FROM task_orphans GROUP BY seq HAVING count(*) > 3',
  'succeeded tasks without a result': `
    SELECT seq FROM tasks WHERE state = 'succeeded' AND seq NOT IN (SELECT seq FROM task_results)`,
  'chains with blocked tasks and nobody before them': `
    SELECT DISTINCT tenant, chain FROM tasks AS behind WHERE state = 'blocked' AND NOT EXISTS (
      SELECT 1 FROM tasks WHERE tasks.tenant = behind.tenant AND tasks.chain = behind.chain
        AND (state IN ('queued', 'waiting', 'delivered', 'running')
          OR (state = 'dead' AND on_dead IS DISTINCT FROM 'skip')))`,
};
