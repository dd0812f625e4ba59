import {
  fromProblem,
  type Output,
  ReachError,
  TASK_ENDS,
  type TaskRequest,
  type TaskTicket,
  type TaskView,
  type TaskWhy,
} from '@agent-reach/core';
import { Deadline, fullJitterMs, type Ids } from '@agent-reach/core/kernel';
import type { Invoke, InvokeOptions } from './groups.ts';
import { holdProcess } from './hold-process.ts';
import type { Ports } from './ports.ts';
import { currentScope, nestedRequestId, type Scope } from './scope.ts';
import { batches } from './task-batches.ts';

/** What submitting and following tasks needs. */
export interface TasksPorts {
  invoke: Invoke;
  ids: Ids;
  ports: Ports;
  /** What every submission says of its sender. */
  inherited: (scope: Scope | undefined) => Pick<TaskRequest, 'agent_id' | 'tenant' | 'context'>;
}

/** What one submission may set. */
export interface SubmitOptions extends InvokeOptions {
  /** Inside a task handler: no child of the task that is being done. */
  standalone?: boolean | undefined;
}

/** What became of one of many submissions: a ticket, or the error that a single one throws. */
export type Submission =
  | { task_id: string | undefined; ticket: TaskTicket; error?: undefined }
  | { task_id: string | undefined; ticket?: undefined; error: ReachError };

/** One line of a task's history. */
export type TaskMove = Output<'tasks.history'>['moves'][number];

/** How long `wait` waits. */
export interface WaitOptions {
  /** Default: until the task ends. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Which tasks `list` lists, and how many a question asks for (`limit`). */
export interface TaskFilter {
  status?: TaskView['status'] | 'TIMEOUT' | 'STALLED' | undefined;
  agent?: string | undefined;
  task_type?: string | undefined;
  principal?: string | undefined;
  trace_id?: string | undefined;
  parent_id?: string | undefined;
  source_id?: string | undefined;
  limit?: number | undefined;
}

/** One question is held so long: proxies cut what is silent for a minute. */
const HOLD_S = 20;
const HOLD_S_MAX = 60;
/** What an answer may take beyond the time for which it was held (watchdog). */
const ANSWER_MS = 5_000;
/** A gateway that does not hold questions is asked no more often than this. */
const ANSWERS_MS = 1_000;
/** Many tasks in one message take their gateway longer than one. */
const MANY_MS = 15_000;
const RETRY_RULE = { baseMs: 250, maxMs: 5_000 };

/**
 * The caller's side of tasks: work that is accepted is never lost and ends once.
 *
 *     const { task_id } = await reach.tasks.submit({ task_type: 'render_report', payload: { month: 3 } });
 *     const task = await reach.tasks.wait(task_id);
 */
export class Tasks {
  readonly #ports: TasksPorts;

  constructor(ports: TasksPorts) {
    this.#ports = ports;
  }

  /**
   * Submits a task. It carries an id of its own making if it has neither id nor key, so that a
   * submission whose answer was lost is sent once more and is still one task. A ticket that says
   * `needs_confirmation` is for nothing yet: submit the same again, under its `task_id`, with the
   * `confirmation_code`.
   *
   * Inside a task handler the new task is a child, unless it is to stand alone: it joins the trace
   * and is cancelled with its parent. When the handler runs again, it is the same task.
   */
  submit(request: TaskRequest, options: SubmitOptions = {}): Promise<TaskTicket> {
    const { timeoutMs, signal } = options;
    return this.#ports.invoke('tasks.submit', this.#named(request, options), { timeoutMs, signal });
  }

  /**
   * Submits any number of tasks, in messages of a size that a gateway takes. What became of each,
   * in the order asked; one that is refused does not hold up the others.
   */
  async submitMany(
    requests: readonly TaskRequest[],
    options: SubmitOptions = {},
  ): Promise<Submission[]> {
    const outcomes: Submission[] = [];
    const named = requests.map((request) => this.#named(request, options));
    for (const tasks of batches(named)) {
      outcomes.push(...(await this.#submitSome(tasks, options)));
    }
    return outcomes;
  }

  /** A task as it is; with `waitMs`, as soon as it has ended, or as it is when that time is over. */
  get(id: string, options: InvokeOptions & { waitMs?: number } = {}): Promise<TaskView> {
    const { waitMs = 0, ...rest } = options;
    const holdS = Math.min(HOLD_S_MAX, Math.ceil(waitMs / 1_000));
    if (holdS <= 0) return this.#ports.invoke('tasks.get', { task_id: id }, rest);
    const held = { task_id: id, wait: holdS };
    const timeoutMs = rest.timeoutMs ?? holdS * 1_000 + ANSWER_MS;
    return this.#ports.invoke('tasks.get', held, { ...rest, timeoutMs });
  }

  /**
   * The task when it has ended: succeeded, failed, cancelled, or dead, which only a person moves.
   * Outlives a gateway that restarts. Throws `deadline-exceeded` when the time is over (the task
   * goes on), `cancelled` by the signal, and what the gateway has against the question.
   */
  async wait(id: string, { timeoutMs, signal }: WaitOptions = {}): Promise<TaskView> {
    using _ = holdProcess();
    const { clock, random } = this.#ports.ports;
    const deadline = Deadline.in(clock, timeoutMs ?? Number.POSITIVE_INFINITY);
    const pause = async (ms: number) => {
      if (ms <= 0) return;
      const pauseMs = Math.min(deadline.remainingMs(), ms);
      await clock.sleep(pauseMs, signal).catch(() => {}); // The next question says so.
    };
    let last: TaskView | undefined;
    for (let failures = 0; !deadline.passed; ) {
      const askedAt = clock.monotonic();
      try {
        last = await this.get(id, { ...holdWithin(deadline), signal });
        if (hasEnded(last)) return last;
        failures = 0;
        await pause(ANSWERS_MS - (clock.monotonic() - askedAt));
      } catch (error) {
        if (deadline.passed) break;
        if (!isPassing(error) || currentScope()?.deadline.passed === true) throw error;
        await pause(fullJitterMs(RETRY_RULE, ++failures, random));
      }
    }
    throw stillGoing(id, last, timeoutMs);
  }

  /** Cancels a task and all that it started; the ids of those that had not ended. */
  async cancel(
    id: string,
    fields: { reason?: string } = {},
    options: InvokeOptions = {},
  ): Promise<string[]> {
    const input = { task_id: id, ...fields };
    const { cancelled } = await this.#ports.invoke('tasks.cancel', input, options);
    return cancelled;
  }

  /** Parks a task that is queued or waiting, as a dead letter. */
  park(id: string, reason: string, options: InvokeOptions = {}): Promise<TaskView> {
    return this.#ports.invoke('tasks.park', { task_id: id, reason }, options);
  }

  /** Why a task is where it is, and what would move it. */
  why(id: string, options: InvokeOptions = {}): Promise<TaskWhy> {
    return this.#ports.invoke('tasks.why', { task_id: id }, options);
  }

  /** Every move that a task has made, the oldest first. */
  async history(id: string, options: InvokeOptions = {}): Promise<TaskMove[]> {
    const { moves } = await this.#ports.invoke('tasks.history', { task_id: id }, options);
    return moves;
  }

  /** Tasks, the newest first, asked for page by page as they are read. */
  async *list(filter: TaskFilter = {}, options: InvokeOptions = {}): AsyncGenerator<TaskView> {
    const fields = Object.fromEntries(
      Object.entries(filter).filter(([, value]) => value !== undefined),
    );
    for (let cursor: number | undefined; ; ) {
      const input = cursor === undefined ? fields : { ...fields, cursor };
      const page = await this.#ports.invoke('tasks.list', input, options);
      yield* page.tasks;
      if (page.cursor === undefined) return;
      cursor = page.cursor;
    }
  }

  /** The submission with all that follows from where it is made. */
  #named(request: TaskRequest, { standalone = false }: SubmitOptions): TaskRequest {
    const scope = currentScope();
    const { context, ...from } = this.#ports.inherited(scope);
    const named: TaskRequest = { ...from, ...request };
    if (context !== undefined) named.context = { ...context, ...request.context };
    const { task_id: id, idempotency_key: key, request_id: requestId } = request;
    // What may be lost is a read, for which twice is no harm, and the gateway names it.
    const isShort = request.durability === 'memory';
    const isNamed = isShort || (id ?? key ?? requestId) !== undefined;
    if (!isNamed) named.task_id = this.#newId(scope, request);
    const parent = standalone || isShort ? undefined : scope?.taskId;
    if (parent !== undefined) named.parent_id ??= parent;
    return named;
  }

  #newId(scope: Scope | undefined, request: TaskRequest): string {
    const what = JSON.stringify(['tasks.submit', request.task_type ?? request.capability]);
    const nested = scope && nestedRequestId(scope, what);
    return nested ?? this.#ports.ids.next('tsk');
  }

  async #submitSome(tasks: TaskRequest[], options: InvokeOptions): Promise<Submission[]> {
    try {
      const { timeoutMs = MANY_MS, signal } = options;
      const { context: _, ...from } = this.#ports.inherited(currentScope());
      const answer = await this.#ports.invoke(
        'tasks.submit-many',
        { tasks, ...from },
        { timeoutMs, signal },
      );
      return tasks.map(({ task_id: id }, i) => submissionOf(id, answer.tasks[i]));
    } catch (error) {
      if (!ReachError.is(error) || error.code === 'cancelled') throw error;
      return tasks.map(({ task_id: id }) => ({ task_id: id, error }));
    }
  }
}

/** Whether nothing moves the task any more but a person. */
export function hasEnded({ status }: Pick<TaskView, 'status'>): boolean {
  return status === 'dead' || (TASK_ENDS as readonly string[]).includes(status);
}

/** A failure of the way to the gateway, or of a gateway that will be well again. */
function isPassing(error: unknown): boolean {
  if (!ReachError.is(error) || error.code === 'cancelled') return false;
  return error.status >= 500 || error.retryable;
}

/** A question that is held no longer than its asker has time. */
function holdWithin(deadline: Deadline): { waitMs: number; timeoutMs: number } {
  const leftMs = deadline.remainingMs();
  const waitMs = Math.min(HOLD_S * 1_000, leftMs);
  return { waitMs, timeoutMs: Math.min(leftMs, waitMs + ANSWER_MS) };
}

function submissionOf(
  taskId: string | undefined,
  answer: Output<'tasks.submit-many'>['tasks'][number] | undefined,
): Submission {
  if (answer?.ticket !== undefined)
    return { task_id: answer.ticket.task_id, ticket: answer.ticket };
  const detail = 'The gateway says nothing of this task.';
  const error = fromProblem(answer?.problem) ?? new ReachError('bad-response', detail);
  return { task_id: taskId, error };
}

function stillGoing(id: string, last: TaskView | undefined, timeoutMs = 0): ReachError {
  const state = last === undefined ? 'is not known to have ended' : `is still ${last.status}`;
  const detail = `Task ${id} ${state} after ${timeoutMs} ms; it goes on.`;
  const status = last === undefined ? {} : { task_status: last.status };
  return new ReachError('deadline-exceeded', detail, {
    executed: 'unknown',
    task_id: id,
    ...status,
  });
}
