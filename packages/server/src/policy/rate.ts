import { type RateTold, ReachError } from '@agent-reach/core';
import type { PolicyPorts } from './ports.ts';

/** A pace that somebody or something must keep. */
export interface RateLimit {
  /** What it is called in headers and problems. */
  policy: 'client' | 'tenant' | 'capability';
  /** Whose it is. */
  of: string;
  /** Requests a second, over 0. */
  qps: number;
}

const SECOND_US = 1_000_000;

/**
 * Takes one request out of a limit, which all gateways of a store keep together. As many may come at
 * once as in a second, one where that is less. Throws `rate-limited` when it is spent.
 */
export async function keepPace(
  { policy, of, qps }: RateLimit,
  { ledger, now }: Pick<PolicyPorts, 'ledger' | 'now'>,
): Promise<RateTold> {
  const burst = Math.max(1, Math.floor(qps));
  const everyUs = Math.max(1, Math.round(SECOND_US / qps));
  const name = `${policy}/${of}`;
  const pace = await ledger.pace({ name, everyUs, burst, now: now() });
  const waitMs = pace.allowed ? pace.resetMs : pace.retryMs;
  const told = {
    policy,
    q: burst,
    w: Math.max(1, Math.round((burst * everyUs) / SECOND_US)),
    r: pace.remaining,
    t: Math.ceil(waitMs / 1_000),
  };
  if (pace.allowed) return told;
  throw new ReachError('rate-limited', `${of} may make ${qps} requests a second.`, {
    limit: qps,
    retry_after_ms: pace.retryMs,
    violated_policies: [policy],
    rate_limits: [told],
  });
}
