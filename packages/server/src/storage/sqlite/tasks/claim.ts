import { byName, give, isAged, isAgedTurn } from '../../moves/claim.ts';
import { demandClaim } from '../../moves/demand.ts';
import { fromList, SELECT_TASK, toRow } from '../../moves/stored.ts';
import type { TaskRow, TasksStore } from '../../spi/tasks.ts';
import type { Database } from '../database.ts';
import type { Operation, Timed } from '../operation.ts';
import { shelfOn } from './shelf.ts';

type Claim = Timed<Parameters<TasksStore['claim']>[0]>;

/**
 * Takes one task after the other. Where to look is decided among the queue's lanes, a few rows; who
 * is next there is one descent of an index, or two where the round of callers begins anew. So a
 * claim costs by what it takes, whatever the queue holds.
 */
export const claim: Operation<TasksStore['claim']> = (db, move) => {
  demandClaim(move);
  const found = db.all<Lane & Queue>(LANES, { tenant: move.tenant, agentId: move.agentId });
  const [queue] = found;
  if (queue === undefined) return [];
  let lanes = found.filter((lane) => isServed(lane, move));
  const turns = JSON.parse(queue.turns) as Turns;
  const claimed: (TaskRow & { payload: string })[] = [];
  while (claimed.length < move.limit && lanes.length > 0) {
    const isAged = isAgedTurn(queue.taken + claimed.length + 1, move.fairness);
    const aged = isAged ? longestReady(db, lanes, move) : undefined;
    const pick = aged ?? nextInTurn(db, lanes, turns);
    claimed.push(take(db, pick.seq, move));
    pick.lane.queued -= 1;
    if (pick.lane.queued === 0) lanes = lanes.filter((lane) => lane !== pick.lane);
  }
  if (claimed.length > 0) {
    db.write(REMEMBER, queue.taken + claimed.length, JSON.stringify(turns), queue.queue);
  }
  return claimed;
};

interface Queue {
  queue: number;
  /** How many tasks were ever handed out. */
  taken: number;
  /** JSON of `Turns`. */
  turns: string;
}

/** Which caller was served last, by priority. */
type Turns = Record<number, string>;

interface Lane {
  lane: number;
  priority: number;
  group: string;
  taskType: string;
  home: string;
  queued: number;
}

interface Pick {
  seq: number;
  lane: Lane;
}

function isServed(lane: Lane, { groups, taskTypes, homes }: Claim): boolean {
  if (lane.group !== '' && groups !== undefined && !groups.includes(lane.group)) return false;
  if (taskTypes !== undefined && !taskTypes.includes(lane.taskType)) return false;
  return lane.home === '' || (homes?.includes(lane.home) ?? false);
}

/** Of the tasks that have waited too long for their priority, the one that was ready first. */
function longestReady(db: Database, lanes: Lane[], { fairness, now }: Claim): Pick | undefined {
  if (fairness === undefined || lanes[0]?.priority === 10) return undefined;
  let first: (Pick & { readyAt: number }) | undefined;
  for (const lane of lanes) {
    const oldest = db.first<{ seq: number; readyAt: number }>(OLDEST, lane.lane);
    if (oldest === undefined) continue;
    if (!isAged({ ...oldest, priority: lane.priority }, fairness, now)) continue;
    const isFirst =
      first === undefined ||
      oldest.readyAt < first.readyAt ||
      (oldest.readyAt === first.readyAt && oldest.seq < first.seq);
    if (isFirst) first = { ...oldest, lane };
  }
  return first;
}

/**
 * The next caller's oldest task, of the highest priority there is. The turns of a priority go round
 * through the names of its callers, from the one that was served last.
 */
function nextInTurn(db: Database, lanes: Lane[], turns: Turns): Pick {
  const priority = lanes[0]?.priority ?? 0;
  let next: (Turn & Pick) | undefined;
  for (const lane of lanes) {
    if (lane.priority !== priority) break;
    const found = db.first<Turn>(NEXT, lane.lane, turns[priority] ?? '', lane.lane);
    if (found !== undefined && (next === undefined || isBefore(found, next))) {
      next = { ...found, lane };
    }
  }
  if (next === undefined) throw new Error('a lane counts queued tasks that are not there');
  turns[priority] = next.principal;
  return next;
}

/** Whose turn it is in one lane. */
interface Turn {
  /** 1: the round of callers begins anew. */
  round: 0 | 1;
  principal: string;
  seq: number;
}

function isBefore(a: Turn, b: Turn): boolean {
  if (a.round !== b.round) return a.round < b.round;
  return (byName(a.principal, b.principal) || a.seq - b.seq) < 0;
}

function take(db: Database, seq: number, move: Claim) {
  const found = db.list(WITH_PAYLOAD, seq);
  if (found === undefined) throw new Error(`task ${seq} has no payload`);
  const task = fromList(found);
  give(shelfOn(db), task, move);
  return Object.assign(toRow(task), { payload: found.at(-1) as string });
}

/** With the queue's own facts in each row: they are few, and a second statement costs more. */
const LANES = `
  SELECT lane, priority, grp AS "group", task_lanes.task_type AS taskType, home, queued,
         queue, taken, turns
  FROM task_queues CROSS JOIN task_lanes USING (queue)
  WHERE tenant = :tenant AND agent_id = :agentId AND task_queues.task_type = '' AND queued > 0
  ORDER BY priority DESC, lane`;

const OLDEST = `
  SELECT seq, ready_at AS readyAt FROM tasks WHERE lane = ? AND state = 'queued'
  ORDER BY ready_at, seq LIMIT 1`;

/** The first caller after the last one, or else the first of all: LIMIT asks no further. */
const NEXT = `
  SELECT * FROM (
    SELECT 0 AS round, principal, seq FROM tasks
    WHERE lane = ? AND state = 'queued' AND principal > ? ORDER BY principal, seq LIMIT 1)
  UNION ALL
  SELECT * FROM (
    SELECT 1 AS round, principal, seq FROM tasks
    WHERE lane = ? AND state = 'queued' ORDER BY principal, seq LIMIT 1)
  LIMIT 1`;

const WITH_PAYLOAD = `
  ${SELECT_TASK}, task_payloads.body
  FROM tasks CROSS JOIN task_payloads USING (seq) WHERE tasks.seq = ?`;

const REMEMBER = 'UPDATE task_queues SET taken = ?, turns = ? WHERE queue = ?';
