import { fromList, SELECT_TASK, type Stored } from '../../moves/stored.ts';
import type { TaskRow, TasksStore } from '../../spi/tasks.ts';
import { columnsOf, rowsText } from '../bulk.ts';
import type { Transaction } from '../transaction.ts';
import { textArray, type Value } from '../values.ts';
import type { Aged, Candidate } from './pick.ts';

export type Claim = Parameters<TasksStore['claim']>[0];
export type Claimed = TaskRow & { payload: string };

/** A claim, and what it was given so far. */
export interface Order {
  claim: Claim;
  given: Claimed[];
}

/** What is asked of one queue. */
export interface Ask {
  orders: readonly Order[];
  /** The first of them: in what they take they are alike. */
  claim: Claim;
  /** How many tasks, for all of them. */
  limit: number;
}

/** A queue that is locked: the `nth` that was asked, and how many tasks it ever handed out. */
interface Queue {
  nth: number;
  queue: number;
  taken: number;
}

/** One text for the queue of a claim. */
export function queueOf({ tenant, agentId }: Claim): string {
  return JSON.stringify([tenant, agentId]);
}

/** One text for what a claim takes of its queue, and in which turns. */
export function tastesOf({ groups, taskTypes, homes, fairness }: Claim): string {
  return JSON.stringify([groups, taskTypes, homes, fairness]);
}

/** What was found, by the number of the ask. */
export interface Look {
  queues: Queue[];
  candidatesOf: ReadonlyMap<number, Candidate[]>;
  agedOf: ReadonlyMap<number, Aged[]>;
  now: number;
}

/** Locks the queues that have something for who asks, and reads who may be next in them. */
export async function lookFor(tx: Transaction, asks: readonly Ask[]): Promise<Look> {
  const asked = askedOf(asks);
  const isFair = asks.some(({ claim }) => claim.fairness !== undefined);
  const [queues, candidates, aged, now] = await Promise.all([
    tx.rows<Queue>(LOCK_QUEUES, asked),
    tx.rows<Candidate & { nth: number }>(CANDIDATES, asked),
    isFair ? tx.rows<Aged & { nth: number }>(AGED, asked) : [],
    tx.clock(asks[0]?.claim.now ?? 'store'),
  ]);
  return {
    queues,
    candidatesOf: Map.groupBy(candidates, ({ nth }) => nth),
    agedOf: Map.groupBy(aged, ({ nth }) => nth),
    now,
  };
}

/** Locks what was picked, unless somebody else is moving it, and reads it whole. */
export async function lockPicks(
  tx: Transaction,
  picks: readonly number[],
): Promise<{ tasks: Stored[]; payloads: ReadonlyMap<number, string> }> {
  const lists = await tx.lists(LOCK_PICKS, [picks]);
  const found = lists.map((list) => ({ task: fromList(list), body: list.at(-1) as string }));
  const queued = found.filter(({ task }) => task.state === 'queued');
  return {
    tasks: queued.map(({ task }) => task),
    payloads: new Map(queued.map(({ task, body }) => [task.seq, body])),
  };
}

function askedOf(asks: readonly Ask[]): Value[] {
  const rows = asks.map(({ claim, limit }) => ({
    tenant: claim.tenant,
    agent: claim.agentId,
    groups: claim.groups && textArray(claim.groups),
    types: claim.taskTypes && textArray(claim.taskTypes),
    homes: textArray(claim.homes ?? []),
    most: limit,
    agedEvery: claim.fairness?.agingEvery,
  }));
  return columnsOf(ASKED_COLUMNS, rows);
}

const ASKED_COLUMNS = {
  tenant: 'text',
  agent: 'text',
  groups: 'text',
  types: 'text',
  homes: 'text',
  most: 'bigint',
  agedEvery: 'bigint',
} as const;

const ASKED = rowsText(ASKED_COLUMNS, 'asked');

const THE_QUEUE = `
  task_queues.tenant = asked.tenant AND task_queues.agent_id = asked.agent
  AND task_queues.task_type = ''`;

const SERVED = `
  task_lanes.queued > 0
  AND (grp = '' OR asked.groups IS NULL OR grp = ANY (asked.groups::text[]))
  AND (asked.types IS NULL OR task_lanes.task_type = ANY (asked.types::text[]))
  AND (home = '' OR home = ANY (asked.homes::text[]))`;

const LOCK_QUEUES = `
  SELECT asked.nth, queue, taken FROM ${ASKED} JOIN task_queues ON ${THE_QUEUE}
  WHERE EXISTS (
    SELECT 1 FROM task_lanes WHERE task_lanes.queue = task_queues.queue AND ${SERVED})
  ORDER BY queue FOR NO KEY UPDATE OF task_queues`;

/** The lanes that who asks is served from. */
const LANES = `
  SELECT asked.nth, most, "agedEvery", taken, lane, task_lanes.priority,
         coalesce(task_turns.principal, '') AS last,
         coalesce(sum(queued) OVER (
           PARTITION BY asked.nth ORDER BY task_lanes.priority DESC
           GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS urgent
  FROM ${ASKED} JOIN task_queues ON ${THE_QUEUE} JOIN task_lanes USING (queue)
  LEFT JOIN task_turns
    ON task_turns.queue = task_lanes.queue AND task_turns.priority = task_lanes.priority
  WHERE ${SERVED}`;

/** The callers of a lane by name, a descent of the index each, from the first that fits. */
const callers = (name: string, first: string, each: string) => `
  ${name} (principal) AS (
    (SELECT principal FROM tasks WHERE tasks.lane = served.lane AND state = 'queued' ${first}
     ORDER BY principal LIMIT 1)
    UNION ALL
    SELECT after.principal FROM ${name} CROSS JOIN LATERAL (
      SELECT principal FROM tasks
      WHERE tasks.lane = served.lane AND state = 'queued' AND principal > ${name}.principal ${each}
      ORDER BY principal LIMIT 1) AS after)`;

/**
 * Of the lanes in which the next tasks can be (those after so many more urgent ones cannot), the
 * next callers, from the one after the last that was served, round to it; and of each caller as many
 * tasks as he gets if all have enough.
 */
const CANDIDATES = `
  WITH served AS MATERIALIZED (SELECT * FROM (${LANES}) AS lanes WHERE urgent < most)
  SELECT served.nth, served.lane, served.priority, served.last, turn.principal, share.n AS share,
         next.seq
  FROM served
  CROSS JOIN LATERAL (
    WITH RECURSIVE
    ${callers('later', 'AND principal > served.last', '')},
    ${callers('earlier', 'AND principal <= served.last', 'AND principal <= served.last')}
    SELECT array_agg(principal) AS principals, count(*) AS n FROM (
      SELECT principal FROM (
        SELECT principal FROM later UNION ALL SELECT principal FROM earlier) AS round
      LIMIT served.most) AS turns) AS found
  CROSS JOIN LATERAL (
    SELECT CASE WHEN found.n = 0 THEN 0 ELSE ceil(served.most::numeric / found.n)::bigint END AS n
  ) AS share
  CROSS JOIN LATERAL unnest(found.principals) AS turn (principal)
  CROSS JOIN LATERAL (
    SELECT seq FROM tasks
    WHERE tasks.lane = served.lane AND state = 'queued' AND tasks.principal = turn.principal
    ORDER BY seq LIMIT share.n) AS next`;

/** Those that have been ready longest: as many as the turns of this claim that are theirs. */
const AGED = `
  WITH lanes AS MATERIALIZED (${LANES})
  SELECT lanes.nth, oldest.seq, oldest.ready_at AS "readyAt", lanes.priority
  FROM lanes CROSS JOIN LATERAL (
    SELECT seq, ready_at FROM tasks WHERE tasks.lane = lanes.lane AND state = 'queued'
    ORDER BY ready_at, seq
    LIMIT coalesce((taken + most) / "agedEvery" - taken / "agedEvery", 0)) AS oldest`;

/** One by one, as in `NAMED_TASKS`; whether they are still queued is not for an index to say. */
const LOCK_PICKS = `
  ${SELECT_TASK}, (SELECT body FROM task_payloads WHERE task_payloads.seq = tasks.seq)
  FROM unnest($1::bigint[]) AS picked (seq) CROSS JOIN LATERAL (
    SELECT * FROM tasks WHERE tasks.seq = picked.seq LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED) AS tasks`;
