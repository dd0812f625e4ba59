import { type Effect, ReachError } from '@agent-reach/core';
import { Deadline } from '@agent-reach/core/kernel';
import { timeLimits } from '../resilience/timeouts.ts';
import type { Admission } from './admit.ts';
import type { Spending } from './budgets/budget.ts';
import type { Demand } from './confirmations/book.ts';
import { demandNoCycle, spendTraceCall } from './chain.ts';
import { type BudgetHold, reserveBudgets, settleBudgets } from './budgets/spend.ts';
import { type Claim, claimKey, type KeptOutcome, settleKey } from './idempotency.ts';
import type { PolicyPorts } from './ports.ts';

/** What would happen, exactly: the facts of the provider's version that was chosen. */
export interface Target {
  agentId: string;
  capability: string;
  effect: Effect | undefined;
  agentMs: number;
  /** A typical answer time of the endpoint, whatever it was asked; undefined until one came. */
  typicalMs: number | undefined;
  /** Its manifest says that somebody should be asked first. */
  isSensitive: boolean;
  /** What was asked for, where the capability is its fallback. */
  asked?: string;
}

/** A bound request: what is reserved for it, and until when it must have answered. */
export interface Binding {
  deadline: Deadline;
  claim: Claim | undefined;
  /** What budgets hold ready for it. */
  hold: BudgetHold | undefined;
}

/** Less time than this is no time: an answer could not even travel. */
export const WORK_MIN_MS = 10;

/**
 * The checks of the third step that change nothing: circle, key present, time enough. They are
 * what a dry run shows. Parameters are checked by the route, which filters on them.
 */
export function checkBinding(admission: Admission, target: Target, ports: PolicyPorts): Deadline {
  demandNoCycle(admission.path, target.agentId, target.capability);
  const isWrite = target.effect === 'write' || target.effect === 'idempotent_write';
  if (isWrite && admission.key === undefined) {
    throw new ReachError(
      'idempotency-key-missing',
      `${target.capability} writes: send an Idempotency-Key, or a request_id that stays the same when you repeat.`,
      { capability: target.capability },
    );
  }
  const limits = timeLimits(target.agentMs);
  const deadline =
    admission.deadline?.within(limits.gatewayMs) ?? Deadline.in(ports.clock, limits.gatewayMs);
  demandTime(deadline, target);
  return deadline;
}

/**
 * Whose word the fourth check of this step wants; undefined: nobody's. Changes nothing: the word is
 * asked for, or used up, right before the reservations.
 */
export function checkConfirmation(
  { tenant }: Pick<Admission, 'tenant'>,
  target: Target,
  { confirmations }: Pick<PolicyPorts, 'confirmations'>,
): Demand | undefined {
  return confirmations.demandOn(tenant, target);
}

/**
 * Less time than this and sending makes no sense: half of what the endpoint typically takes. Its
 * slowest capability must not shut out its quick ones, so never more than half of what this one
 * may take: a capability whose need exceeded its own limit could never be called again.
 */
export function timeNeededMs(target: Pick<Target, 'agentMs' | 'typicalMs'>): number {
  return Math.max(WORK_MIN_MS, Math.min(target.typicalMs ?? 0, target.agentMs) / 2);
}

/** Refuses to send what cannot be answered in time. */
function demandTime(deadline: Deadline, target: Target): void {
  const neededMs = timeNeededMs(target);
  const remainingMs = deadline.remainingMs();
  if (remainingMs >= neededMs) return;
  throw new ReachError(
    'deadline-exceeded',
    `${Math.floor(remainingMs)} ms are left, and ${target.agentId} needs about ${Math.ceil(neededMs)} ms for ${target.capability}. Nothing was sent.`,
    { agent: target.agentId, capability: target.capability, executed: 'no' },
  );
}

/**
 * The only reservations of the road: the trace's call is spent, the key is claimed, the budgets are
 * reserved. The order is deliberate: a spent call costs nothing when the claim fails, a claimed key
 * would block honest repeats, and a repeat is told what is kept without costing any budget. Where a
 * budget refuses the key is free again.
 */
export async function reserve(
  admission: Admission,
  target: Target,
  deadline: Deadline,
  ports: PolicyPorts,
): Promise<Binding | { kept: KeptOutcome }> {
  if (admission.trace.given) {
    const { tenant, path } = admission;
    const call = { tenant, traceId: admission.trace.traceId, isNested: path.length > 0 };
    await spendTraceCall(call, ports.options, ports.ledger, ports.now());
  }
  const claimed = await claim(admission, target, deadline, ports);
  if ('kept' in claimed) return claimed;
  const { tenant } = admission;
  const binding: Binding = { deadline, claim: claimed.claim, hold: undefined };
  const spending = spendingOf(admission, target);
  binding.hold = await orGiveUp(binding, ports, () =>
    reserveBudgets(tenant, spending, deadline.remainingMs(), ports),
  );
  return binding;
}

/** Does what is left to be done under a binding; where that throws, all that was reserved is given back. */
export async function orGiveUp<T>(
  binding: Binding,
  ports: PolicyPorts,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await giveUp(binding, ports).catch((failure: unknown) => {
      ports.log.error({ err: failure }, 'a key could not be freed');
    });
    throw error;
  }
}

/** What budgets are asked for. */
export function spendingOf(
  { principal, actsFor, envelope }: Pick<Admission, 'principal' | 'actsFor' | 'envelope'>,
  { capability, effect }: Pick<Target, 'capability' | 'effect'>,
): Spending {
  const { onBehalfOf } = envelope;
  return { principal, actsFor, capability, onBehalfOf, isRead: effect === 'read' };
}

/** Gives back all that was reserved: nothing ran. */
export async function giveUp({ claim, hold }: Binding, ports: PolicyPorts): Promise<void> {
  await Promise.all([
    claim && settleKey(claim, 'free', { ...ports, token: () => '' }),
    hold && settleBudgets(hold, false, ports),
  ]);
}

type Claimed = { claim: Claim | undefined } | { kept: KeptOutcome };

function claim(
  admission: Admission,
  target: Target,
  deadline: Deadline,
  ports: PolicyPorts,
): Claimed | Promise<Claimed> {
  const keyed =
    admission.key !== undefined && (admission.keyIsExplicit || target.effect !== 'read');
  if (!keyed || admission.key === undefined) return { claim: undefined };
  return claimKey(
    admission.key,
    {
      capability: target.capability,
      requestId: admission.requestId,
      ...(target.effect === undefined ? {} : { effect: target.effect }),
      ...(target.asked === undefined ? {} : { asked: target.asked }),
    },
    deadline.remainingMs(),
    {
      ledger: ports.ledger,
      now: ports.now,
      token: () => ports.ids.next('key'),
      options: ports.options,
    },
  );
}
