import { PROFILE } from './profile.ts';

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

/** Some 40 MB: the last 100 s of 2,000 signed requests a second. */
const NONCES_MAX = 200_000;

/** Whose clock counts, and how much is remembered. */
export interface OwnNoncesOptions {
  nowMs: () => number;
  /** Default 200,000. */
  max?: number;
  /**
   * The first second that counts as remembered, epoch seconds. Default: the next one after now. An
   * earlier one is for whoever refuses by other means what was signed before it began.
   */
  sinceS?: number;
}

/**
 * The memory of one process: it begins with it, and is bounded. What it does not remember it does
 * not take, from before its start and from before what it had to drop.
 */
export class OwnNonces {
  /** By the second in which they were made. */
  readonly #used = new Map<number, Set<string>>();
  readonly #nowMs: () => number;
  readonly #max: number;
  #size = 0;
  /** Signatures made before this second may have been used. */
  #since: number;

  constructor({ nowMs, max = NONCES_MAX, sinceS }: OwnNoncesOptions) {
    this.#nowMs = nowMs;
    this.#max = max;
    this.#since = sinceS ?? Math.ceil(nowMs() / 1_000);
  }

  use(signature: Used): NonceVerdict {
    const { created } = signature;
    if (created < this.#since) return { is: 'forgotten', since: this.#since };
    const name = nonceName(signature);
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

/** Under which name a use is counted. */
export function nonceName({ clientId, kid, nonce }: Used): string {
  return `nonce:${clientId}:${kid}:${nonce}`;
}
