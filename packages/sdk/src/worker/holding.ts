import { type Delivery, ReachError } from '@agent-reach/core';
import { type Clock, Deadline, type MonotonicMs } from '@agent-reach/core/kernel';

/** A delivery in this process, from its arrival to the last word about it. */
export class Holding {
  readonly delivery: Delivery;
  readonly deadline: Deadline;
  /** How long the lease is from `renewedAt`, milliseconds. */
  leaseMs: number;
  renewedAt: MonotonicMs;
  /** The gateway has its receipt already: it was sent to us, and we said that we take it. */
  isAcknowledged = false;
  readonly #abort = new AbortController();
  #loss: ReachError | undefined;

  constructor(delivery: Delivery, clock: Clock) {
    this.delivery = delivery;
    this.deadline = Deadline.in(clock, delivery.deadline_ms ?? Number.POSITIVE_INFINITY);
    this.leaseMs = delivery.lease_ms;
    this.renewedAt = clock.monotonic();
  }

  get taskId(): string {
    return this.delivery.task_id;
  }

  /** How this process names itself as the one that may speak for the task. */
  get lease(): { task_id: string; lease: string } {
    return { task_id: this.delivery.task_id, lease: this.delivery.lease };
  }

  /** The handler's. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why the task is no longer ours; undefined while it is. */
  get loss(): ReachError | undefined {
    return this.#loss;
  }

  /** The gateway has heard of us at `at` and leaves us the task for `leaseMs` more. */
  renew(at: MonotonicMs, leaseMs: number | undefined): void {
    this.renewedAt = Math.max(this.renewedAt, at);
    this.leaseMs = leaseMs ?? this.leaseMs;
  }

  /** The gateway says that the task is not ours any more. */
  lose(reason: ReachError): void {
    this.#loss ??= reason;
    this.#abort.abort(reason);
  }

  /** Tells the handler that its result will not be used, although the task is still ours. */
  abort(reason: ReachError): void {
    this.#abort.abort(reason);
  }
}

/** The task has ended without us: cancelled, out of time, or with another's result. */
export function endedMeanwhile(taskId: string, status: string): ReachError {
  const code = status === 'cancelled' ? 'cancelled' : 'lease-lost';
  return new ReachError(code, `Task ${taskId} has ended meanwhile: it is ${status}.`);
}
