import {
  isTaskEnd,
  isTaskLeased,
  moveTask,
  type TaskCause,
  type TaskState,
} from '@agent-reach/core';
import type { KeyRecord } from '../spi/ledger.ts';
import type {
  EditRow,
  Fairness,
  HistoryRow,
  LeaseName,
  OrphanRow,
  TaskName,
  TaskRow,
  WhenSpent,
} from '../spi/tasks.ts';

/** A task of the model, with all that hangs on it. */
export interface Kept {
  row: TaskRow;
  payload: string;
  result?: string;
  key?: { name: string; until: number };
  history: HistoryRow[];
  orphans: OrphanRow[];
  edits: EditRow[];
}

/** Why a task of the model moves. */
interface Why {
  to: TaskState;
  cause: TaskCause;
  now: number;
  by?: string | undefined;
  reason?: string | undefined;
}

/**
 * The store of tasks as its docstrings tell it: one list, no index, every question a walk through
 * the whole of it. What a driver must get right stands here in as few words as there are; a driver
 * is right when no history tells it from this. `tasks-model-store.ts` makes a store of it.
 *
 * The rules are methods of their own, so that a test can plant a fault in one of them and demand
 * that the histories find it (`tasks-faults.ts`).
 */
export class TasksModel {
  /** In the order they were stored. */
  tasks: Kept[] = [];
  readonly keys = new Map<string, KeyRecord>();
  /** By tenant and agent: how many tasks were handed out, and who was served last, by priority. */
  readonly queues = new Map<string, { taken: number; turns: Map<number, string> }>();

  // ── Rules ──────────────────────────────────────────────────────────────────────────────────────

  isCurrent({ row }: Kept, epoch: number): boolean {
    return row.epoch === epoch;
  }

  /** Whether its last holder may still bring a verdict, though he lost the lease. */
  isOpenToLate({ row }: Kept): boolean {
    return ['queued', 'waiting', 'dead'].includes(row.state) && row.holder !== undefined;
  }

  /** Whether nothing may happen to it any more. */
  isOver({ row }: Kept): boolean {
    return isTaskEnd(row.state);
  }

  /** Whether nothing happened to it since it was of `version`; undefined: nobody asks. */
  isAsSeen({ row }: Kept, version: number | undefined): boolean {
    return version === undefined || row.version === version;
  }

  /** Whether it is parked when its runs are spent. */
  isKept({ row }: Kept, whenSpent: WhenSpent | undefined): boolean {
    return row.kind !== 'call' && whenSpent !== 'failed';
  }

  demandLegal(from: TaskState, { cause, to }: Why): void {
    if (moveTask(from, cause) !== to) throw new Error(`the model moves ${from} ${cause} ${to}`);
  }

  hasTurn({ row }: Kept): boolean {
    if (row.state === 'dead') return row.onDead !== 'skip';
    return row.state !== 'blocked' && !isTaskEnd(row.state);
  }

  overtakes(task: Kept, holder: Kept): boolean {
    const { state, deliveries, attempts } = holder.row;
    const isUntouched = ['queued', 'waiting'].includes(state) && deliveries + attempts === 0;
    return isUntouched && byChain(task, holder) < 0;
  }

  /** The next of those who may be claimed. */
  nextInTurn(ready: Kept[], turns: Map<number, string>): Kept | undefined {
    const urgent = ready.filter(({ row }) => row.priority === this.highest(ready));
    const last = turns.get(urgent[0]?.row.priority ?? 0);
    const isLater = ({ row }: Kept) => last !== undefined && this.byName(row.principal, last) > 0;
    const later = urgent.filter(isLater);
    const byPrincipal = (a: Kept, b: Kept) =>
      this.byName(a.row.principal, b.row.principal) || bySeq(a, b);
    const [next] = (later.length > 0 ? later : urgent).toSorted(byPrincipal);
    if (next !== undefined) turns.set(next.row.priority, next.row.principal);
    return next;
  }

  highest(ready: Kept[]): number {
    return Math.max(...ready.map(({ row }) => row.priority));
  }

  byName(a: string, b: string): number {
    return byBytes(a, b);
  }

  isAged({ row }: Kept, { agingMs }: Fairness, now: number): boolean {
    return now - (row.readyAt ?? now) > agingMs * (10 - row.priority);
  }

  burnNothing({ row }: Kept): void {
    row.deliveries -= 1;
    if (row.state === 'running') row.attempts -= 1;
  }

  lapsed(now: number, limit: number): Kept[] {
    return this.tasks
      .filter(({ row }) => isTaskLeased(row.state) && (row.leaseEndsAt ?? 0) <= now)
      .toSorted((a, b) => (a.row.leaseEndsAt ?? 0) - (b.row.leaseEndsAt ?? 0) || bySeq(a, b))
      .slice(0, limit);
  }

  overdue(now: number, limit: number): Kept[] {
    const isOver = ({ row }: Kept) => row.deadlineAt !== undefined && row.deadlineAt <= now;
    return this.tasks
      .filter((task) => isOver(task) && task.row.state !== 'dead' && !isTaskEnd(task.row.state))
      .toSorted((a, b) => (a.row.deadlineAt ?? 0) - (b.row.deadlineAt ?? 0) || bySeq(a, b))
      .slice(0, limit);
  }

  lengthen({ row }: Kept, until: number): void {
    row.leaseEndsAt = Math.max(row.leaseEndsAt ?? 0, until);
  }

  takeAway({ row }: Kept): void {
    row.epoch += 1;
  }

  keepOrphan(task: Kept, lease: LeaseName, { result, at }: { result: string; at: number }): void {
    const given = task.history.find(
      ({ cause, epoch }) => cause === 'claimed' && epoch === lease.epoch,
    );
    if (given?.holder === undefined) return;
    const others = task.orphans.filter(({ epoch }) => epoch !== lease.epoch);
    task.orphans = [...others, { epoch: lease.epoch, holder: given.holder, result, at }]
      .toSorted((a, b) => b.at - a.at || b.epoch - a.epoch)
      .slice(0, 3);
  }

  // ── Moves ──────────────────────────────────────────────────────────────────────────────────────

  find({ tenant, taskId }: TaskName): Kept | undefined {
    return this.tasks.find(({ row }) => row.tenant === tenant && row.taskId === taskId);
  }

  /** Answers the chain's next task, if this one's end gave it its turn. */
  move(task: Kept, why: Why): Kept | undefined {
    const { to, cause, now, by, reason } = why;
    const { row } = task;
    const from = row.state;
    this.demandLegal(from, why);
    const hadTurn = this.hasTurn(task);
    row.state = to;
    row.cause = cause;
    if (reason === undefined) delete row.reason;
    else row.reason = reason;
    if (!isTaskLeased(to)) delete row.leaseEndsAt;
    if (to !== 'waiting' && to !== 'blocked') delete row.dueAt;
    if (to === 'blocked') delete row.readyAt;
    if (isTaskEnd(to)) row.endedAt = now;
    this.note(task, { from, cause, now, by, reason });
    const passes = hadTurn && to !== 'blocked' && !this.hasTurn(task);
    return passes ? this.passTurn(row, now) : undefined;
  }

  note(
    task: Kept,
    line: { from?: TaskState; cause: HistoryRow['cause'] } & Omit<Why, 'to' | 'cause'>,
  ) {
    const { row, history } = task;
    const { now, ...facts } = line;
    row.version += 1;
    row.updatedAt = now;
    const place = { to: row.state, epoch: row.epoch, holder: row.holder };
    const agentId = line.cause === 'bound' ? row.agentId : undefined;
    history.push(compact({ ...facts, version: row.version, at: now, ...place, agentId }));
    const [first, ...others] = history;
    task.history = first === undefined ? [] : [first, ...others.slice(-255)];
  }

  passTurn({ tenant, chain }: Pick<TaskRow, 'tenant' | 'chain'>, now: number): Kept | undefined {
    const isOfChain = ({ row }: Kept) => row.tenant === tenant && row.chain === chain;
    const [next] = this.tasks
      .filter((task) => chain !== undefined && isOfChain(task) && task.row.state === 'blocked')
      .toSorted(byChain);
    if (next === undefined) return undefined;
    if (next.row.dueAt !== undefined && next.row.dueAt > now) {
      this.move(next, { to: 'waiting', cause: 'delayed', now });
    } else {
      next.row.readyAt = now;
      this.move(next, { to: 'queued', cause: 'unblocked', now });
    }
    return next;
  }

  /** Whether a task must stand behind the one that has its chain's turn; else it takes it. */
  standsBehind(task: Kept, now: number): boolean {
    const { tenant, chain } = task.row;
    const isHead = (other: Kept) =>
      other !== task &&
      this.hasTurn(other) &&
      other.row.tenant === tenant &&
      other.row.chain === chain;
    const holder = chain === undefined ? undefined : this.tasks.find(isHead);
    if (holder === undefined) return false;
    if (!this.overtakes(task, holder)) return true;
    this.move(holder, { to: 'blocked', cause: 'overtaken', now });
    return false;
  }
}

/** A copy without what is undefined: as rows are answered. */
export function compact<T extends object>(facts: { [Name in keyof T]: T[Name] | undefined }): T {
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined),
  ) as unknown as T;
}

export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

export function bySeq(a: Kept, b: Kept): number {
  return a.row.seq - b.row.seq;
}

function byChain(a: Kept, b: Kept): number {
  return (a.row.chainSeq ?? 0) - (b.row.chainSeq ?? 0) || bySeq(a, b);
}
