import type { Deadline, Log } from '@agent-reach/core/kernel';
import type { Capability, CapabilitySpec, Context } from './capability.ts';
import type { Reach } from './reach.ts';

/** Work that an agent was handed. */
export interface Task<Payload = unknown> {
  readonly id: string;
  /** The capability's name. */
  readonly type: string;
  /** `call`: somebody waits for it now. `event`: the delivery of an event. */
  readonly kind: 'task' | 'call' | 'event';
  /** Checked against the declared schema by the gateway, not here. */
  readonly payload: Payload;
}

/** What a task handler may know and do beside its task. */
export interface TaskContext {
  readonly taskId: string;
  /** Which run of the task this is, from 1. */
  readonly attempt: number;
  readonly traceId: string;
  /** Who submitted it. */
  readonly caller: string;
  /**
   * The same for every run of the task: hand it to whatever must not take effect twice. The nested
   * calls of a handler carry keys that follow from it.
   */
  readonly idempotencyKey: string | undefined;
  readonly sourceId: string | undefined;
  /** Without a limit where the task has none: `remainingMs()` is then infinite. */
  readonly deadline: Deadline;
  /**
   * Aborted when the result will not be used: the lease is lost, the task was cancelled, its
   * deadline has passed, or the agent stops. A result that is returned all the same is offered
   * once more, for the gateway takes it as long as nobody else has the work.
   */
  readonly signal: AbortSignal;
  /** For calls and tasks from here on. They carry trace, key and call token by themselves. */
  readonly reach: Reach;
  /** Every line carries the task and its trace. */
  readonly log: Log;
  /**
   * Says how far the work is, 0 to 100, and what it is at. Costs nothing to call often: what comes
   * faster than it can be told is left out. Never throws.
   */
  progress(percent: number, note?: string): void;
}

/**
 * Does a task. Returns JSON, or throws: a `Rejection` ends the task for good, a `TryLater` says that
 * nothing was done yet. Whatever else is thrown may have taken effect: a task that is declared
 * `read` or `idempotent_write` is run again, any other waits for a person.
 */
export type TaskHandler<Payload, Result> = (
  task: Task<Payload>,
  ctx: TaskContext,
) => Result | Promise<Result>;

/** How an agent takes tasks of a type, and what its manifest says of them. */
export interface HandleOptions extends Omit<Partial<CapabilitySpec>, 'name'> {
  /**
   * `on-start` (default) tells the gateway that work began, and then what came of it.
   * `on-complete` says both with the result: one message less for tasks of milliseconds. A crash in
   * the middle then looks as if the task had never been begun, and it runs again, so it is for
   * `read` and `idempotent_write` alone.
   */
  ack?: 'on-start' | 'on-complete' | undefined;
  /** Places of this type alone. Default: it shares the agent's places with the other types. */
  concurrency?: number | undefined;
  /** Tasks held ready beside those that run; only with a `concurrency` of its own. */
  prefetch?: number | undefined;
}

/** A task type that an agent handles. */
export interface Handled {
  spec: CapabilitySpec;
  run: TaskHandler<unknown, unknown>;
  ack: 'on-start' | 'on-complete';
  concurrency?: number | undefined;
  prefetch?: number | undefined;
}

/** The parts of a declaration, with what stands for those that were left out. */
export function toHandled(
  name: string,
  run: TaskHandler<unknown, unknown>,
  { ack = 'on-start', concurrency, prefetch, ...spec }: HandleOptions,
): Handled {
  demandCount('concurrency', concurrency, 1);
  demandCount('prefetch', prefetch, 0);
  if (ack === 'on-complete' && (spec.effect === undefined || spec.effect === 'write')) {
    const why = 'it runs again after a crash in the middle';
    throw new TypeError(
      `${name}: ack on-complete needs effect read or idempotent_write, for ${why}.`,
    );
  }
  const described = { ...spec, name, description: spec.description ?? '' };
  return { spec: described, run, ack, concurrency, prefetch };
}

function demandCount(what: string, value: number | undefined, min: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= min)) return;
  throw new TypeError(`${what} is a whole number from ${min} on, not ${value}.`);
}

/** The same work for whoever calls the agent at its address: no lease, and nobody to tell. */
export function asCapability({ spec, run }: Handled): Capability {
  return {
    spec,
    handler: (payload, ctx: Context) => {
      const taskId = ctx.idempotencyKey ?? ctx.requestId;
      const task: Task = { id: taskId, type: spec.name, kind: 'call', payload };
      return run(task, { ...ctx, taskId, progress: () => {} });
    },
  };
}
