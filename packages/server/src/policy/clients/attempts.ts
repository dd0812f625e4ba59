import { isIPv6 } from 'node:net';
import { ReachError } from '@agent-reach/core';
import type { Clock, Log } from '@agent-reach/core/kernel';
import { FailurePace } from '../../resilience/failure-pace.ts';
import type { Authenticated, Credentials } from './authenticate.ts';

/** Some 2 MB; who has more addresses than this has slowed himself down. */
const ADDRESSES_MAX = 10_000;

type Authenticate = (said: Credentials) => Promise<Authenticated>;

/**
 * Turns away with 429 whoever fails too often from one address. Each credential is looked at all the
 * same, which costs little, and a right one goes through whatever others at the address do: behind one
 * address there may be many, and none may lock out the rest. What a wrong one was wrong by is not told.
 */
export function slowed(
  authenticate: Authenticate,
  { perMinute, clock, log }: { perMinute: number; clock: Clock; log: Log },
): Authenticate {
  if (perMinute === 0) return authenticate;
  const pace = new FailurePace({ perMinute, namesMax: ADDRESSES_MAX });
  const warned = new FailurePace({ perMinute: 1, namesMax: ADDRESSES_MAX });
  return async (said) => {
    try {
      return await authenticate(said);
    } catch (error) {
      if (!isGuess(error)) throw error;
      const address = placeOf(said.peer);
      const now = clock.monotonic();
      const waitMs = pace.failed(address, now);
      if (waitMs === undefined) throw error;
      if (warned.failed(address, now) === undefined) {
        log.warn({ address }, 'somebody fails to show who he is, again and again');
      }
      throw new ReachError(
        'rate-limited',
        `From this address there were more than ${perMinute} wrong credentials in a minute.`,
        { limit: perMinute, retry_after_ms: Math.ceil(waitMs), retryable: false },
      );
    }
  };
}

/** A wrong credential; not one that would do a moment later, nor a fault of ours. */
function isGuess(error: unknown): boolean {
  return ReachError.is(error) && error.status === 401 && !error.retryable;
}

/** Whoever has one address of IPv6 has 2^64 of them. */
export function placeOf(peer: string): string {
  if (!isIPv6(peer)) return peer;
  const [head = '', tail] = peer.split('%', 1)[0]?.split('::') ?? [];
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
