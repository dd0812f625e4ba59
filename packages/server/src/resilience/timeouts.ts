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

/** What whoever waits on `ms` should wait: 10 % more, at least 50 ms. */
export function withMargin(ms: number): number {
  return ms + Math.max(50, Math.ceil(ms * 0.1));
}
