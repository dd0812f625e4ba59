import { demandAtMost, demandNewTask, demandOneOf, demandWhole } from '../spi/demand.ts';
import type { TasksStore } from '../spi/tasks.ts';

type Move<Name extends keyof TasksStore> = Omit<Parameters<TasksStore[Name]>[0], 'now'>;

/** Of every method that takes more than names and words: what its arguments must be. */
export function demandSubmit(move: Move<'submit'>): void {
  demandAtMost('tasks', move.tasks.length, 1_000);
  demandWhole('pendingMax', move.pendingMax, 0);
  demandWhole('reserve', move.reserve, 0);
  for (const task of move.tasks) demandNewTask(task);
}

export function demandClaim(move: Move<'claim'>): void {
  demandWhole('limit', move.limit, 1, 100);
  demandWhole('leaseMs', move.leaseMs, 1);
  demandWhole('agingMs', move.fairness?.agingMs ?? 0, 0);
  demandWhole('agingEvery', move.fairness?.agingEvery ?? 1, 1);
}

export function demandLease(move: { leaseMs: number }): void {
  demandWhole('leaseMs', move.leaseMs, 1);
}

export function demandExtend(move: Move<'extend'>): void {
  demandLease(move);
  demandAtMost('leases', move.leases.length, 1_000);
}

export function demandProgress(move: Move<'progress'>): void {
  demandLease(move);
  if (!(move.percent >= 0 && move.percent <= 100)) throw new RangeError('percent is 0 to 100');
}

export function demandSettle({ settlement }: Move<'settle'>): void {
  if ('delayMs' in settlement) demandWhole('delayMs', settlement.delayMs ?? 0, 0);
}

export function demandExpire(move: Move<'expire'>): void {
  demandLimit(move);
  demandWhole('deliveriesMax', move.deliveriesMax, 1);
  for (const delayMs of move.delaysMs) demandWhole('delaysMs', delayMs, 0);
  demandOneOf('whenSpent', move.whenSpent, ['dead', 'failed']);
}

export function demandLimit(move: { limit: number }): void {
  demandWhole('limit', move.limit, 1);
}

export function demandBind(move: Move<'bind'>): void {
  demandAtMost('tasks', move.tasks.length, 1_000);
  for (const { effect } of move.tasks) demandOneOf('effect', effect, EFFECTS);
}

export function demandHasten(move: Move<'hasten'>): void {
  demandWhole('delayMs', move.delayMs, 0);
}

export function demandRedrive(move: Move<'redrive'>): void {
  demandWhole('deadlineMs', move.deadlineMs ?? 0, 0);
}

export function demandList(query: Move<'list'>): void {
  demandWhole('limit', query.limit, 1, 1_000);
}

const EFFECTS = ['read', 'idempotent_write', 'write'];
