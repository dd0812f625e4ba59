import { isTaskEnd, TASK_LEASED, type TaskState } from '@agent-reach/core/task-states';
import { demandList } from '../../moves/demand.ts';
import { SELECT_TASK, toRow } from '../../moves/stored.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import { tasksOf } from './stored.ts';

type ListQuery = Parameters<TasksStore['list']>[0];

export const list: Operation<TasksStore['list']> = (db, query) => {
  demandList(query);
  const values = {
    ...query,
    states: JSON.stringify(query.states ?? []),
    causes: JSON.stringify(query.causes ?? []),
  };
  return tasksOf(db, listText(query), values).map(toRow);
};

/**
 * The text of a search: SQLite sees only the filters that were asked for. Few tasks are held, wait,
 * are dead, live in one queue or are of one chain: these are found through their index, and sorted
 * if need be. Else a parent's are walked through, or all, newest first, until enough are found.
 */
export function listText(query: ListQuery): string {
  const index = indexOf(query);
  const filters = [...stateFilters(query.states)];
  // The plus keeps SQLite from the index of names, which knows all of a tenant's, but in no order.
  const isOrdered =
    query.parentId !== undefined || query.chain !== undefined || index === 'tasks_dead';
  filters.push(`${isOrdered ? '' : '+'}tasks.tenant = :tenant`);
  if (index === 'tasks_living') filters.push('ended_at IS NULL', `tasks.queue IN (${QUEUES})`);
  if (query.agentId === null) filters.push('tasks.agent_id IS NULL');
  else if (query.agentId !== undefined) filters.push('tasks.agent_id = :agentId');
  if (query.causes !== undefined) filters.push(among('tasks.cause', ':causes'));
  if (query.taskType !== undefined) filters.push('tasks.task_type = :taskType');
  if (query.principal !== undefined) filters.push('tasks.principal = :principal');
  if (query.chain !== undefined) filters.push('tasks.chain = :chain', 'tasks.chain IS NOT NULL');
  if (query.chainSeq !== undefined) filters.push('coalesce(tasks.chain_seq, 0) = :chainSeq');
  if (query.parentId !== undefined) filters.push('tasks.parent_id = :parentId');
  if (query.before !== undefined) filters.push('tasks.seq < :before');
  if (query.traceId !== undefined) filters.push(`tasks.seq IN (${OF_TRACE})`);
  const by = index === undefined ? '' : `INDEXED BY ${index}`;
  return `
    ${SELECT_TASK} FROM tasks ${by} WHERE ${filters.join(' AND ')}
    ORDER BY tasks.seq DESC LIMIT :limit`;
}

/** The index to go by, where SQLite, which keeps no statistics, would not see that it is small. */
function indexOf({ states, agentId, chain }: ListQuery): string | undefined {
  if (chain !== undefined) return states?.join() === 'blocked' ? 'tasks_blocked' : 'tasks_places';
  if (states === undefined || states.length === 0) return undefined;
  if (areAll(states, TASK_LEASED)) return 'tasks_leased';
  if (agentId !== undefined && !states.some(isTaskEnd)) return 'tasks_living';
  if (areAll(states, ['waiting'])) return 'tasks_due';
  return areAll(states, ['dead']) ? 'tasks_dead' : undefined;
}

/** With, to the letter, the condition of the index that holds these states alone. */
function stateFilters(states: readonly TaskState[] | undefined): string[] {
  if (states === undefined) return [];
  const filter = among('tasks.state', ':states');
  if (states.length === 0) return [filter];
  if (areAll(states, TASK_LEASED)) return ["state IN ('delivered', 'running')", filter];
  if (areAll(states, ['waiting'])) return ["state = 'waiting'"];
  if (areAll(states, ['blocked'])) return ["state = 'blocked'"];
  return areAll(states, ['dead']) ? ["state = 'dead'"] : [filter];
}

function areAll(states: readonly TaskState[], these: readonly TaskState[]): boolean {
  return states.every((state) => these.includes(state));
}

function among(column: string, values: string): string {
  return `${column} IN (SELECT value FROM json_each(${values}))`;
}

/** An agent's queue, or, of what is unbound, that of every type. */
const QUEUES = `
  SELECT queue FROM task_queues WHERE tenant = :tenant AND agent_id = coalesce(:agentId, '')`;

/** Block by block, as the traces are searched. */
const OF_TRACE = `
  SELECT traced.seq FROM (
    WITH RECURSIVE blocks (block) AS (
      SELECT max(seq) >> 11 FROM tasks
      UNION ALL
      SELECT block - 1 FROM blocks WHERE block > (SELECT min(seq) >> 11 FROM tasks)
    )
    SELECT block FROM blocks
  )
  CROSS JOIN tasks AS traced ON traced.seq >> 11 = block AND traced.trace_id = :traceId`;
