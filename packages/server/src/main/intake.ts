import { type OperationName, type RateTold, ReachError } from '@agent-reach/core';
import type { LoopDelay } from '@agent-reach/core/kernel';
import type { Principal } from '../policy/authenticate.ts';
import type { PolicyPorts } from '../policy/ports.ts';
import { keepPace, type RateLimit } from '../policy/rate.ts';
import { isTurnedAway, PRIORITY_DEFAULT } from '../resilience/load.ts';

/** What new work is held to before any room sees it. */
export interface Intake {
  delay: LoopDelay | undefined;
  policy: Pick<PolicyPorts, 'ledger' | 'now'>;
  limits: { clientQps: number; tenantQps: number; delayMs: number };
}

/** Operations that bring new work. All else goes on: health, what operators do, what holders say. */
const WORK: ReadonlySet<OperationName> = new Set<OperationName>([
  'calls.invoke',
  'routes.decide',
  'routes.explain',
  'routes.choose',
  'tasks.submit',
  'tasks.submit-many',
]);
const RETRY_AFTER_MS = 1_000;

/**
 * Holds new work to the state of this process first, which costs nothing to ask, then to the pace of
 * its tenant and of who asks. Answers what there is to tell of those; undefined: nothing. Throws
 * `overloaded` or `rate-limited`.
 */
export function takeIn(
  name: OperationName,
  input: Record<string, unknown>,
  who: Principal,
  intake: Intake,
): Promise<RateTold[]> | undefined {
  if (!WORK.has(name)) return undefined;
  demandTurn(input['priority'], intake);
  const rates = ratesOf(who, intake);
  return rates.length === 0 ? undefined : keepAll(rates, intake);
}

function demandTurn(said: unknown, { delay, limits }: Intake): void {
  if (delay === undefined || limits.delayMs === 0) return;
  const priority = typeof said === 'number' ? said : PRIORITY_DEFAULT;
  const delayMs = delay.p99Ms();
  if (!isTurnedAway(delayMs, priority, limits.delayMs)) return;
  throw new ReachError(
    'overloaded',
    `The gateway is ${Math.round(delayMs)} ms late with its work, and takes nothing of priority ${priority} now.`,
    { retry_after_ms: RETRY_AFTER_MS },
  );
}

const NONE: readonly RateLimit[] = [];

function ratesOf({ tenant, principal }: Principal, { limits }: Intake): readonly RateLimit[] {
  const { tenantQps, clientQps } = limits;
  if (tenantQps === 0 && clientQps === 0) return NONE;
  const rates: RateLimit[] = [];
  // The client's first: what it is refused takes nothing from its tenant.
  if (clientQps > 0) {
    rates.push({ policy: 'client', of: `${tenant}/${principal}`, qps: clientQps });
  }
  if (tenantQps > 0) rates.push({ policy: 'tenant', of: tenant, qps: tenantQps });
  return rates;
}

async function keepAll(rates: readonly RateLimit[], { policy }: Intake): Promise<RateTold[]> {
  const told: RateTold[] = [];
  for (const rate of rates) told.push(await keepPace(rate, policy));
  return told;
}
