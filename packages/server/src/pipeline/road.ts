import {
  type Answer,
  type Asker,
  type CallRequest,
  ERRORS,
  type Executed,
  ReachError,
} from '@agent-reach/core';
import { fullJitterMs, iso } from '@agent-reach/core/kernel';
import { type Admission, admit } from '../policy/admit.ts';
import { type Binding, checkBinding, reserve, type Target, timeNeededMs } from '../policy/bind.ts';
import type { KeptOutcome } from '../policy/idempotency.ts';
import { mayRepeat } from '../resilience/retry.ts';
import { decide, decisionError, mightWrite } from '../routing/decide.ts';
import type { Decision, Selector } from '../routing/decision.ts';
import { explain } from '../routing/explain.ts';
import { clause } from '../routing/none.ts';
import type { RoadPorts } from './ports.ts';
import { record } from './record.ts';
import { beginRun, type Run, timingOf } from './run.ts';
import { sendOnce } from './send.ts';

type Routed = Extract<Decision, { outcome: 'route' }>;

/** Waits before the same endpoint is tried again; another one is tried at once. */
const BACKOFF = { baseMs: 100, maxMs: 2_000 };

/**
 * The one road: admit → route → bind → send → record. Loops back to route only where the effect
 * allows it, at most `attemptsMax` attempts in all. Resolves with the answer; throws a
 * `ReachError` that carries the request's and the trace's id.
 */
export async function reach(
  request: CallRequest,
  asker: Asker,
  attemptsMax: number,
  ports: RoadPorts,
): Promise<Answer> {
  const began = { at: ports.clock.now(), startedAt: ports.clock.monotonic() };
  const admission = await admitHere(request, asker, ports);
  const run = beginRun(admission, ports.ids.next('rte'), began);
  if (admission.kept !== undefined) return replay(run, admission.kept, ports);

  const state: RoadState = { run, tried: new Set(), binding: undefined, failed: undefined };
  let end: Awaited<ReturnType<typeof walk>>;
  try {
    end = await walk(state, attemptsMax, ports);
  } catch (thrown) {
    const error = finalError(ReachError.from(thrown), state);
    if (error.code === 'internal') ports.log.error({ err: error.cause ?? error }, 'a call failed');
    await record(run, state.binding, { ok: false, error }, ports);
    throw error;
  }
  if ('kept' in end) return replay(run, end.kept, ports);
  const answer = answerOf(run, end.value, request.explain === true, ports);
  return withWarnings(answer, await record(run, state.binding, { ok: true, answer }, ports));
}

/** What a run of the loop remembers between attempts. */
interface RoadState {
  run: Run;
  tried: Set<string>;
  binding: Binding | undefined;
  failed: Failed | undefined;
}

/** Route, bind and send, again while the effect allows it. */
async function walk(
  state: RoadState,
  attemptsMax: number,
  ports: RoadPorts,
): Promise<{ value: unknown } | { kept: KeptOutcome }> {
  const { run } = state;
  const { admission } = run;
  const selector = selectorOf(admission);
  // A key is bound to its first capability for ever: a repeat never routes anew.
  if (admission.pinned !== undefined) selector.capability = admission.pinned.capability;
  for (let n = 1; n <= attemptsMax; n++) {
    const decision = routeOr(selector, state, ports);
    const target = targetOf(decision, ports);
    if (state.binding === undefined) {
      const deadline = checkBinding(admission, target, ports.policy);
      const reserved = await reserve(admission, target, deadline, ports.policy);
      if ('kept' in reserved) return reserved;
      state.binding = reserved;
      // What was bound stays bound: a repetition may change the agent, never the capability.
      selector.capability = target.capability;
    } else if (!(await readyAgain(state, decision, target, ports))) {
      break;
    }
    const outcome = await sendOnce(run, decision, state.binding.deadline, ports);
    if (outcome.ok) return { value: outcome.result };
    state.failed = { error: outcome.error, decision };
    state.tried.add(decision.instance.key);
    noteFailure(admission.tenant, state.failed, ports);
    const keyed = state.binding.claim !== undefined;
    const { code, executed, facts } = outcome.error;
    // A target that says that another try would fail as well is believed: chains do not multiply.
    if (ERRORS[code].retryable === false || facts.retryable === false) break;
    if (!mayRepeat(target.effect, keyed, executed)) break;
  }
  throw state.failed?.error ?? new ReachError('internal', 'The road ended nowhere.');
}

/** An attempt that failed, and what it was aimed at. */
export interface Failed {
  error: ReachError;
  decision: Routed;
}

/** The first step, with what only routing knows: whether a request id may serve as a key. */
export function admitHere(
  request: Parameters<typeof admit>[0],
  asker: Asker,
  ports: RoadPorts,
): Promise<Admission> {
  return admit(
    request,
    asker,
    ({ capability, tags }) =>
      mightWrite({ tenant: asker.tenant, capability, tags }, ports.routing.directory),
    ports.policy,
  );
}

/** What routing is asked, from what was admitted. */
export function selectorOf(admission: Admission): Selector {
  const { capability, intent, tags, strictTags, agent, version, params, sourceId } =
    admission.envelope;
  return {
    tenant: admission.tenant,
    capability,
    intent,
    tags,
    strictTags,
    agent,
    version,
    params,
    sourceId,
    // Calls of one trace see one version: they are parts of one piece of work.
    draw: sourceId ?? admission.trace.traceId,
  };
}

function routeOr(selector: Selector, state: RoadState, ports: RoadPorts): Routed {
  const { run, tried, failed } = state;
  const { permits } = run.admission;
  const decision = decide(selector, { permits, tried }, ports.routing);
  run.decision = decision;
  if (decision.outcome !== 'route') throw failed?.error ?? decisionError(decision);
  run.strategy = decision.strategy;
  run.score = decision.score;
  run.capability = decision.provider.capability.name;
  run.provider = {
    agent: decision.instance.row.agentId,
    instance: decision.instance.row.instanceId,
    version: decision.provider.agent.definition.manifestVersion,
  };
  run.warnings = decision.warnings;
  return decision;
}

/** The facts of the chosen version on which binding depends. */
export function targetOf({ provider, instance }: Routed, ports: RoadPorts): Target {
  const { capability } = provider;
  return {
    agentId: instance.row.agentId,
    capability: capability.name,
    effect: capability.effect,
    agentMs: capability.sla.timeout_ms,
    typicalMs: ports.board.of(instance.key).typicalMs,
  };
}

/**
 * Whether another attempt makes sense: it closes no circle and fits into what time is left. Waits
 * first when it would hit the endpoint that just failed, as long as that one asks for.
 */
async function readyAgain(
  { run, binding, failed }: RoadState,
  next: Routed,
  target: Target,
  ports: RoadPorts,
): Promise<boolean> {
  if (binding === undefined || failed === undefined) return false;
  if (run.admission.path.includes(`${target.agentId}/${target.capability}`)) return false;
  const isSame = next.instance.key === failed.decision.instance.key;
  const asked = failed.error.facts.retry_after_ms ?? 0;
  const waitMs = isSame ? Math.max(asked, fullJitterMs(BACKOFF, 1, ports.random)) : 0;
  if (waitMs + timeNeededMs(target) >= binding.deadline.remainingMs()) return false;
  if (waitMs > 0) await ports.clock.sleep(waitMs);
  run.queueMs += waitMs;
  return true;
}

export function noteFailure(tenant: string, { error, decision }: Failed, ports: RoadPorts): void {
  if (error.code !== 'connect-failed' && error.code !== 'stale-address') return;
  const { agentId, instanceId } = decision.instance.row;
  ports.unconnected({ tenant, agentId, instanceId, why: error.message });
}

/** The error a caller gets: with its ids, and in his words instead of those of the last attempt. */
function finalError(error: ReachError, { run, failed }: RoadState): ReachError {
  const { requestId, trace } = run.admission;
  const executed = overall(error.executed, run);
  const facts = {
    ...error.facts,
    executed,
    ...repeatable(error.code, executed, { run, failed }),
    request_id: requestId,
    trace_id: trace.traceId,
    ...(run.attempts.length > 1 ? { retry_count: run.attempts.length - 1 } : {}),
  };
  const gone = error.code === 'connect-failed' || error.code === 'stale-address';
  if (!gone || executed !== 'no' || failed === undefined) {
    return new ReachError(error.code, error.message, facts, error.cause);
  }
  const { row, seenAt } = failed.decision.instance;
  return new ReachError(
    'no-reachable-agent',
    `${row.agentId} offers ${run.capability}, but cannot be reached: ${clause(error.message)}, last seen ${iso(seenAt)}.`,
    { ...facts, agent: row.agentId, last_seen: iso(seenAt), retry_after_ms: 1_000 },
    error.cause,
  );
}

/** Where the table says "by effect", this is the effect's word on it. */
function repeatable(
  code: ReachError['code'],
  executed: Executed,
  { run, failed }: Pick<RoadState, 'run' | 'failed'>,
): { retryable?: boolean } {
  if (ERRORS[code].retryable !== 'by-effect' || failed === undefined) return {};
  if (failed.error.facts.retryable === false) return { retryable: false };
  const { effect } = failed.decision.provider.capability;
  return { retryable: mayRepeat(effect, run.admission.key !== undefined, executed) };
}

/** A last attempt that provably did not run says nothing of one before it that may have. */
function overall(last: Executed, run: Run): Executed {
  return last === 'no' && run.attempts.some((a) => a.executed === 'unknown') ? 'unknown' : last;
}

function answerOf(run: Run, result: unknown, explained: boolean, ports: RoadPorts): Answer {
  const { admission, decision, provider, strategy } = run;
  if (provider === undefined || strategy === undefined) {
    throw new ReachError('internal', 'An answer without a provider.');
  }
  return {
    request_id: admission.requestId,
    trace_id: admission.trace.traceId,
    status: 'ok',
    result,
    provider,
    route: {
      route_id: run.routeId,
      strategy,
      score: run.score,
      ...(explained && decision !== undefined
        ? { candidates: explain(decision, ports.routing) }
        : {}),
    },
    timing: timingOf(run, ports.clock),
    retry_count: run.attempts.length - 1,
    replayed: false,
    warnings: run.warnings,
  };
}

/** Gives again what is kept under the key: the first answer, or the first refusal. */
async function replay(run: Run, kept: KeptOutcome, ports: RoadPorts): Promise<Answer> {
  if (kept.ok) {
    const answer = { ...kept.answer, replayed: true };
    run.provider = answer.provider;
    run.strategy = answer.route.strategy;
    return withWarnings(answer, await record(run, undefined, { ok: true, answer }, ports));
  }
  const error = new ReachError(kept.code, kept.detail, { ...kept.facts, replayed: true });
  await record(run, undefined, { ok: false, error }, ports);
  throw error;
}

function withWarnings(answer: Answer, more: string[]): Answer {
  return more.length === 0 ? answer : { ...answer, warnings: [...answer.warnings, ...more] };
}
