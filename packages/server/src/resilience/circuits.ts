import type { Clock, Random, Values } from '@agent-reach/core/kernel';
import {
  blockedMs,
  type Breaker,
  type BreakerRules,
  enter,
  leave,
  newBreaker,
  type Pass,
  type Verdict,
} from './breaker-machine.ts';
import type { BREAKER_OPTIONS } from './options.ts';

/** What a breaker stands before: a capability at one endpoint. */
export interface CircuitName {
  /** See `endpointKey`. */
  endpoint: string;
  capability: string;
}

/** A breaker that is not closed, as it is shown. */
export interface CircuitView {
  state: 'open' | 'half-open';
  /** Until something gets through again; 0: now. */
  blockedMs: number;
  why: string;
}

/** How a request went that was let through. */
export interface Ending {
  verdict: Verdict;
  isSlow: boolean;
  isConnector: boolean;
  /** All endpoints where this capability could be had now. */
  rivals: () => Iterable<string>;
}

/** Of a capability's endpoints, so many percent may be shut off at once, and one in any case. */
const OPEN_PERCENT_MAX = 50;
/** More breakers than are in use at once; the one that was idle longest is forgotten. */
const BREAKERS_MAX = 5_000;
const IDLE_MS = 600_000;
/** A connector stands for a whole system: it is left alone sooner. */
const CONNECTOR_FAILURE_PERCENT = 20;

/** How far the order of use may be behind: to move an entry at every call would cost a table each. */
const ORDER_MS = 1_000;

interface Entry {
  breaker: Breaker;
  usedAt: number;
  /** When it was put last in the order of use. */
  placedAt: number;
}

/**
 * The breakers of this gateway, one for each capability at each endpoint, made with its first use.
 * In memory and of this process alone: another gateway finds out for itself. No timers: time is
 * looked at when somebody asks.
 */
export class Circuits {
  /** Least recently used first. */
  readonly #entries = new Map<string, Entry>();
  /** Those that are not closed: mostly none, so that asking costs nothing. */
  readonly #tripped = new Set<string>();
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #rules: { ofAgents: BreakerRules; ofConnectors: BreakerRules };

  constructor(clock: Clock, random: Random, options: Values<typeof BREAKER_OPTIONS>) {
    this.#clock = clock;
    this.#random = random;
    const failurePercent = Math.min(options.failurePercent, CONNECTOR_FAILURE_PERCENT);
    this.#rules = { ofAgents: options, ofConnectors: { ...options, failurePercent } };
  }

  /** For how long nothing gets through, 0: something would. */
  blockedMs(name: CircuitName): number {
    if (this.#tripped.size === 0) return 0;
    const entry = this.#entries.get(keyOf(name));
    return entry === undefined ? 0 : blockedMs(entry.breaker, this.#clock.monotonic());
  }

  /** How a breaker stands that is not closed. */
  of(name: CircuitName): CircuitView | undefined {
    if (this.#tripped.size === 0) return undefined;
    const breaker = this.#entries.get(keyOf(name))?.breaker;
    if (breaker === undefined || breaker.state.is === 'closed') return undefined;
    const blocked = blockedMs(breaker, this.#clock.monotonic());
    const isTried = breaker.state.is === 'half-open' || blocked === 0;
    return {
      state: isTried ? 'half-open' : 'open',
      blockedMs: blocked,
      why: breaker.state.why,
    };
  }

  /** Asks to send one request; undefined: the breaker is open. `leaseMs`: how long it may take. */
  enter(name: CircuitName, leaseMs: number): Pass | undefined {
    const key = keyOf(name);
    const entry = this.#use(key);
    const { breaker, pass } = enter(entry.breaker, { at: entry.usedAt, leaseMs });
    entry.breaker = breaker;
    return pass;
  }

  /** Takes in how a request that was let through ended. */
  leave(name: CircuitName, pass: Pass, { verdict, isSlow, isConnector, rivals }: Ending): void {
    const key = keyOf(name);
    const entry = this.#entries.get(key);
    if (entry === undefined) return; // Forgotten meanwhile.
    const at = this.#clock.monotonic();
    entry.breaker = leave(
      entry.breaker,
      pass,
      { verdict, isSlow, at },
      {
        rules: isConnector ? this.#rules.ofConnectors : this.#rules.ofAgents,
        chance: () => this.#random.next(),
        mayOpen: () => this.#mayOpen(name, rivals()),
      },
    );
    if (entry.breaker.state.is === 'closed') this.#tripped.delete(key);
    else this.#tripped.add(key);
  }

  /** Forgets an endpoint that went away: whoever comes to its name begins anew. */
  drop(endpoint: string): void {
    for (const key of this.#tripped) {
      if (!key.startsWith(`${endpoint}/`)) continue;
      this.#tripped.delete(key);
      this.#entries.delete(key);
    }
  }

  #mayOpen({ capability }: CircuitName, rivals: Iterable<string>): boolean {
    let all = 0;
    let open = 0;
    for (const endpoint of rivals) {
      all += 1;
      if (this.#tripped.has(keyOf({ endpoint, capability }))) open += 1;
    }
    return open + 1 <= Math.max(1, (all * OPEN_PERCENT_MAX) / 100);
  }

  /** The entry as the one used last; a new one where nothing is known, or nothing of late. */
  #use(key: string): Entry {
    const now = this.#clock.monotonic();
    const known = this.#entries.get(key);
    if (known !== undefined && known.usedAt > now - IDLE_MS) {
      known.usedAt = now;
      if (now - known.placedAt >= ORDER_MS) this.#placeLast(key, known);
      return known;
    }
    if (known === undefined) this.#makeRoom(now);
    this.#tripped.delete(key);
    const entry = { breaker: newBreaker(now), usedAt: now, placedAt: now };
    this.#placeLast(key, entry);
    return entry;
  }

  #placeLast(key: string, entry: Entry): void {
    entry.placedAt = entry.usedAt;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  /** Drops what is idle, and the one that was longest if there are too many. */
  #makeRoom(now: number): void {
    for (const [key, { usedAt }] of this.#entries) {
      if (usedAt > now - IDLE_MS && this.#entries.size < BREAKERS_MAX) return;
      this.#entries.delete(key);
      this.#tripped.delete(key);
    }
  }
}

/** A breaker that is not closed, in words. */
export function toldOf({ state, blockedMs: ms, why }: CircuitView): string {
  if (state === 'open') return `circuit open for ${Math.ceil(ms / 1_000)} s more: ${why}`;
  return `circuit half open, a few are let through to see: ${why}`;
}

function keyOf({ endpoint, capability }: CircuitName): string {
  return `${endpoint}/${capability}`;
}
