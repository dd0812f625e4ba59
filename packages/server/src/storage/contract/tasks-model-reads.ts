import { isTaskEnd } from '@agent-reach/core';
import type { QueueCounts, TaskName, TaskRow, TasksStore } from '../spi/tasks.ts';
import { byBytes, type Kept, type TasksModel } from './tasks-model.ts';
import { shown } from './tasks-model-holders.ts';

/** The questions. */
export type Reads = Pick<
  TasksStore,
  'get' | 'list' | 'history' | 'orphans' | 'edits' | 'ahead' | 'chainHead' | 'counts'
>;

export function reads(model: TasksModel): Reads {
  // The lists grow, what stands in them stays as it is.
  const partOf = <Part>(name: TaskName, part: (task: Kept) => Part[]): Part[] => {
    const task = model.find(name);
    return task === undefined ? [] : [...part(task)];
  };
  return {
    get: async (query) => {
      const task = model.find(query);
      if (task === undefined) return undefined;
      const row = { ...shown(task), payload: task.payload };
      return task.result === undefined ? row : { ...row, result: task.result };
    },
    list: async (query) =>
      model.tasks
        .filter(({ row }) => isListed(row, query))
        .toReversed()
        .slice(0, query.limit)
        .map(shown),
    history: async (query) => partOf(query, (task) => task.history),
    orphans: async (query) => partOf(query, (task) => task.orphans),
    edits: async (query) => partOf(query, (task) => task.edits),
    ahead: async (query) => {
      const own = model.find(query)?.row;
      if (own?.state !== 'queued') return undefined;
      const before = model.tasks.filter(({ row }) => isOfQueue(row, own) && standsBefore(row, own));
      return { tasks: before.length, atLeast: false };
    },
    chainHead: async ({ tenant, chain }) => {
      const isHead = (task: Kept) =>
        task.row.tenant === tenant && task.row.chain === chain && model.hasTurn(task);
      const head = model.tasks.find(isHead);
      return head && shown(head);
    },
    counts: async ({ tenant }) =>
      counts(
        model.tasks.map(({ row }) => row),
        tenant,
      ),
  };
}

function standsBefore(row: TaskRow, own: TaskRow): boolean {
  if (row.state !== 'queued' || row.priority < own.priority) return false;
  if (row.priority > own.priority) return true;
  const [since, ownSince] = [row.readyAt ?? 0, own.readyAt ?? 0];
  return since < ownSince || (since === ownSince && row.seq < own.seq);
}

function isListed(row: TaskRow, query: Parameters<TasksStore['list']>[0]): boolean {
  const { states, causes, agentId, before } = query;
  const alike = ['tenant', 'taskType', 'principal', 'traceId', 'parentId', 'chain'] as const;
  return (
    alike.every((part) => query[part] === undefined || query[part] === row[part]) &&
    (states?.includes(row.state) ?? true) &&
    (causes === undefined || (row.cause !== undefined && causes.includes(row.cause))) &&
    (agentId === undefined || agentId === (row.agentId ?? null)) &&
    (query.chainSeq === undefined || query.chainSeq === (row.chainSeq ?? 0)) &&
    (before === undefined || row.seq < before)
  );
}

type QueueName = Pick<TaskRow, 'tenant' | 'agentId' | 'taskType'>;

/** Whether a task stands in a queue: that of an agent, or of a type nobody offers. */
export function isOfQueue(row: TaskRow, { tenant, agentId, taskType }: QueueName): boolean {
  if (row.tenant !== tenant || row.agentId !== agentId) return false;
  return agentId !== undefined || row.taskType === taskType;
}

/** The figures of the queues in which these rows live. */
export function counts(rows: TaskRow[], tenant?: string): QueueCounts[] {
  const figures: QueueCounts[] = [];
  for (const row of rows) {
    if (isTaskEnd(row.state) || (tenant !== undefined && row.tenant !== tenant)) continue;
    let queue = figures.find((figure) => isOfQueue(row, figure as QueueName));
    if (queue === undefined) {
      const name =
        row.agentId === undefined ? { taskType: row.taskType } : { agentId: row.agentId };
      const none = { blocked: 0, queued: 0, waiting: 0, delivered: 0, running: 0, dead: 0 };
      queue = { tenant: row.tenant, ...name, ...none };
      figures.push(queue);
    }
    queue[row.state] += 1;
    const since = row.state === 'queued' ? (row.readyAt ?? 0) : Infinity;
    if (since < (queue.oldestAt ?? Infinity)) queue.oldestAt = since;
  }
  return figures.toSorted(
    (a, b) =>
      byBytes(a.tenant, b.tenant) ||
      byBytes(a.agentId ?? '', b.agentId ?? '') ||
      byBytes(a.taskType ?? '', b.taskType ?? ''),
  );
}
