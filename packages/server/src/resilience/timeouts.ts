/** The three time limits of one call, milliseconds, each longer than the one before. */
export interface TimeLimits {
  agentMs: number;
  gatewayMs: number;
  callerMs: number;
}

const GATEWAY_MS = 2_500;
const CALLER_MS = 3_000;

/**
 * Derives the limits of a call from what its capability declares: the gateway waits
 * a margin longer than the agent may take, the caller a margin longer than the gateway. Never
 * below the defaults of 2.5 s and 3 s, so a slower capability lifts the others and a faster one
 * leaves room for a second attempt.
 */
export function timeLimits(agentMs: number): TimeLimits {
  const gatewayMs = Math.max(GATEWAY_MS, withMargin(agentMs));
  return { agentMs, gatewayMs, callerMs: Math.max(CALLER_MS, withMargin(gatewayMs)) };
}

/**
 * How long an agent may take over a request that asks for `askedMs`: its declared time, or as much
 * more as it allows to be asked for. A request that wants less says so by its deadline.
 */
export function agentLimitMs(
  {
    timeout_ms: ownMs,
    max_timeout_ms: mostMs = ownMs,
  }: { timeout_ms: number; max_timeout_ms?: number },
  askedMs: number | undefined,
): number {
  return Math.max(ownMs, Math.min(askedMs ?? 0, mostMs));
}

/** What whoever waits on `ms` should wait: 10 % more, at least 50 ms. */
export function withMargin(ms: number): number {
  return ms + Math.max(50, Math.ceil(ms * 0.1));
}
