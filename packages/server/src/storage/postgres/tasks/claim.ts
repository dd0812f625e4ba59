import { give, isAgedTurn } from '../../moves/claim.ts';
import { demandClaim } from '../../moves/demand.ts';
import { fromList, SELECT_TASK, toRow } from '../../moves/stored.ts';
import type { TaskRow, TasksStore } from '../../spi/tasks.ts';
import type { Operation } from '../operation.ts';
import type { Transaction, Value } from '../transaction.ts';
import { type Aged, type Candidate, pickInTurn } from './pick.ts';
import { TaskShelf } from './shelf.ts';

type Claim = Parameters<TasksStore['claim']>[0];

/**
 * Locks the queue, so that its callers take turns whoever claims; reads who may be next, as many as
 * it needs and no more, by the indexes of its lanes; decides in memory; then locks and gives what it
 * picked. So a claim costs by what it takes, whatever the queue holds. A queue with nothing for this
 * holder is not locked, and nothing is written.
 */
export const claim: Operation<TasksStore['claim']> = async (tx, move) => {
  demandClaim(move);
  const claimed: (TaskRow & { payload: string })[] = [];
  for (;;) {
    const limit = move.limit - claimed.length;
    const [[queue], now] = await Promise.all([lockQueue(tx, move), tx.clock(move.now)]);
    if (queue === undefined) return claimed;
    const [candidates, aged] = await candidatesOf(tx, { move, limit, taken: queue.taken });
    const { fairness } = move;
    const round = pickInTurn(candidates, aged, { limit, taken: queue.taken, fairness, now });
    const given = await giveAll(tx, round.picks, { ...move, now });
    if (round.picks.length > 0) remember(tx, queue, round);
    claimed.push(...given);
    // Who had more tasks than were read may have been the next in turn: look again. But not for
    // what is locked: it would be found and passed over until somebody else is done with it.
    if (!round.isCut || given.length < round.picks.length) return claimed;
  }
};

interface Queue {
  queue: number;
  /** How many tasks were ever handed out. */
  taken: number;
}

function lockQueue(tx: Transaction, move: Claim): Promise<Queue[]> {
  return tx.rows<Queue>(LOCK_QUEUE, servedBy(move));
}

async function candidatesOf(
  tx: Transaction,
  { move, limit, taken }: { move: Claim; limit: number; taken: number },
): Promise<[Candidate[], Aged[]]> {
  const turns = Array.from({ length: limit }, (_, n) => taken + n + 1);
  const agedTurns = turns.filter((n) => isAgedTurn(n, move.fairness)).length;
  return Promise.all([
    tx.rows<Candidate>(CANDIDATES, [...servedBy(move), limit]),
    agedTurns > 0 ? tx.rows<Aged>(AGED, [...servedBy(move), agedTurns]) : [],
  ]);
}

/** Gives what was picked and is not being moved by somebody else at this moment. */
async function giveAll(
  tx: Transaction,
  picks: readonly number[],
  move: Claim & { now: number },
): Promise<(TaskRow & { payload: string })[]> {
  if (picks.length === 0) return [];
  const found = await tx.lists(LOCK_PICKS, [picks]);
  const shelf = new TaskShelf();
  const payloads = new Map(found.map((list) => [fromList(list).seq, list.at(-1) as string]));
  shelf.hold(found.map(fromList));
  const given = picks.flatMap((seq) => {
    const task = shelf.at(seq);
    if (task === undefined) return [];
    give(shelf, task, move);
    return { ...toRow(task), payload: payloads.get(seq) ?? '' };
  });
  shelf.write(tx);
  return given;
}

function remember(
  tx: Transaction,
  { queue, taken }: Queue,
  { picks, turns }: ReturnType<typeof pickInTurn>,
): void {
  tx.put(REMEMBER, [queue, taken + picks.length]);
  if (turns.size === 0) return;
  tx.put(REMEMBER_TURNS, [queue, [...turns.keys()], [...turns.values()]]);
}

/** The parameters of `SERVED`. */
function servedBy({ tenant, agentId, groups, taskTypes, homes }: Claim): Value[] {
  return [tenant, agentId, groups ?? null, taskTypes ?? null, homes ?? []];
}

const SERVED = `
  task_lanes.queued > 0
  AND (grp = '' OR $3::text[] IS NULL OR grp = ANY ($3))
  AND ($4::text[] IS NULL OR task_lanes.task_type = ANY ($4))
  AND (home = '' OR home = ANY ($5::text[]))`;

const THE_QUEUE = `
  task_queues.tenant = $1 AND task_queues.agent_id = $2 AND task_queues.task_type = ''`;

const LOCK_QUEUE = `
  SELECT queue, taken FROM task_queues
  WHERE ${THE_QUEUE} AND EXISTS (
    SELECT 1 FROM task_lanes WHERE task_lanes.queue = task_queues.queue AND ${SERVED})
  FOR NO KEY UPDATE`;

const LANES = `
  SELECT lane, task_lanes.priority, queued, coalesce(task_turns.principal, '') AS last
  FROM task_queues JOIN task_lanes USING (queue)
  LEFT JOIN task_turns
    ON task_turns.queue = task_lanes.queue AND task_turns.priority = task_lanes.priority
  WHERE ${THE_QUEUE} AND ${SERVED}`;

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
  WITH lanes AS MATERIALIZED (${LANES}),
  served AS MATERIALIZED (
    SELECT lane, priority, last FROM lanes
    WHERE (SELECT coalesce(sum(urgent.queued), 0) FROM lanes AS urgent
           WHERE urgent.priority > lanes.priority) < $6)
  SELECT served.lane, served.priority, served.last, turn.principal, share.n AS share, next.seq
  FROM served
  CROSS JOIN LATERAL (
    WITH RECURSIVE
    ${callers('later', 'AND principal > served.last', '')},
    ${callers('earlier', 'AND principal <= served.last', 'AND principal <= served.last')}
    SELECT array_agg(principal) AS principals, count(*) AS n FROM (
      SELECT principal FROM (
        SELECT principal FROM later UNION ALL SELECT principal FROM earlier) AS round
      LIMIT $6) AS turns) AS found
  CROSS JOIN LATERAL (
    SELECT CASE WHEN found.n = 0 THEN 0 ELSE ceil($6::numeric / found.n)::bigint END AS n) AS share
  CROSS JOIN LATERAL unnest(found.principals) AS turn (principal)
  CROSS JOIN LATERAL (
    SELECT seq FROM tasks
    WHERE tasks.lane = served.lane AND state = 'queued' AND tasks.principal = turn.principal
    ORDER BY seq LIMIT share.n) AS next`;

const AGED = `
  WITH lanes AS MATERIALIZED (${LANES})
  SELECT oldest.seq, oldest.ready_at AS "readyAt", lanes.priority
  FROM lanes CROSS JOIN LATERAL (
    SELECT seq, ready_at FROM tasks WHERE tasks.lane = lanes.lane AND state = 'queued'
    ORDER BY ready_at, seq LIMIT $6) AS oldest`;

const LOCK_PICKS = `
  ${SELECT_TASK}, task_payloads.body
  FROM tasks JOIN task_payloads USING (seq)
  WHERE tasks.seq = ANY ($1::bigint[]) AND state = 'queued'
  FOR NO KEY UPDATE OF tasks SKIP LOCKED`;

const REMEMBER = 'UPDATE task_queues SET taken = $2 WHERE queue = $1';

const REMEMBER_TURNS = `
  INSERT INTO task_turns (queue, priority, principal)
  SELECT $1, turn.priority, turn.principal
  FROM unnest($2::bigint[], $3::text[]) AS turn (priority, principal)
  ON CONFLICT (queue, priority) DO UPDATE SET principal = excluded.principal`;
