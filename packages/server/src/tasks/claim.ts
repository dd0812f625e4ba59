import { type Asker, type Delivery, type Input, type Output, ReachError } from '@agent-reach/core';
import { Deadline } from '@agent-reach/core/kernel';
import { handOver } from '../pipeline/deliver.ts';
import { awayOf, demandHolder, groupsOf } from '../pipeline/plan.ts';
import type { TaskRow } from '../storage/spi/tasks.ts';
import { parkUndone, whyNotDone } from './granted.ts';
import { logTask, ready, told } from './news.ts';
import { agentName, type TaskRoom } from './room.ts';
import { hold, orderIn, remainingMs } from './work.ts';

const CREDITS = 1;

/**
 * Takes work for an agent. With `wait` the request is held until there is some: the seat is taken
 * before the first look, so that what comes between look and wait wakes it. Answers nothing when
 * the time is up, when the gateway stops, and when the asker has gone.
 */
export async function claim(
  input: Input<'tasks.claim'>,
  asker: Asker,
  room: TaskRoom,
): Promise<Output<'tasks.claim'>> {
  const at = { tenant: asker.tenant, agentId: input.agent_id };
  const waitMs = (input.wait ?? 0) * 1_000;
  const until = Deadline.in(room.clock, waitMs);
  using seat = waitMs > 0 ? room.takers.sit(agentName(at)) : undefined;
  for (;;) {
    const holder = await holderOf({ ...at, instanceId: input.instance_id }, room);
    if (!room.takers.isOpen) return { tasks: [] };
    room.seen({ ...at, instanceId: holder });
    const rows = await take(at, holder, input, room);
    if (rows.length > 0) {
      const tasks = await handOut(rows, holder, asker.signal, room);
      if (tasks.length > 0 || asker.signal.aborted) return { tasks };
      continue; // Nothing of it can be delivered: what stands behind it can.
    }
    if (seat === undefined || until.passed || asker.signal.aborted) return { tasks: [] };
    await seat.rest(Math.min(room.options.repollMs, until.remainingMs()), asker.signal);
    if (asker.signal.aborted) {
      room.takers.wake(agentName(at), 1); // The hint may have been for him; another shall look.
      return { tasks: [] };
    }
  }
}

/** Who claims: known here, or registered at another gateway a moment ago. */
async function holderOf(
  at: { tenant: string; agentId: string; instanceId: string | undefined },
  room: TaskRoom,
): Promise<string> {
  try {
    return demandHolder(at, room.road);
  } catch (error) {
    if (!ReachError.is(error) || error.code !== 'agent-not-found') throw error;
    await room.lookUp(at);
    return demandHolder(at, room.road);
  }
}

async function take(
  at: { tenant: string; agentId: string },
  holder: string,
  input: Input<'tasks.claim'>,
  room: TaskRoom,
): Promise<(TaskRow & { payload: string })[]> {
  const { ackTimeoutMs, agingMs, agingEvery } = room.options;
  const limit = input.credits ?? CREDITS;
  const groups = groupsOf({ ...at, instanceId: holder }, room.road);
  if (groups === undefined) return []; // Its weight is 0: it waits until somebody changes that.
  const rows = await room.store.claim({
    ...at,
    holder,
    groups,
    homes: [holder, ...awayOf(at, room.road)],
    ...(input.task_types === undefined ? {} : { taskTypes: input.task_types }),
    limit,
    leaseMs: ackTimeoutMs,
    fairness: { agingMs, agingEvery },
    now: room.now(),
  });
  for (const row of rows) told(row, 'queued', room);
  // A full basket says that there may be more: the next in line shall look.
  if (rows.length === limit && rows[0] !== undefined) ready(rows[0], room);
  return rows;
}

/**
 * Makes deliveries of what was taken. If the asker has left meanwhile all of it goes back at once,
 * unburnt; what cannot be read stays leased, and ends as a dead letter by its deliveries.
 */
async function handOut(
  rows: readonly (TaskRow & { payload: string })[],
  holder: string,
  signal: AbortSignal,
  room: TaskRoom,
): Promise<Delivery[]> {
  if (signal.aborted) {
    for (const row of rows) await giveBack(row, room);
    return [];
  }
  const deliveries: Delivery[] = [];
  for (const row of rows) {
    try {
      const why = whyNotDone(row, room);
      if (why !== undefined) {
        await parkUndone(row, why, room);
        continue;
      }
      deliveries.push(deliveryOf(row, holder, room));
      logTask('a task was delivered', row, room);
    } catch (error) {
      room.log.error({ err: error, task: row.taskId }, 'a task cannot be delivered');
    }
  }
  return deliveries;
}

/** Returns what nobody received. */
async function giveBack(row: TaskRow, room: TaskRoom): Promise<void> {
  const { tenant, taskId, epoch } = row;
  const settlement = { end: 'release', reason: 'its asker had left' } as const;
  const answer = await room.store.settle({ tenant, taskId, epoch, settlement, now: room.now() });
  if (answer.outcome === 'ok') told(answer.row, 'held', room);
}

function deliveryOf(row: TaskRow & { payload: string }, holder: string, room: TaskRoom): Delivery {
  const { run, lease } = hold(row, holder, room);
  const { call, sourceId } = orderIn(row);
  const place = { agentId: row.agentId ?? '', instanceId: holder, capability: row.taskType };
  const { traceparent, callToken } = handOver(run, place, room.road);
  const deadlineMs = remainingMs(row, room);
  return {
    task_id: row.taskId,
    task_type: row.taskType,
    kind: row.kind,
    payload: run.admission.envelope.params,
    lease,
    lease_ms: room.options.ackTimeoutMs,
    attempt: row.attempts + 1,
    ...(deadlineMs === undefined ? {} : { deadline_ms: deadlineMs }),
    trace_id: row.traceId,
    traceparent: call?.traceparent ?? traceparent,
    call_token: call?.callToken ?? callToken,
    caller: row.principal,
    idempotency_key: call?.idempotencyKey ?? row.taskId,
    ...(sourceId === undefined ? {} : { source_id: sourceId }),
  };
}
