import { ReachError } from '@agent-reach/core';
import { type Clock, Deadline, type Log } from '@agent-reach/core/kernel';
import { type AgentAnswer, problemAnswer, resultAnswer } from './answer.ts';
import { bindLog } from './bind-log.ts';
import { type Capability, CAPABILITY_TIMEOUT_MS, type Context } from './capability.ts';
import { FirstAnswers, type RunOutcome } from './first-answers.ts';
import type { InboundCall } from './inbound.ts';
import type { Reach } from './reach.ts';
import { Rejection } from './rejection.ts';
import { runInScope } from './scope.ts';
import { TryLater } from './try-later.ts';

/** What performing needs of its agent. */
export interface PerformerOptions {
  agentId: () => string;
  capabilities: ReadonlyMap<string, Capability>;
  maxConcurrency: number;
  reach: Reach;
  clock: Clock;
  log: Log;
}

/** A handler at work. */
interface Run {
  abort: AbortController;
  outcome: Promise<RunOutcome>;
}

/** How soon a caller that found the agent busy or leaving may ask again. */
export const RETRY_AFTER_MS = 1_000;

/** Runs handlers: within their time, not too many at once, and once per idempotency key. */
export class Performer {
  readonly #options: PerformerOptions;
  readonly #firstAnswers: FirstAnswers;
  readonly #running = new Set<Run>();

  constructor(options: PerformerOptions) {
    this.#options = options;
    this.#firstAnswers = new FirstAnswers(options.clock);
  }

  /** Handlers that have not returned, those that nobody waits for any more included: they work. */
  get inflight(): number {
    return this.#running.size;
  }

  /**
   * Performs one call and answers within its deadline, whatever the handler does. A handler that
   * runs on keeps its slot, and a repeat of its key still gets its answer.
   *
   * `gone` is aborted when the caller is. Throws `capability-not-found`, `agent-busy`,
   * `idempotency-key-reused`; failures of the handler are answers.
   */
  async perform(call: InboundCall, params: unknown, gone: AbortSignal): Promise<AgentAnswer> {
    const capability = this.#demand(call);
    const { timeoutMs = CAPABILITY_TIMEOUT_MS, maxTimeoutMs = timeoutMs } = capability.spec;
    const limitMs = Math.min(call.deadlineMs ?? timeoutMs, maxTimeoutMs);
    const deadline = Deadline.in(this.#options.clock, limitMs);
    const work: Work = { capability, call, params, deadline, limitMs, gone };
    const start = () => this.#start(work);
    const { run, isRepeat } =
      call.idempotencyKey === undefined
        ? { run: start(), isRepeat: false }
        : this.#firstAnswers.once(call, params, start);
    const answer = await this.#inTime(run, work);
    if (!isRepeat) return answer;
    return { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } };
  }

  /** Resolves when no handler runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all([...this.#running].map(({ outcome }) => outcome));
    }
  }

  /** Tells every handler that its answer will not be sent. */
  abortAll(): void {
    const reason = new ReachError('cancelled', 'The agent stops.');
    for (const { abort } of this.#running) abort.abort(reason);
  }

  #demand({ capability: name, isPreparation }: InboundCall): Capability {
    const capability = this.#options.capabilities.get(name);
    if (capability !== undefined && isPreparation !== true) return capability;
    const { prepare } = capability?.spec ?? {};
    if (capability !== undefined && prepare !== undefined) {
      return { spec: capability.spec, handler: prepare as Capability['handler'] };
    }
    if (capability !== undefined) {
      const detail = `${this.#options.agentId()} makes no codes for ${name}: it has no \`prepare\`.`;
      throw new ReachError('capability-not-found', detail);
    }
    const known = [...this.#options.capabilities.keys()].join(', ') || 'nothing';
    const detail = `${this.#options.agentId()} does not offer ${name}; it offers ${known}.`;
    throw new ReachError('capability-not-found', detail);
  }

  #start(work: Work): Promise<RunOutcome> {
    const { maxConcurrency, agentId } = this.#options;
    if (this.#running.size >= maxConcurrency) {
      const detail = `${agentId()} already runs ${maxConcurrency} calls, the most it takes.`;
      const facts = { retry_after_ms: RETRY_AFTER_MS, limit: maxConcurrency };
      throw new ReachError('agent-busy', detail, facts);
    }
    const abort = new AbortController();
    const run: Run = { abort, outcome: this.#run(work, abort) };
    this.#running.add(run);
    void run.outcome.then(() => this.#running.delete(run));
    return run.outcome;
  }

  /** Never rejects: whatever a handler does has an outcome. */
  async #run(work: Work, abort: AbortController): Promise<RunOutcome> {
    const { capability, call, params, deadline } = work;
    const about = { requestId: call.requestId, traceId: call.traceId };
    using _ = this.#abortWhenUseless(work, abort);
    const log = bindLog(this.#options.log, {
      request_id: call.requestId,
      trace_id: call.traceId,
      capability: call.capability,
    });
    // Token and lease are credentials: handlers print their context, and they must not be in there.
    const { callToken, lease: _lease, ...shown } = call;
    const { signal } = abort;
    const ctx: Context = { ...shown, deadline, signal, reach: this.#options.reach, log };
    const agentId = this.#options.agentId();
    const scope = { ...shown, callToken, agentId, deadline, signal, nestedCalls: new Map() };
    try {
      const result = await runInScope(scope, async () => capability.handler(params, ctx));
      return { answer: resultAnswer(JSON.stringify(result) ?? 'null'), isFinal: true };
    } catch (error) {
      if (Rejection.is(error)) return { answer: problemAnswer(error, about), isFinal: true };
      if (TryLater.is(error)) return { answer: problemAnswer(busy(error), about), isFinal: false };
      log.error({ err: error }, `${call.capability} failed`);
      // Whatever a handler throws once its time is over, it ran out of time.
      const isOutOfTime = deadline.passed || isTimeOver(signal);
      const failure = isOutOfTime ? outOfTime(work) : failureOf(call, error);
      return { answer: problemAnswer(failure, about), isFinal: failure.executed === 'yes' };
    }
  }

  /** Aborts a run at its deadline; a read also when its only caller went away. A write goes on. */
  #abortWhenUseless(
    { capability, call, deadline, gone }: Work,
    abort: AbortController,
  ): Disposable {
    const cleanup = new DisposableStack();
    const timer = this.#options.clock.timer(deadline.remainingMs(), () =>
      abort.abort(new ReachError('deadline-exceeded', `The time for ${call.capability} is over.`)),
    );
    cleanup.use(timer);
    if (capability.spec.effect === 'read' && call.idempotencyKey === undefined) {
      const onGone = () => abort.abort(new ReachError('cancelled', 'The caller went away.'));
      if (gone.aborted) onGone();
      gone.addEventListener('abort', onGone, { once: true });
      cleanup.defer(() => gone.removeEventListener('abort', onGone));
    }
    return cleanup;
  }

  #inTime(run: Promise<RunOutcome>, work: Work): Promise<AgentAnswer> {
    const { promise, resolve } = Promise.withResolvers<AgentAnswer>();
    const timer = this.#options.clock.timer(work.deadline.remainingMs(), () => {
      resolve(problemAnswer(outOfTime(work), work.call));
    });
    void run.then(({ answer }) => {
      timer[Symbol.dispose]();
      resolve(answer);
    });
    return promise;
  }
}

interface Work {
  capability: Capability;
  call: InboundCall;
  params: unknown;
  deadline: Deadline;
  limitMs: number;
  gone: AbortSignal;
}

/** A timer may strike a moment before its clock says so: who was told that time is over, is out of it. */
function isTimeOver({ reason }: AbortSignal): boolean {
  return ReachError.is(reason) && reason.code === 'deadline-exceeded';
}

function outOfTime({ call, limitMs }: Work): ReachError {
  const detail = `${call.capability} did not finish within ${Math.round(limitMs)} ms.`;
  return new ReachError('deadline-exceeded', detail);
}

function busy({ message, afterMs }: TryLater): ReachError {
  const facts = afterMs === undefined ? {} : { retry_after_ms: afterMs };
  return new ReachError('agent-busy', message, facts);
}

/**
 * What a caller may know of a handler that broke: a bug's text may hold anything, so it stays in
 * the log. The code of a nested call is ours and says more than "failed".
 *
 * A nested call that ended for good (a circle, a refusal) ends the handler's call for good too: if
 * each hop above tried again, one circle would become a storm.
 */
function failureOf(call: InboundCall, error: unknown): ReachError {
  if (!ReachError.is(error)) {
    return new ReachError('agent-error', `${call.capability} failed; its log says why.`, {}, error);
  }
  const detail = `${call.capability} failed: a call it made ended with ${error.code}.`;
  const isForGood = error.executed !== 'unknown' && !error.retryable;
  const executed = isForGood ? 'yes' : 'unknown';
  return new ReachError('agent-error', detail, { executed }, error);
}
