import { isTaskEnd, type TaskState } from '@agent-reach/core/task-states';
import type { TaskRow } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';

/** What decides in which lane a task stands. */
export type Place = Pick<TaskRow, 'tenant' | 'taskType' | 'priority'> & {
  agentId: string | null;
  group: string | null;
  home: string | null;
};

/** A queue and, in it, a lane. */
export interface LaneName {
  queue: number;
  lane: number;
}

/** The states a lane counts: those that a task may still leave. */
export const COUNTED = [
  'blocked',
  'queued',
  'waiting',
  'delivered',
  'running',
  'dead',
] as const satisfies TaskState[];

/** A queue as whoever wants to join it sees it. */
export interface Fullness {
  /** Absent: there is none yet. */
  queue?: number;
  /** How many wait to be taken, in whatever way. */
  pending: number;
  /** How many of the queued ones are as urgent or more so. */
  ahead: number;
}

/** How full a queue is. */
export function fullnessOf(db: Database, place: Omit<Place, 'group' | 'home'>): Fullness {
  const { tenant, priority } = place;
  return db.first<Required<Fullness>>(FULLNESS, priority, tenant, ...queueParts(place)) ?? EMPTY;
}

/** The lane of a place, made if need be; `known` is its queue, if the caller has it. */
export function laneOf(db: Database, place: Place, known?: number): LaneName {
  const queue = known ?? findQueue(db, place) ?? makeQueue(db, place);
  const parts = [place.priority, place.group ?? '', place.taskType, place.home ?? ''] as const;
  const found = db.first<{ lane: number }>(FIND_LANE, queue, ...parts);
  return { queue, lane: found?.lane ?? db.insert(MAKE_LANE, queue, ...parts) };
}

/** Notes in the lane that one of its tasks changed its state; a newcomer comes from nowhere. */
export function recount(
  db: Database,
  lane: number,
  from: TaskState | undefined,
  to: TaskState | undefined,
): void {
  if (from !== to) db.write(recountText(from, to), lane);
}

type QueueName = Pick<Place, 'tenant' | 'agentId' | 'taskType'>;

/** A queue is an agent's, whatever the types, or else a type's. */
function queueParts({ agentId, taskType }: QueueName): [agentId: string, taskType: string] {
  return agentId === null ? ['', taskType] : [agentId, ''];
}

function findQueue(db: Database, place: QueueName): number | undefined {
  return db.first<{ queue: number }>(FIND_QUEUE, place.tenant, ...queueParts(place))?.queue;
}

function makeQueue(db: Database, place: QueueName): number {
  return db.insert(MAKE_QUEUE, place.tenant, ...queueParts(place));
}

const EMPTY: Fullness = { pending: 0, ahead: 0 };

const FIND_QUEUE = `
  SELECT queue FROM task_queues WHERE tenant = ? AND agent_id = ? AND task_type = ?`;

const MAKE_QUEUE = 'INSERT INTO task_queues (tenant, agent_id, task_type) VALUES (?, ?, ?)';

const FIND_LANE = `
  SELECT lane FROM task_lanes
  WHERE queue = ? AND priority = ? AND grp = ? AND task_type = ? AND home = ?`;

const MAKE_LANE = `
  INSERT INTO task_lanes (queue, priority, grp, task_type, home) VALUES (?, ?, ?, ?, ?)`;

const FULLNESS = `
  SELECT queue, total(blocked + queued + waiting) AS pending,
         total(iif(priority >= ?, queued, 0)) AS ahead
  FROM task_queues CROSS JOIN task_lanes USING (queue)
  WHERE tenant = ? AND agent_id = ? AND task_queues.task_type = ?
  HAVING queue IS NOT NULL`;

/** One text for each pair of states, made once: the statements are kept by their text. */
function recountText(from: TaskState | undefined, to: TaskState | undefined): string {
  const name = `${from} ${to}`;
  let text = recountTexts.get(name);
  if (text === undefined) {
    const less = from !== undefined && !isTaskEnd(from) ? [`${from} = ${from} - 1`] : [];
    const more = to !== undefined && !isTaskEnd(to) ? [`${to} = ${to} + 1`] : [];
    text = `UPDATE task_lanes SET ${[...less, ...more].join(', ')} WHERE lane = ?`;
    recountTexts.set(name, text);
  }
  return text;
}

const recountTexts = new Map<string, string>();
