import type { ServerOptions } from 'node:http';

/** Node looks at what is late each half minute by itself: a limit of a second would be one of 31. */
const LOOK_MS = 5_000;

/**
 * What of Node's server sends away whoever sends slowly, not much later than the limit says. Head and
 * whole request have the one limit: where Node has more time for the head it swaps the two.
 */
export function paced(requestTimeoutMs: number): ServerOptions {
  return {
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(LOOK_MS, Math.ceil(requestTimeoutMs / 4)),
  };
}
