import type { BudgetMoves } from './budgets.ts';
import type { ConfirmationMoves } from './confirmations.ts';
import type { Now } from './now.ts';

/**
 * What is known of one idempotency key.
 *
 * `claimed`: somebody works on it until `claimEndsAt`. `done`: the first final verdict is kept.
 * `unknown`: whoever worked on it went away without a verdict.
 */
export type KeyRecord = {
  /** Hash of everything that makes the request what it is. */
  fingerprint: string;
  /** What the first request was bound to (JSON), so that a repeat is never routed anew. */
  pinned: string;
  /**
   * Changes with each claim; only its holder may settle. A claim that lapsed and was taken over by
   * nobody still belongs to its token: a late verdict is better than none.
   */
  token: string;
  /** Never before `claimEndsAt`: what is being worked on is not forgotten. */
  expiresAt: number;
} & (
  | { state: 'claimed'; claimEndsAt: number }
  | { state: 'done'; answer: string }
  | { state: 'unknown' }
);

/** How a claim ends. `free` forgets the key: the request provably did not run. */
export type KeyVerdict =
  | { state: 'done'; answer: string }
  | { state: 'unknown' }
  | { state: 'free' };

/** Names a key: the scope holds tenant and principal, the key is the caller's own text. */
export interface KeyName {
  scope: string;
  key: string;
}

export interface LedgerStore extends BudgetMoves, ConfirmationMoves {
  /** Reads a key without touching it. A claim that lapsed reads as `unknown`; an expired key is absent. */
  lookup(query: KeyName & { now: Now }): Promise<KeyRecord | undefined>;

  /**
   * Claims a key. `held` comes with the record in the way, whatever its state; a lapsed claim
   * has become `unknown`. `over` takes an `unknown` record over by its token, whatever its
   * fingerprint: the caller has decided that running again is safe. `token` is made by the caller
   * and must be new.
   */
  claim(
    move: KeyName & {
      fingerprint: string;
      pinned: string;
      token: string;
      over?: string;
      claimMs: number;
      ttlMs: number;
      now: Now;
    },
  ): Promise<{ outcome: 'claimed' } | { outcome: 'held'; record: KeyRecord }>;

  /** Keeps a claim alive, or revives its own lapsed one. False: the token no longer holds it. */
  extend(move: KeyName & { token: string; claimMs: number; now: Now }): Promise<boolean>;

  /** Ends a claim, once. False: the token no longer holds it, and nothing changed. */
  settle(
    move: KeyName & { token: string; verdict: KeyVerdict; ttlMs: number; now: Now },
  ): Promise<boolean>;

  /**
   * Counts `amount` against `max` under a name that lives `ttlMs` from its first use. Refused
   * whole when it does not fit; `total` is what stands after the move. Volatile: a restart may forget it, so nothing that must be
   * remembered is counted here. Costs no disk.
   */
  spend(move: {
    name: string;
    amount: number;
    max: number;
    ttlMs: number;
    now: Now;
  }): Promise<{ granted: boolean; total: number }>;

  /**
   * Lets one go under a name at a steady pace: one each `everyUs` microseconds, and up to `burst` at
   * once where nobody went for long. Who is refused changes nothing and is told when to come. All
   * gateways on a store keep one pace together. Volatile, like `spend`. `remaining` may follow at
   * once, and all of the burst is there again after `resetMs`.
   */
  pace(move: {
    name: string;
    everyUs: number;
    burst: number;
    now: Now;
  }): Promise<{ allowed: boolean; remaining: number; retryMs: number; resetMs: number }>;

  /**
   * Forgets expired keys, at most `limit`; answers how many. As many budgets that nobody asked for
   * since a whole period are forgotten beside them.
   */
  prune(move: { limit: number; now: Now }): Promise<number>;
}
