import { type Asker, type Input, ReachError, type TaskWhy } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import { agentPresence } from '../pipeline/plan.ts';
import { explainStored, planStored } from '../pipeline/plan-stored.ts';
import { mayRepeat } from '../resilience/retry.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { queueOf, standsStill } from './news.ts';
import { gapOf, gapWarning } from './order-gaps.ts';
import { gapSays } from './orders.ts';
import { demandTask } from './read.ts';
import type { TaskRoom } from './room.ts';
import { stalledSince } from './stalls.ts';
import { etaOf } from './ticket.ts';
import { sourceOf } from './view.ts';
import { orderOrNone, type StoredTask, workOf } from './work.ts';

/** Why a task is where it is, and what would move it: in sentences, the most telling first. */
export async function why(
  input: Input<'tasks.why'>,
  { tenant }: Asker,
  room: TaskRoom,
): Promise<TaskWhy> {
  const task = await demandTask({ tenant, taskId: input.task_id }, room);
  const says = [
    ...(await sentences(task, room)),
    ...(await order(task, room)),
    ...instead(task),
    ...deadline(task, room),
  ];
  const isWaiting = task.state === 'queued' || task.state === 'blocked' || task.state === 'waiting';
  return {
    task_id: task.taskId,
    status: task.state,
    says,
    ...(isWaiting ? { candidates: candidatesOf(task, room) } : {}),
  };
}

function sentences(task: StoredTask, room: TaskRoom): Promise<string[]> | string[] {
  switch (task.state) {
    case 'blocked':
      return blocked(task, room);
    case 'queued':
      return queued(task, room);
    case 'waiting':
      return [waiting(task, room), ...whoIsThere(task, room)];
    case 'delivered':
    case 'running':
      return held(task, room);
    case 'dead':
      return dead(task);
    case 'succeeded':
    case 'failed':
    case 'cancelled':
      return [ended(task)];
  }
}

/** What a missing task before it does, or did, to one of an order. */
async function order(task: StoredTask, room: TaskRoom): Promise<string[]> {
  if (gapOf(task) === undefined) return [];
  const warning = await gapWarning(task, await room.store.history(task), room);
  return warning === undefined ? gapSays(task, room) : [warning];
}

/** What a task stands in for. */
function instead(task: StoredTask): string[] {
  const of = orderOrNone(task)?.fallback?.of;
  if (of === undefined) return [];
  return [
    `${of} was asked for; ${task.taskType}, its fallback, does it instead and stays with it.`,
  ];
}

async function blocked(task: StoredTask, room: TaskRoom): Promise<string[]> {
  const { tenant, chain } = task;
  const head = chain === undefined ? undefined : await room.store.chainHead({ tenant, chain });
  if (head === undefined) return [`It waits for its turn among the tasks of source ${chain}.`];
  const source = sourceOf(task) ?? chain;
  const mend =
    head.state === 'dead'
      ? ' The source stands still until that one is redriven, cancelled or skipped.'
      : '';
  return [
    `Blocked by task ${head.taskId} of source ${source}, which is ${stateOf(head, room)}.${mend}`,
  ];
}

function stateOf(row: TaskRow, room: TaskRoom): string {
  if (row.state === 'running' || row.state === 'delivered') {
    return `${row.state}, held by ${row.holder} until ${iso(row.leaseEndsAt ?? room.clock.now())}`;
  }
  return row.cause === undefined ? row.state : `${row.state} (${row.cause})`;
}

async function queued(task: StoredTask, room: TaskRoom): Promise<string[]> {
  if (task.agentId === undefined) return [unbound(task, room)];
  const ahead = await room.store.ahead(task);
  const tasks = ahead?.tasks ?? 0;
  const count = `${tasks}${ahead?.atLeast === true ? ' or more' : ''}`;
  const place =
    tasks === 0
      ? `It is next in the queue of ${task.agentId}`
      : `${count} ${tasks === 1 ? 'task stands' : 'tasks stand'} before it in the queue of ${task.agentId}`;
  const eta = etaOf(task, tasks, room);
  const when =
    eta === undefined
      ? ''
      : `, delivery in about ${seconds(eta.p50Ms)} (9 times of 10 within ${seconds(eta.p90Ms)})`;
  const group = task.group === undefined ? [] : [`It is for version ${task.group}.`];
  return [
    `${place} (priority ${task.priority})${when}.`,
    ...group,
    ...came(task),
    ...whoIsThere(task, room),
  ];
}

/** How a task that had been away came back into its queue. */
function came(task: TaskRow): string[] {
  if (task.cause === undefined || task.reason === undefined) return [];
  return [`Last: ${task.cause}, ${clause(task.reason)}.`];
}

function unbound(task: StoredTask, room: TaskRoom): string {
  const goes = 'It waits unbound, and goes to the first who registers for it.';
  try {
    const plan = planStored(workOf(task, room), room.options.pushConcurrency, room.road);
    return `${plan.absence ?? `Somebody who offers ${task.taskType} is there now; it is bound within a second.`} ${goes}`;
  } catch (error) {
    return `${ReachError.from(error).message} ${goes}`;
  }
}

/** How the agent in whose queue it stands is doing. */
function whoIsThere(task: TaskRow, room: TaskRoom): string[] {
  const { tenant, agentId } = task;
  if (agentId === undefined) return [];
  const { isKnown, places, away } = agentPresence(
    { tenant, agentId },
    room.options.pushConcurrency,
    room.road,
  );
  const moves = `After ${seconds(room.options.moveAfterMs)} its tasks go to another who offers ${task.taskType}, if there is one.`;
  if (!isKnown) return [`${agentId} is no longer registered. ${moves}`];
  if (places.length === 0) {
    const reasons =
      away.length === 0 ? 'it has no instance' : away.slice(0, 5).map(clause).join('; ');
    return [`${agentId} is away: ${reasons}. ${moves}`];
  }
  const slots = places.reduce((sum, place) => sum + place.slots, 0);
  const says: string[] = [];
  const { held } = room.book.of(queueOf(task));
  if (held >= slots) says.push(`${agentId} has ${held} tasks in hand, and takes ${slots} at once.`);
  if (room.isPaused({ tenant, agentId })) {
    says.push(`${agentId} took nothing at the last try, and is left alone for a while.`);
  } else if (places.every(({ isPushed }) => !isPushed)) {
    says.push(`${agentId} comes for its work: the task leaves with its next claim.`);
  }
  return says;
}

function waiting(task: TaskRow, room: TaskRoom): string {
  const inTime = seconds(Math.max(0, (task.dueAt ?? 0) - room.clock.now()));
  const reason = task.reason === undefined ? '' : ` Last: ${clause(task.reason)}.`;
  if (task.attempts === 0) return `It starts in ${inTime}.${reason}`;
  const retry = `retry ${task.attempts} of ${task.attemptsMax - 1}`;
  return `It waits for ${retry}, in ${inTime}.${reason}`;
}

function held(task: TaskRow, room: TaskRoom): string[] {
  const ends = task.leaseEndsAt ?? room.clock.now();
  const left = seconds(Math.max(0, ends - room.clock.now()));
  const lease = `The lease is held by ${task.holder} of ${task.agentId} until ${iso(ends)}, in ${left}`;
  if (task.state === 'delivered') {
    return [
      `${lease}. There is no receipt yet; without one others may have it then (delivery ${task.deliveries}).`,
    ];
  }
  const again = mayRepeat(task.effect, true, 'unknown')
    ? 'Without a word until then it is run again.'
    : 'Without a word until then it waits for a decision: it may have run.';
  const { progress } = task;
  return [
    `${lease}; run ${task.attempts} of ${task.attemptsMax}. ${again}`,
    ...stalled(task, room),
    ...(progress === undefined
      ? []
      : [
          `It was ${progress.percent} % done at ${iso(progress.at)}${progress.note === undefined ? '' : `: ${progress.note}`}.`,
        ]),
  ];
}

function stalled(task: TaskRow, room: TaskRoom): string[] {
  const since = stalledSince(task, room);
  if (since === undefined) return [];
  const quiet = seconds(room.clock.now() - since);
  return [
    `It is stalled: its holder keeps the lease, but there has been no progress for ${quiet}. Cancel it if it hangs.`,
  ];
}

function dead(task: TaskRow): string[] {
  const why = task.reason === undefined ? '' : `: ${clause(task.reason)}`;
  const mend =
    task.cause === 'needs-decision'
      ? 'It may have run. Look at the target, then redrive or cancel it; a late result of its last holder still counts.'
      : 'Redrive it, with another payload if need be, or cancel it.';
  const behind = standsStill(task)
    ? [
        `The ordered tasks of source ${task.chain} stand still behind it; skip it to let them go on.`,
      ]
    : [];
  return [`It is parked after ${task.attempts} runs (${task.cause})${why}.`, mend, ...behind];
}

function ended(task: TaskRow): string {
  const why = task.reason === undefined ? '' : `: ${clause(task.reason)}`;
  const cause = task.cause === undefined ? '' : ` (${task.cause})`;
  return `It ${task.state === 'cancelled' ? 'was' : 'has'} ${task.state}${cause} at ${iso(task.endedAt ?? task.updatedAt)}${why}.`;
}

function deadline(task: TaskRow, room: TaskRoom): string[] {
  if (task.deadlineAt === undefined || task.endedAt !== undefined) return [];
  const left = task.deadlineAt - room.clock.now();
  return left < 0
    ? []
    : [`It fails at ${iso(task.deadlineAt)}, in ${seconds(left)}, unless it has ended.`];
}

function candidatesOf(task: StoredTask, room: TaskRoom) {
  try {
    return explainStored(workOf(task, room), room.road);
  } catch {
    return []; // An order that cannot be read has no candidates; its delivery will say so.
  }
}

function seconds(ms: number): string {
  return ms < 100_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 60_000)} min`;
}

function clause(sentence: string): string {
  return sentence.replace(/\.$/, '');
}
