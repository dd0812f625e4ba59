import { type ErrorCode, ReachError } from '@agent-reach/core';
import { giveUp } from '../policy/bind.ts';
import { fallbacksOf, insteadOf } from '../routing/fallbacks.ts';
import { clause } from '../routing/none.ts';
import { finalError } from './final-error.ts';
import type { RoadPorts } from './ports.ts';
import type { Run, RunFallback } from './run.ts';
import { selectorOf } from './selector.ts';
import { type RoadState, walk, type WalkEnd } from './walk.ts';

// Design. A fallback answers where nobody could be reached, and nothing else: the first outcome must
// be provably `executed: no`, and say so for want of somebody who is there. What may have run is
// never done by another, and a refusal is an answer. One hop: a fallback's own fallbacks are not
// asked. It does no more to the world than what was asked for, is never sensitive, and takes the
// parameters as they are; its chain, key and deadline are those of the one request. The answer says
// that it is degraded, and the failure that was covered up counts and is told as if it were not.

/** Codes that say that nobody was there, so that another may be asked. */
const UNREACHED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'no-reachable-agent',
  'capability-not-found',
  'connect-failed',
  'stale-address',
  'agent-busy',
  'circuit-open',
  'draining',
  'fenced',
  'overloaded',
]);

/** Why a fallback is passed over for the next one, beside that it cannot be reached either. */
const UNFIT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'validation-failed',
  'idempotency-key-missing',
  'cycle-detected',
  'deadline-exceeded',
  'rate-limited',
  'budget-paced',
  'budget-exhausted',
  'permission-denied',
  'confirmation-invalid',
]);

/** It is a second chance already: no retry of its own multiplies it. */
const ATTEMPTS_MAX = 1;

/** What became of a fallback that was passed over. */
interface PassedOver {
  capability: string;
  code: ErrorCode;
  detail: string;
}

/**
 * Walks to what is declared to stand in for what could not be reached, one after the other. Throws
 * `error`, that of what was asked for, where nothing may or can; throws a fallback's own error once
 * it may have run, or has refused.
 */
export async function fallBack(
  state: RoadState,
  error: ReachError,
  ports: RoadPorts,
): Promise<WalkEnd> {
  const { run } = state;
  const { admission } = run;
  if (!isUnreached(error) || admission.pinned !== undefined) throw error;
  const asked = selectorOf(admission);
  const { fallback: requested } = admission.envelope;
  const { standIns, effects } = fallbacksOf(asked, requested, run.decision?.weighed ?? []);
  if (standIns.length === 0) throw error;
  const name = askedOf(run);
  ports.fallbacks.turned({ tenant: admission.tenant, asked: name }, error);
  run.attempts = run.attempts.map((attempt) => ({ ...attempt, capability: name }));
  const { decision, provider, strategy, score, warnings } = run;
  const before = { decision, provider, capability: run.capability, strategy, score, warnings };
  const passedOver: PassedOver[] = [];
  for (const { capability, from } of standIns) {
    await release(state, ports);
    run.fallback = { asked: name, effects, cause: error, from, sentBefore: run.attempts.length };
    run.capability = capability;
    state.selector = insteadOf(asked, capability);
    state.tried = new Set();
    state.failed = undefined;
    try {
      return await walk(state, ATTEMPTS_MAX, ports);
    } catch (thrown) {
      const { code, executed, message } = finalError(ReachError.from(thrown), state);
      const isPassedOver = executed === 'no' && (UNREACHED.has(code) || UNFIT.has(code));
      if (!isPassedOver) throw thrown;
      passedOver.push({ capability, code, detail: message });
    }
  }
  await release(state, ports);
  Object.assign(run, before, { fallback: undefined }); // It is recorded as what it was asked for.
  throw withPassedOver(error, passedOver);
}

function isUnreached({ code, executed }: ReachError): boolean {
  return executed === 'no' && UNREACHED.has(code);
}

/** What was asked for, as far as it has a name. */
function askedOf({ admission, capability, decision }: Run): string {
  const { envelope } = admission;
  const named = envelope.capability ?? capability;
  if (named !== undefined) return named;
  const fitting = decision?.weighed.find(({ out }) => out === undefined);
  if (fitting !== undefined) return fitting.provider.capability.name;
  return envelope.intent === undefined ? 'what has these tags' : 'what was meant';
}

/**
 * Gives up what was bound: nothing ran, so that the key and the budgets are free for what is bound next. What was
 * left of its time is all that is left.
 */
async function release(state: RoadState, ports: RoadPorts): Promise<void> {
  const { binding, run } = state;
  if (binding === undefined) return;
  await giveUp(binding, ports.policy);
  run.admission.deadline ??= binding.deadline;
  state.binding = undefined;
}

function withPassedOver(error: ReachError, passedOver: readonly PassedOver[]): ReachError {
  const tried = passedOver.map(({ capability, code }) => `${capability} (${code})`);
  return new ReachError(
    error.code,
    `${clause(error.message)}; nor could a fallback do it: ${tried.join(', ')}.`,
    { ...error.facts, fallbacks: passedOver },
    error.cause,
  );
}

/** What the caller is told of a fallback that answered. */
export function toldInstead(run: Run, { asked, cause, from }: RunFallback): string {
  const by = `${run.capability} of ${run.provider?.agent}`;
  if (cause === undefined) {
    return `An earlier request with this key turned to ${by}, a fallback of ${asked}, which goes on with it.`;
  }
  const who = from === 'request' ? 'the request' : 'its manifest';
  return `${asked} could not be reached (${cause.code}: ${clause(cause.message)}). ${by} answered instead, as ${who} says.`;
}
