import {
  type Asker,
  type HolderAnswer,
  type Input,
  type LeaseState,
  type Output,
  ReachError,
} from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { HolderOutcome, LeaseName, LeaseOutcome, TaskRow } from '../storage/spi/tasks.ts';
import { type Presented, parseLease, readLease } from './lease-token.ts';
import { logTask } from './news.ts';
import type { TaskRoom } from './room.ts';

type Word = { task_id: string; lease: string };

/**
 * The lease by which a holder speaks. Throws `lease-lost` for one that is not for this task, and
 * `permission-denied` to a client that is bound to another agent than the one that holds it.
 */
export async function demandLease(
  input: Word,
  { tenant, client }: Asker,
  room: TaskRoom,
): Promise<Presented> {
  const at = { tenant, pointer: '#/lease' };
  const lease = readLease(input.lease, at, room.road.policy.tokenKey);
  if (lease.isOurs && lease.taskId === input.task_id) {
    if (await mayHold(lease, client, room)) return lease;
    const detail = `The credential is that of ${client?.actsAs}, and the lease is another agent's.`;
    throw new ReachError('permission-denied', detail);
  }
  throw new ReachError('lease-lost', `The lease is not one for task ${input.task_id}.`, {
    executed: 'no',
    task_id: input.task_id,
  });
}

/**
 * Whether a client may speak under a lease: one that is bound to an agent, under those of its agent
 * alone. A lease that is no longer the present one says nothing of who holds the task now.
 */
async function mayHold(
  lease: Presented,
  client: Asker['client'],
  room: TaskRoom,
): Promise<boolean> {
  if (client?.actsAs === undefined) return true;
  const row = room.holds.of(lease)?.row ?? (await room.store.get(lease));
  return row?.epoch !== lease.epoch || row.agentId === client.actsAs;
}

/** The move of a lease, as the store takes it. */
export function leaseName({ tenant, taskId, epoch }: Presented): LeaseName {
  return { tenant, taskId, epoch };
}

/** The receipt: received and started. */
export async function ack(
  input: Input<'tasks.ack'>,
  asker: Asker,
  room: TaskRoom,
): Promise<HolderAnswer> {
  const lease = await demandLease(input, asker, room);
  const leaseMs = room.options.runLeaseMs;
  const move = { ...leaseName(lease), leaseMs, now: room.now() };
  const row = demandHeld(await room.store.ack(move), lease);
  if (row.outcome === 'ok') logTask('a task was started', row.row, room);
  return answerOf(row, leaseMs);
}

/** How far the work is. */
export async function progress(
  input: Input<'tasks.progress'>,
  asker: Asker,
  room: TaskRoom,
): Promise<HolderAnswer> {
  const lease = await demandLease(input, asker, room);
  const leaseMs = room.options.runLeaseMs;
  const told = await room.store.progress({
    ...leaseName(lease),
    percent: input.percent,
    ...(input.note === undefined ? {} : { note: input.note }),
    leaseMs,
    now: room.now(),
  });
  return answerOf(demandHeld(told, lease), leaseMs);
}

/** Keeps leases alive, those that can be; each is judged by itself. */
export async function extend(
  input: Input<'tasks.extend'>,
  { tenant, client }: Asker,
  room: TaskRoom,
): Promise<Output<'tasks.extend'>> {
  const leases = input.leases.map((token) => parseLease(token, tenant, room.road.policy.tokenKey));
  const ours: Presented[] = [];
  for (const lease of leases) {
    if (lease?.isOurs === true && (await mayHold(lease, client, room))) ours.push(lease);
  }
  const leaseMs = room.options.runLeaseMs;
  const outcomes =
    ours.length === 0
      ? []
      : await room.store.extend({ leases: ours.map(leaseName), leaseMs, now: room.now() });
  const told = outcomes.values();
  return {
    lease_ms: leaseMs,
    leases: leases.map((lease) => {
      if (lease === undefined) return { outcome: 'invalid' };
      const { taskId: task_id } = lease;
      if (!ours.includes(lease)) return { task_id, outcome: 'lost' };
      return { task_id, ...leaseState(told.next().value ?? { outcome: 'unknown' }) };
    }),
  };
}

function leaseState(answer: LeaseOutcome): Omit<LeaseState, 'task_id'> {
  if (answer.outcome === 'unknown') return { outcome: 'lost' };
  const { state: status } = answer;
  if (answer.outcome === 'ok') return { outcome: 'kept', status };
  if (status === 'cancelled') return { outcome: 'cancelled', status };
  return { outcome: answer.outcome === 'ended' ? 'ended' : 'lost', status };
}

type Told = Exclude<HolderOutcome, { outcome: 'unknown' | 'stale' | 'lost' }>;

/** What a holder's word came to. Throws `task-not-found`, and `lease-lost` when others have it. */
export function demandHeld(answer: HolderOutcome, lease: Presented): Told {
  switch (answer.outcome) {
    case 'unknown':
      throw taskNotFound(lease.taskId);
    case 'stale':
    case 'lost':
      throw leaseLost(answer.row);
    case 'ok':
    case 'late_ok':
    case 'ended':
      return answer;
  }
}

export function answerOf({ outcome, row }: Told, leaseMs?: number): HolderAnswer {
  return {
    task_id: row.taskId,
    outcome,
    status: row.state,
    ...(outcome === 'ok' && leaseMs !== undefined ? { lease_ms: leaseMs } : {}),
  };
}

/** The error of a task nobody knows. */
export function taskNotFound(taskId: string): ReachError {
  return new ReachError('task-not-found', `No task is called ${taskId}.`, { task_id: taskId });
}

function leaseLost(row: TaskRow): ReachError {
  return new ReachError('lease-lost', `${whereItIs(row)} Stop the work; its result is not taken.`, {
    task_id: row.taskId,
    task_status: row.state,
    ...(row.cause === undefined ? {} : { cause: row.cause }),
  });
}

function whereItIs(row: TaskRow): string {
  switch (row.state) {
    case 'delivered':
    case 'running':
      return `Task ${row.taskId} was given to ${row.holder ?? 'another'} at ${iso(row.updatedAt)}.`;
    case 'blocked':
    case 'queued':
    case 'waiting':
      return `The lease on task ${row.taskId} had lapsed, and it stands in a queue again.`;
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'dead':
      return `Task ${row.taskId} is ${row.state}${row.cause === undefined ? '' : ` (${row.cause})`}.`;
  }
}
