import { ReachError } from '@agent-reach/core';
import type { LedgerStore } from '../storage/spi/ledger.ts';
import type { Now } from '../storage/spi/now.ts';

/** How many calls deep a call is: 1 when nobody called the caller. */
export function hopOf(path: readonly string[]): number {
  return path.length + 1;
}

/**
 * Refuses a chain that is too long. Two agents that call each other would go on until the fleet
 * dies, and look merely slow while doing so.
 */
export function demandDepth(path: readonly string[], depthMax: number): void {
  if (hopOf(path) <= depthMax) return;
  throw new ReachError(
    'call-too-deep',
    `The call chain is too deep: call ${hopOf(path)} of a chain that may have ${depthMax} (${path.join(' → ')}).`,
    { path: [...path], limit: depthMax },
  );
}

/** Refuses a chain that would come back to a capability of an agent it has already been through. */
export function demandNoCycle(path: readonly string[], agentId: string, capability: string): void {
  const step = `${agentId}/${capability}`;
  if (!path.includes(step)) return;
  throw new ReachError(
    'cycle-detected',
    `The call chain runs in a circle: ${[...path, step].join(' → ')}.`,
    { path: [...path, step] },
  );
}

/**
 * Takes one call out of what a trace may spend.
 *
 * The first call of a trace that the gateway made is not counted when it is made: most have no
 * second one, and a counter each would fill the store. The first nested call pays for both.
 */
export async function spendTraceCall(
  trace: { tenant: string; traceId: string; isNested: boolean },
  limits: { traceCallsMax: number; traceWindowMs: number },
  ledger: LedgerStore,
  now: Now,
): Promise<void> {
  const one = {
    name: `calls/${trace.tenant}/${trace.traceId}`,
    amount: 1,
    max: limits.traceCallsMax,
    ttlMs: limits.traceWindowMs,
    now,
  };
  let { granted, total } = await ledger.spend(one);
  if (granted && trace.isNested && total === 1) ({ granted, total } = await ledger.spend(one));
  if (granted) return;
  throw new ReachError(
    'call-budget-exceeded',
    `Trace ${trace.traceId} has made its ${limits.traceCallsMax} calls of the last ${limits.traceWindowMs / 1000} s.`,
    { limit: limits.traceCallsMax },
  );
}
