import { isTaskEnd, TASK_STATES, type TaskState } from '@agent-reach/core/task-states';
import { SELECT_TASK, toRow } from '../../moves/stored.ts';
import { demandList } from '../../moves/demand.ts';
import type { TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import type { Value } from '../values.ts';
import { tasksOf } from './stored.ts';

type ListQuery = Parameters<TasksStore['list']>[0];

export const list: Operation<TasksStore['list']> = async (tx, query) => {
  demandList(query);
  const { text, values } = listText(query);
  return (await tasksOf(tx, text, values)).map(toRow);
};

/**
 * The text of a search, with only the filters that were asked for. States are words of it and not
 * parameters, so that the planner sees which of the indexes of one state it may take; which is the
 * narrowest it knows from its statistics.
 */
export function listText(query: ListQuery): { text: string; values: Value[] } {
  const filters: string[] = [];
  const values: Value[] = [];
  const where = (filter: string, value: Value | undefined) => {
    if (value === undefined) return;
    values.push(value);
    filters.push(filter.replaceAll('?', `$${values.length}`));
  };
  where('tasks.tenant = ?', query.tenant);
  if (query.states !== undefined) filters.push(...stateFilters(query.states));
  where('cause = ANY (?::text[])', query.causes);
  if (query.agentId === null) filters.push('agent_id IS NULL');
  else where('agent_id = ?', query.agentId);
  where('task_type = ?', query.taskType);
  where('principal = ?', query.principal);
  where('trace_id = ?', query.traceId);
  where('parent_id = ?', query.parentId);
  where('chain = ?', query.chain);
  where('coalesce(chain_seq, 0) = ?', query.chainSeq);
  where('seq < ?', query.before);
  values.push(query.limit);
  const text = `
    ${SELECT_TASK} FROM tasks WHERE ${filters.join(' AND ')}
    ORDER BY seq DESC LIMIT $${values.length}`;
  return { text, values };
}

/** With, to the letter, the condition of the index of what lives, where no end is asked for. */
function stateFilters(states: readonly TaskState[]): string[] {
  const words = TASK_STATES.filter((state) => states.includes(state)).map((state) => `'${state}'`);
  if (words.length === 0) return ['FALSE'];
  const filter = words.length === 1 ? `state = ${words[0]}` : `state IN (${words.join(', ')})`;
  return states.some(isTaskEnd) ? [filter] : [filter, 'ended_at IS NULL'];
}
