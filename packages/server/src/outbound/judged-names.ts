import { lookup } from 'node:dns/promises';
import type { AddressVerdict, Clock } from '@agent-reach/core/kernel';
import { LRUCache } from 'lru-cache';
import type { EgressRules } from './address-rules.ts';
import type { Target } from './url-rules.ts';

/** Gives every address of a host name, none twice, in the order of preference. Rejects if none. */
export type Resolve = (host: string) => Promise<string[]>;

/** A verdict and how long it holds. */
export interface Judged {
  verdict: AddressVerdict;
  /** Names the origin together with its addresses: what connections may be shared by. */
  poolKey: string;
  /** On the monotonic clock. */
  endsAt: number;
}

/** Resolves names, judges what comes out, and remembers it for a moment. */
export interface JudgedNames {
  /** At once where the answer is known, which spares the hot path a turn of the event loop. */
  judge(target: Target): Judged | Promise<Judged>;
}

/** What the names need from the house. */
export interface JudgedNamesOptions {
  rules: EgressRules;
  clock: Clock;
  resolve: Resolve;
  ttlMs: number;
  namesMax: number;
}

/** The machine's own resolver, so that /etc/hosts and the search list count as everywhere else. */
export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

/**
 * One lookup at a time for a name: the system's resolver has four threads, and a name that does not
 * answer holds one for seconds. Failed lookups are not remembered: the name may appear any moment.
 */
export function openJudgedNames(options: JudgedNamesOptions): JudgedNames {
  const { rules, clock, resolve, ttlMs, namesMax } = options;
  const known = new LRUCache<string, Judged>({ max: namesMax });
  const running = new Map<string, Promise<Judged>>();

  const lookUp = async (target: Target): Promise<Judged> => {
    try {
      const addresses = await resolve(target.host);
      const judged = judgeAll(target, addresses, rules);
      const entry = { ...judged, endsAt: clock.monotonic() + ttlMs };
      if (ttlMs > 0 && addresses.length > 0) known.set(target.origin, entry);
      return entry;
    } catch (error) {
      const detail = `${target.host} does not resolve: ${(error as Error).message}`;
      return { verdict: { verdict: 'unresolved', detail }, poolKey: '', endsAt: 0 };
    } finally {
      running.delete(target.origin);
    }
  };

  return {
    judge(target) {
      const hit = known.get(target.origin);
      if (hit !== undefined && clock.monotonic() < hit.endsAt) return hit;
      if (target.literal !== undefined) {
        const judged = judgeAll(target, [target.literal], rules);
        const entry = { ...judged, endsAt: Number.POSITIVE_INFINITY };
        known.set(target.origin, entry);
        return entry;
      }
      let flight = running.get(target.origin);
      if (flight === undefined) {
        flight = lookUp(target);
        running.set(target.origin, flight);
      }
      return flight;
    },
  };
}

/** One refused address refuses the name: the system would choose among all of them. */
function judgeAll(
  { origin, host, port }: Target,
  addresses: string[],
  rules: EgressRules,
): Omit<Judged, 'endsAt'> {
  if (addresses.length === 0) {
    const detail = `${host} has no address`;
    return { verdict: { verdict: 'unresolved', detail }, poolKey: '' };
  }
  for (const address of addresses) {
    const judgement = rules.judgeAddress(address, host, port);
    if (!judgement.allowed) {
      const { detail } = judgement;
      return { verdict: { verdict: 'refused', address, detail }, poolKey: '' };
    }
  }
  return {
    verdict: { verdict: 'allowed', addresses },
    poolKey: `${origin} ${addresses.toSorted().join(' ')}`,
  };
}
