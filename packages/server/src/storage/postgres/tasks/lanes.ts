import type { TaskState } from '@agent-reach/core/task-states';
import type { TaskRow } from '../../spi/tasks.ts';
import { type Columns, columnsOf, rowsText } from '../bulk.ts';
import { Raced } from '../failure.ts';
import type { Transaction } from '../transaction.ts';

/** What decides in which lane a task stands. */
export type Place = Pick<TaskRow, 'tenant' | 'taskType' | 'priority'> & {
  agentId?: string | null | undefined;
  group?: string | null | undefined;
  home?: string | null | undefined;
};

/** The states a lane counts: those that a task may still leave. */
const COUNTED = ['blocked', 'queued', 'waiting', 'delivered', 'running', 'dead'] as const;

/** By how much the counts of a lane change. */
export type LaneChange = Partial<Record<TaskState, number>>;

/** A lane as it was read, under the lock of its queue. */
export interface Lane {
  queue: number;
  lane: number;
  priority: number;
  blocked: number;
  queued: number;
  waiting: number;
}

/**
 * Queues that are locked for this transaction, and their lanes: nobody else puts a task there now,
 * nor takes a lane away.
 */
export class Lanes {
  readonly #queues = new Map<string, number>();
  readonly #lanes = new Map<string, Lane>();
  readonly #ofQueue = new Map<number, Lane[]>();

  /** Locks the queues of places that exist, and reads their lanes. */
  async find(tx: Transaction, places: readonly Place[]): Promise<void> {
    const names = columnsOf(QUEUE_COLUMNS, distinct(places.map(queueName), queueKey));
    const [queues, lanes] = await Promise.all([
      tx.rows<QueueName & { queue: number }>(LOCK_QUEUES, names),
      tx.rows<Lane & LaneName>(LANES, names),
    ]);
    for (const found of queues) this.#queues.set(queueKey(found), found.queue);
    for (const lane of lanes) this.#lanes.set(laneKey(lane.queue, lane), lane);
    for (const [queue, own] of Map.groupBy(lanes, (lane) => lane.queue)) {
      this.#ofQueue.set(queue, own);
    }
  }

  /** Makes what is missing of the queues and lanes of places, and locks it as well. */
  async make(tx: Transaction, places: readonly Place[]): Promise<void> {
    const missing = places.filter((place) => this.laneOf(place) === undefined);
    if (missing.length === 0) return;
    const names = distinct(missing.map(queueName), queueKey);
    tx.put(MAKE_QUEUES, columnsOf(QUEUE_COLUMNS, names));
    tx.put(MAKE_LANES, columnsOf(LANE_COLUMNS, missing.map(laneName)));
    await this.find(tx, missing);
    // Somebody who tidies up took an empty queue away just before it could be locked.
    if (missing.some((place) => this.laneOf(place) === undefined)) throw new Raced('a queue went');
  }

  laneOf(place: Place): Lane | undefined {
    const queue = this.#queues.get(queueKey(queueName(place)));
    return queue === undefined ? undefined : this.#lanes.get(laneKey(queue, laneName(place)));
  }

  /** The lanes of a place's queue. */
  around(place: Place): readonly Lane[] {
    const queue = this.#queues.get(queueKey(queueName(place)));
    return (queue !== undefined && this.#ofQueue.get(queue)) || [];
  }
}

/** Notes in lanes how many tasks changed their state; locks them in their order. */
export function saveLanes(tx: Transaction, changes: ReadonlyMap<number, LaneChange>): void {
  const rows = [...changes].map(([lane, change]) => ({ lane, ...change }));
  if (rows.length > 0) tx.put(RECOUNT, columnsOf(CHANGE_COLUMNS, rows));
}

interface QueueName {
  tenant: string;
  agent_id: string;
  task_type: string;
}

interface LaneName {
  priority: number;
  grp: string;
  lane_type: string;
  home: string;
}

/** A queue is an agent's, whatever the types, or else a type's. */
function queueName({ tenant, agentId, taskType }: Place): QueueName {
  const isBound = agentId !== null && agentId !== undefined;
  return { tenant, agent_id: isBound ? agentId : '', task_type: isBound ? '' : taskType };
}

function laneName(place: Place): QueueName & LaneName {
  return {
    ...queueName(place),
    priority: place.priority,
    grp: place.group ?? '',
    lane_type: place.taskType,
    home: place.home ?? '',
  };
}

function queueKey({ tenant, agent_id, task_type }: QueueName): string {
  return JSON.stringify([tenant, agent_id, task_type]);
}

function laneKey(queue: number, { priority, grp, lane_type, home }: LaneName): string {
  return JSON.stringify([queue, priority, grp, lane_type, home]);
}

function distinct<Item>(items: readonly Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}

const QUEUE_COLUMNS: Columns<QueueName> = { tenant: 'text', agent_id: 'text', task_type: 'text' };

const LANE_COLUMNS: Columns<QueueName & LaneName> = {
  ...QUEUE_COLUMNS,
  priority: 'bigint',
  grp: 'text',
  lane_type: 'text',
  home: 'text',
};

const QUEUE_NAMED = `
  task_queues.tenant = named.tenant AND task_queues.agent_id = named.agent_id
  AND task_queues.task_type = named.task_type`;

const LOCK_QUEUES = `
  SELECT task_queues.queue, task_queues.tenant, task_queues.agent_id, task_queues.task_type
  FROM ${rowsText(QUEUE_COLUMNS, 'named')} JOIN task_queues ON ${QUEUE_NAMED}
  ORDER BY task_queues.queue FOR NO KEY UPDATE OF task_queues`;

const LANES = `
  SELECT task_lanes.queue, lane, priority, grp, task_lanes.task_type AS lane_type, home,
         blocked, queued, waiting
  FROM ${rowsText(QUEUE_COLUMNS, 'named')} JOIN task_queues ON ${QUEUE_NAMED}
  JOIN task_lanes ON task_lanes.queue = task_queues.queue`;

const MAKE_QUEUES = `
  INSERT INTO task_queues (tenant, agent_id, task_type)
  SELECT tenant, agent_id, task_type FROM ${rowsText(QUEUE_COLUMNS, 'named')}
  WHERE NOT EXISTS (SELECT 1 FROM task_queues WHERE ${QUEUE_NAMED})
  ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING`;

const MAKE_LANES = `
  INSERT INTO task_lanes (queue, priority, grp, task_type, home)
  SELECT DISTINCT queue, priority, grp, lane_type, home
  FROM ${rowsText(LANE_COLUMNS, 'named')} JOIN task_queues ON ${QUEUE_NAMED}
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT DO NOTHING`;

const CHANGE_COLUMNS: Columns<LaneChange & { lane: number }> = {
  lane: 'bigint',
  ...Object.fromEntries(COUNTED.map((state) => [state, 'bigint'])),
} as Columns<LaneChange & { lane: number }>;

const RECOUNT = `
  WITH changes AS MATERIALIZED (SELECT * FROM ${rowsText(CHANGE_COLUMNS)}),
  locked AS MATERIALIZED (
    SELECT task_lanes.lane FROM changes JOIN task_lanes USING (lane)
    ORDER BY task_lanes.lane FOR NO KEY UPDATE OF task_lanes)
  UPDATE task_lanes
  SET ${COUNTED.map((state) => `${state} = task_lanes.${state} + coalesce(changes.${state}, 0)`).join(', ')}
  FROM changes JOIN locked USING (lane) WHERE task_lanes.lane = changes.lane`;
