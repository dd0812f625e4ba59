import {
  type AddressVerdict,
  type Clock,
  type Fetch,
  FetchFailure,
  type FetchRequest,
} from '@agent-reach/core/kernel';
import { LRUCache } from 'lru-cache';
import type { EgressRules } from './address-rules.ts';
import { Exchange } from './exchange.ts';
import { type Judged, openJudgedNames, type Resolve, systemResolve } from './judged-names.ts';
import { OUTBOUND_DEFAULTS, type OutboundOptions } from './options.ts';
import { openPools, type Pools } from './pools.ts';
import { readTarget, type Target } from './url-rules.ts';

/** What the room needs from the house. Settings that are left out are the defaults. */
export interface OpenOutbound extends Partial<OutboundOptions> {
  rules: EgressRules;
  clock: Clock;
  /** Another resolver, for tests. */
  resolve?: Resolve;
}

/** The room, open. */
export interface Outbound {
  fetch: Fetch;
  /** Ends every exchange as `aborted` and closes every connection. Twice is fine. */
  close(): Promise<void>;
}

/**
 * The one way out of the gateway: HTTP to judged addresses only.
 *
 * The URL is read, its host resolved, every address judged by the egress policy, and only then is a
 * judged address connected to; a literal address is judged as well, since no resolver sees it.
 * Redirects come back as the answers they are, bodies as they were sent (nothing is decompressed,
 * and no compression is asked for). Nothing is ever sent twice.
 */
export function openOutbound(options: OpenOutbound): Outbound {
  const settings = { ...OUTBOUND_DEFAULTS, ...options };
  const { rules, clock, dnsTtlMs, poolsMax } = settings;
  // Those whose names are being resolved, which no pool knows of yet.
  const resolving = new Set<Exchange>();
  const pools = openPools(settings);
  const names = openJudgedNames({
    rules,
    clock,
    resolve: options.resolve ?? systemResolve,
    ttlMs: dnsTtlMs,
    namesMax: poolsMax,
  });
  const targets = new LRUCache<string, Target>({ max: TARGETS_MAX });
  let isClosed = false;

  const begin = (exchange: Exchange, request: FetchRequest) => {
    if (exchange.settled) return;
    if (isClosed) return exchange.fail('aborted', 'The gateway is closing.');
    // Another host than the one that was judged could be reached behind a shared address.
    if (request.headers['host'] !== undefined) {
      return exchange.fail('bad-url', "The host header is the URL's and cannot be given.");
    }
    const target = targetOf(request.url, targets);
    if (target instanceof FetchFailure) return exchange.failWith(target);
    const judged = names.judge(target);
    if (!(judged instanceof Promise)) {
      return send(pools, { exchange, target, judged, request });
    }
    resolving.add(exchange);
    void judged.then((found) => {
      resolving.delete(exchange);
      send(pools, { exchange, target, judged: found, request });
    });
  };

  const fetch = (request: FetchRequest) => {
    const exchange = new Exchange(request, clock);
    begin(exchange, request);
    return exchange.answer;
  };

  const judge = async (url: string): Promise<AddressVerdict> => {
    const target = targetOf(url, targets);
    // No address was found in it, and the text itself may hold a credential.
    if (target instanceof FetchFailure) {
      return { verdict: 'refused', address: '', detail: target.message };
    }
    return (await names.judge(target)).verdict;
  };

  return {
    fetch: Object.assign(fetch, { judge }),
    async close() {
      isClosed = true;
      for (const exchange of resolving) exchange.fail('aborted', 'The gateway is closing.');
      await pools.close(); // Ends the others.
    },
  };
}

/** Sends what was judged; what was refused, or is over already, ends here. */
function send(
  pools: Pools,
  what: { exchange: Exchange; target: Target; judged: Judged; request: FetchRequest },
): void {
  const { exchange, target, judged, request } = what;
  if (exchange.settled) return; // The time was up, or the caller gone, before the name resolved.
  const { verdict, poolKey } = judged;
  switch (verdict.verdict) {
    case 'unresolved':
      exchange.fail('resolve', `${verdict.detail}.`);
      return;
    case 'refused':
      exchange.fail('refused-address', `${verdict.detail}.`);
      return;
    case 'allowed': {
      const { method, headers, body = null } = request;
      const pool = pools.of(poolKey, target.origin, verdict.addresses);
      pool.dispatch({ path: target.path, method, headers, body }, exchange);
    }
  }
}

/** More abilities of agents than are called at once; what is dropped is only read again. */
const TARGETS_MAX = 2_000;

function targetOf(url: string, known: LRUCache<string, Target>): Target | FetchFailure {
  const before = known.get(url);
  if (before !== undefined) return before;
  try {
    const target = readTarget(url);
    known.set(url, target);
    return target;
  } catch (error) {
    if (error instanceof FetchFailure) return error;
    throw error;
  }
}
