import {
  type Answer,
  type Asker,
  type CallRequest,
  type NeedsConfirmation,
  ReachError,
} from '@agent-reach/core';
import { type Admission, admit } from '../policy/admit.ts';
import type { KeptOutcome } from '../policy/idempotency.ts';
import { mightWrite } from '../routing/decide.ts';
import { explain } from '../routing/explain.ts';
import { notPermitted } from '../routing/none.ts';
import { fallBack, toldInstead } from './fallback.ts';
import { finalError } from './final-error.ts';
import { sensing } from '../routing/sensing.ts';
import type { RoadPorts } from './ports.ts';
import { record } from './record.ts';
import { beginRun, type Run, timingOf } from './run.ts';
import { degradeIn, spentAnswer, tellBudgets } from './spent.ts';
import { beginWalk, present, type RoadState, walk, type WalkEnd } from './walk.ts';

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
  if (admission.kept !== undefined) {
    demandStillPermitted(admission);
    return replay(run, admission.kept, ports);
  }

  const state = beginWalk(run);
  let end: WalkEnd;
  try {
    if (admission.envelope.confirmationCode !== undefined) await present(state, ports);
    state.selector = await sensing(state.selector, ports.routing);
    end = await walkOrFallBack(state, attemptsMax, ports);
  } catch (thrown) {
    const error = finalError(ReachError.from(thrown), state);
    if (error.code === 'internal') ports.log.error({ err: error.cause ?? error }, 'a call failed');
    await record(run, state.binding, { ok: false, error }, ports);
    tellBudgets(state.binding?.hold?.rates, asker);
    const degrade = degradeIn(error);
    if (degrade === undefined) throw error;
    const isAnswer = ports.policy.options.budgetStatus === '200';
    if (isAnswer) tellBudgets(error.facts.rate_limits, asker);
    const would = answerOf(run, null, request.explain === true, ports);
    return spentAnswer({ ...would, retry_count: 0 }, error, degrade, isAnswer);
  }
  if ('kept' in end) return replay(run, end.kept, ports);
  tellBudgets(state.binding?.hold?.rates, asker);
  const explained = request.explain === true;
  if ('needs' in end) {
    run.asked = end.needs.id;
    const asked = askingOf(run, end.needs, explained, ports);
    return withWarnings(asked, await record(run, undefined, { ok: true, answer: asked }, ports));
  }
  const bare = answerOf(run, end.value, explained, ports);
  const answer = withWarnings(bare, state.binding?.hold?.warnings ?? []);
  return withWarnings(answer, await record(run, state.binding, { ok: true, answer }, ports));
}

/** The walk to what is asked for; where that cannot be reached, to what is declared to stand in. */
async function walkOrFallBack(
  state: RoadState,
  attemptsMax: number,
  ports: RoadPorts,
): Promise<WalkEnd> {
  const { run } = state;
  try {
    const end = await walk(state, attemptsMax, ports);
    if (run.fallback === undefined) ports.fallbacks.reached(run.admission.tenant, run.capability);
    return end;
  } catch (thrown) {
    return fallBack(state, finalError(ReachError.from(thrown), state), ports);
  }
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
    ({ capability, intent, tags }) =>
      mightWrite({ tenant: asker.tenant, capability, intent, tags }, ports.routing.directory),
    ports.policy,
  );
}

/** What was answered under a key is no longer for whoever may not have it any more. */
export function demandStillPermitted({ pinned, permits }: Admission): void {
  if (pinned !== undefined && !permits(pinned)) throw notPermitted(pinned.capability);
}

function answerOf(run: Run, result: unknown, explained: boolean, ports: RoadPorts): Answer {
  const { admission, decision, provider, strategy, fallback } = run;
  if (provider === undefined || strategy === undefined) {
    throw new ReachError('internal', 'An answer without a provider.');
  }
  return {
    request_id: admission.requestId,
    trace_id: admission.trace.traceId,
    ...(fallback === undefined
      ? { status: 'ok' }
      : { status: 'degraded', degraded_to: run.capability ?? '' }),
    ...(decision?.outcome === 'route' && decision.isPanic ? { panic: true } : {}),
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
    retry_count: Math.max(0, run.attempts.length - 1),
    replayed: false,
    warnings: fallback === undefined ? run.warnings : [...run.warnings, toldInstead(run, fallback)],
  };
}

/** The answer that is a question: nothing was done, and nothing is kept. */
function askingOf(
  run: Run,
  needs: NeedsConfirmation,
  explained: boolean,
  ports: RoadPorts,
): Answer {
  const { result, ...answer } = answerOf(run, null, explained, ports);
  return { ...answer, status: 'needs_confirmation', confirmation: needs, result };
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

function withWarnings(answer: Answer, more: readonly string[]): Answer {
  return more.length === 0 ? answer : { ...answer, warnings: [...answer.warnings, ...more] };
}
