import { NONCE_TTL_MS, PROFILE } from '@agent-reach/core';
import type { LedgerStore } from '../../storage/spi/ledger.ts';
import type { Now } from '../../storage/spi/now.ts';

/** A signature, as far as its repetition is known by it. */
export interface Used {
  clientId: string;
  kid: string;
  nonce: string;
  /** Epoch seconds. */
  created: number;
}

/**
 * `forgotten`: the signature is older than what is remembered, so nobody can say that it is new; one
 * that is made from `since` on (epoch seconds) is taken.
 */
export type NonceVerdict = { is: 'fresh' } | { is: 'used' } | { is: 'forgotten'; since: number };

/** Remembers which signatures were used, each for as long as it may verify. */
export interface Nonces {
  /** Notes a use. Of many at once with one nonce, one is fresh. */
  use(signature: Used): NonceVerdict | Promise<NonceVerdict>;
}

/** One memory for all gateways on a store that counts beyond their processes. */
export function sharedNonces(ledger: LedgerStore, now: () => Now): Nonces {
  return {
    async use(signature) {
      const move = { name: nameOf(signature), amount: 1, max: 1, ttlMs: NONCE_TTL_MS, now: now() };
      return { is: (await ledger.spend(move)).granted ? 'fresh' : 'used' };
    },
  };
}

/** Some 40 MB: the last 100 s of 2,000 signed requests a second. */
const NONCES_MAX = 200_000;

/**
 * The memory of a gateway alone on its store: it begins with the process, and is bounded. What it
 * does not remember it does not take, from before its start and from before what it had to drop.
 */
export class OwnNonces implements Nonces {
  /** By the second in which they were made. */
  readonly #used = new Map<number, Set<string>>();
  readonly #nowMs: () => number;
  readonly #max: number;
  #size = 0;
  /** Signatures made before this second may have been used. */
  #since: number;

  constructor({ nowMs, max = NONCES_MAX }: { nowMs: () => number; max?: number }) {
    this.#nowMs = nowMs;
    this.#max = max;
    this.#since = Math.ceil(nowMs() / 1_000);
  }

  use(signature: Used): NonceVerdict {
    const { created } = signature;
    if (created < this.#since) return { is: 'forgotten', since: this.#since };
    const name = nameOf(signature);
    const second = this.#used.get(created) ?? new Set();
    if (second.has(name)) return { is: 'used' };
    second.add(name);
    this.#used.set(created, second);
    this.#size += 1;
    if (this.#size > this.#max) this.#shrink();
    return { is: 'fresh' };
  }

  /** Drops what cannot verify any more; if that is nothing, the oldest second, for good. */
  #shrink(): void {
    const verifiable = Math.floor(this.#nowMs() / 1_000) - PROFILE.ageMaxS;
    for (const second of [...this.#used.keys()].sort((a, b) => a - b)) {
      if (second >= verifiable && this.#size <= this.#max) return;
      this.#size -= this.#used.get(second)?.size ?? 0;
      this.#used.delete(second);
      this.#since = Math.max(this.#since, second + 1);
    }
  }
}

function nameOf({ clientId, kid, nonce }: Used): string {
  return `nonce:${clientId}:${kid}:${nonce}`;
}
