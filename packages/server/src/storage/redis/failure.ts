import { ReachError } from '@agent-reach/core';

/**
 * What callers of the store are told of anything thrown. An error reply of the server begins with its
 * code; its own text stays in the cause.
 */
export function failureOf(error: unknown): ReachError {
  if (ReachError.is(error) || !(error instanceof Error)) return ReachError.from(error);
  const [code = ''] = error.message.split(' ', 1);
  if (code === 'OOM' || (code === 'MISCONF' && error.message.includes('No space left'))) {
    return new ReachError('storage-full', 'Redis has no room left.', {}, error);
  }
  if (UNAVAILABLE.has(code)) {
    return new ReachError('store-unavailable', `Redis refused: ${code}.`, {}, error);
  }
  // A script that fails is a fault of this program.
  return ReachError.from(error);
}

/** States of a server, or of our right to use it, in which nothing is run. */
const UNAVAILABLE: ReadonlySet<string> = new Set([
  'ASK',
  'BUSY',
  'CLUSTERDOWN',
  'LOADING',
  'MASTERDOWN',
  'MISCONF',
  'MOVED',
  'NOAUTH',
  'NOPERM',
  'NOREPLICAS',
  'READONLY',
  'TRYAGAIN',
  'WRONGPASS',
]);
