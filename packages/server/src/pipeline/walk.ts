import { ERRORS, type NeedsConfirmation, ReachError } from '@agent-reach/core';
import { type Deadline, fullJitterMs } from '@agent-reach/core/kernel';
import {
  type Binding,
  checkBinding,
  giveUp,
  orGiveUp,
  reserve,
  type Target,
  timeNeededMs,
} from '../policy/bind.ts';
import type { KeptOutcome } from '../policy/idempotency.ts';
import { agentKey } from '../resilience/board.ts';
import { mayRepeat } from '../resilience/retry.ts';
import { agentLimitMs } from '../resilience/timeouts.ts';
import { decide, decisionError } from '../routing/decide.ts';
import type { Routed, Selector } from '../routing/decision.ts';
import { noteQuestion } from './choose.ts';
import { askForWord, isCovered, offeredBy, presentedBy, type Word } from './confirm.ts';
import type { RoadPorts } from './ports.ts';
import { barsOf, fallbackIn, type Run } from './run.ts';
import { boundSelectorOf, named } from './selector.ts';
import { sendOnce } from './send.ts';
import { tellDecision } from './watch.ts';

/** Waits before the same endpoint is tried again; another one is tried at once. */
const BACKOFF = { baseMs: 100, maxMs: 2_000 };

/** What the loop remembers between attempts. */
export interface RoadState {
  run: Run;
  /** What is asked of routing now. */
  selector: Selector;
  tried: Set<string>;
  binding: Binding | undefined;
  failed: Failed | undefined;
}

/** How a walk ended well: with a result, with the outcome that a key has kept, or with a question. */
export type WalkEnd = { value: unknown } | { kept: KeptOutcome } | { needs: NeedsConfirmation };

/** The beginning of a walk. A key is bound to its capability for ever: a repeat never routes anew. */
export function beginWalk(run: Run): RoadState {
  const { pinned } = run.admission;
  const state: RoadState = {
    run,
    selector: boundSelectorOf(run.admission),
    tried: new Set(),
    binding: undefined,
    failed: undefined,
  };
  if (pinned?.asked !== undefined) {
    const effects = [pinned.effect ?? 'undeclared'] as const;
    run.fallback = fallbackIn({ fallback: { of: pinned.asked, effects } });
  }
  return state;
}

/** Looks at the confirmation that came with the request: it is done by whom it was shown to be done. */
export async function present(state: RoadState, ports: RoadPorts): Promise<void> {
  const presented = await presentedBy(state.run.admission, ports);
  state.run.presented = presented;
  state.selector.agent ??= presented?.about.preview.agent;
}

/** Route, bind and send, again while the effect allows it. */
export async function walk(
  state: RoadState,
  attemptsMax: number,
  ports: RoadPorts,
): Promise<WalkEnd> {
  const { run, selector } = state;
  const { admission } = run;
  for (let n = 1; n <= attemptsMax; n++) {
    const decision = routeOr(state, ports);
    const target = targetOf(run, decision, ports);
    if (state.binding === undefined) {
      const bound = await bind(run, { decision, target }, ports);
      if (!('deadline' in bound)) return bound;
      state.binding = bound;
      // What was bound stays bound: a repetition may change the agent, never the capability.
      Object.assign(selector, named(target.capability));
      const { reading, strategy, pin } = decision;
      if (reading !== undefined) selector.found = { strategy, score: reading.right };
      if (pin?.phrase !== undefined) {
        selector.found = { strategy, score: 1 };
        selector.agent ??= pin.agent;
      }
    } else if (!(await readyAgain(state, decision, target, ports))) {
      break;
    }
    const outcome = await sendOnce(run, decision, state.binding.deadline, ports);
    if (outcome.ok) return { value: outcome.result };
    const isRefused = outcome.isRefused === true;
    // What was sent and failed says more than that the next place was not asked.
    if (!isRefused || state.failed === undefined) {
      state.failed = { error: outcome.error, decision, isRefused };
    }
    state.tried.add(decision.instance.key);
    if (outcome.error.code === 'rate-limited') {
      // All of its instances keep one pace: only another agent may take it now.
      for (const { key } of decision.provider.agent.instances.values()) state.tried.add(key);
    }
    noteFailure(admission.tenant, { error: outcome.error, decision }, ports);
    const keyed = state.binding.claim !== undefined;
    const { code, executed, facts } = outcome.error;
    // A target that says that another try would fail as well is believed: chains do not multiply.
    if (ERRORS[code].retryable === false || facts.retryable === false) break;
    if (!mayRepeat(target.effect, keyed, executed)) break;
  }
  throw state.failed?.error ?? new ReachError('internal', 'The road ended nowhere.');
}

type Bound = Binding | Exclude<WalkEnd, { value: unknown }>;

/** The third step: the checks, then the reservations, then the word that was given is used up. */
function bind(
  run: Run,
  at: { decision: Routed; target: Target },
  ports: RoadPorts,
): Promise<Bound> {
  const deadline = checkBinding(run.admission, at.target, ports.policy);
  const asking = askForWord(run, at, deadline, ports);
  return asking === undefined
    ? reserve(run.admission, at.target, deadline, ports.policy)
    : bindByWord(asking, run, { target: at.target, deadline }, ports);
}

async function bindByWord(
  asking: Promise<Word>,
  { admission }: Run,
  { target, deadline }: { target: Target; deadline: Deadline },
  { policy }: RoadPorts,
): Promise<Bound> {
  const word = await asking;
  if ('needs' in word) return word;
  const reserved = await reserve(admission, target, deadline, policy);
  if ('kept' in reserved) return reserved;
  const needs = await orGiveUp(reserved, policy, word.use);
  if (needs === undefined) return reserved;
  await giveUp(reserved, policy);
  return { needs };
}

/** An attempt that failed, and what it was aimed at. */
export interface Failed {
  error: ReachError;
  decision: Routed;
  /** It was never sent: we refused it ourselves. */
  isRefused: boolean;
}

function routeOr(state: RoadState, ports: RoadPorts): Routed {
  const { run, selector, tried, failed } = state;
  const { permits } = run.admission;
  const decision = decide(selector, { permits, tried, bars: barsOf(run) }, ports.routing);
  run.decision = decision;
  tellDecision({ by: 'call', admission: run.admission, routeId: run.routeId, decision }, ports);
  if (decision.outcome !== 'route') {
    const { tenant, envelope } = run.admission;
    noteQuestion({ routeId: run.routeId, tenant, intent: envelope.intent }, decision, ports);
    throw failed?.error ?? decisionError(decision, run.routeId);
  }
  run.strategy = decision.strategy;
  run.score = decision.score;
  const { capability } = decision.provider;
  run.capability = capability.name;
  if (run.seen.at(-1) !== capability) run.seen.push(capability);
  run.provider = {
    agent: decision.instance.row.agentId,
    instance: decision.instance.row.instanceId,
    version: decision.provider.agent.definition.manifestVersion,
  };
  run.warnings = decision.warnings;
  return decision;
}

/** The facts of the chosen version on which binding depends. */
export function targetOf(
  { fallback, admission }: Pick<Run, 'fallback' | 'admission'>,
  { provider, instance }: Routed,
  ports: RoadPorts,
): Target {
  return {
    ...offeredBy(provider),
    agentId: instance.row.agentId,
    agentMs: agentLimitMs(provider.capability.sla, admission.envelope.askedMs),
    typicalMs: ports.board.of(instance.key).typicalMs,
    ...(fallback === undefined ? {} : { asked: fallback.asked }),
  };
}

/**
 * Whether another attempt makes sense: it closes no circle, is covered by the word that was given and
 * fits into what time is left. Waits
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
  if (!isCovered(run, { decision: next, target }, ports)) return false;
  const isSame = next.instance.key === failed.decision.instance.key;
  if (!mayBear(run, target, failed, ports)) return false;
  // Whoever is refused learns it at once: to wait here would be a line without a bound.
  if (isSame && failed.isRefused) return false;
  const asked = failed.error.facts.retry_after_ms ?? 0;
  const waitMs = isSame ? Math.max(asked, fullJitterMs(BACKOFF, 1, ports.random)) : 0;
  if (waitMs + timeNeededMs(target) >= binding.deadline.remainingMs()) return false;
  const since = ports.clock.monotonic();
  if (waitMs > 0) await ports.clock.sleep(waitMs);
  run.waitedMs += ports.clock.monotonic() - since;
  return true;
}

/** Whether the next target can bear a repeat. What was refused here was no load on anybody. */
function mayBear(run: Run, target: Target, failed: Failed, { board }: RoadPorts): boolean {
  if (failed.isRefused) return true;
  if (board.retries.allows(agentKey(run.admission.tenant, target.agentId))) return true;
  const { code, message, facts, cause } = failed.error;
  failed.error = new ReachError(code, message, { ...facts, retry_budget_spent: true }, cause);
  return false;
}

export function noteFailure(
  tenant: string,
  { error, decision }: Pick<Failed, 'error' | 'decision'>,
  ports: RoadPorts,
): void {
  if (error.code !== 'connect-failed' && error.code !== 'stale-address') return;
  const { agentId, instanceId } = decision.instance.row;
  ports.unconnected({ tenant, agentId, instanceId, why: error.message });
}
