import { randomBytes, randomFillSync } from 'node:crypto';

/** The one door to chance. Jitter, sampling, tie-breaks and ids draw from it; a seed repeats a run. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer in [0, bound). */
  below(bound: number): number;
  /** `length` random bytes, owned by the caller. */
  bytes(length: number): Uint8Array;
}

const POOL_BYTES = 4096;

/**
 * Chance from the operating system, fit for secrets. Drawn in blocks of 4 KiB: one system call
 * an id would cost more than the id.
 */
export function systemRandom(): Random {
  const pool = new Uint8Array(POOL_BYTES);
  const view = new DataView(pool.buffer);
  let used = POOL_BYTES;
  /** Where the next `length` bytes begin. */
  const take = (length: number): number => {
    if (used + length > POOL_BYTES) {
      randomFillSync(pool);
      used = 0;
    }
    used += length;
    return used - length;
  };
  return fromWords(
    () => view.getUint32(take(4)),
    (length) => {
      if (length > POOL_BYTES) return randomBytes(length);
      const at = take(length);
      return pool.slice(at, at + length);
    },
  );
}

/**
 * Repeatable chance for tests and simulations; never for secrets.
 *
 * sfc32 of PractRand's small fast chaotic family, seeded by 32 bits and run in.
 */
export function seededRandom(seed: number): Random {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed >>> 0;
  let counter = 1;
  const word = () => {
    const sum = (a + b + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + sum) >>> 0;
    return sum;
  };
  for (let i = 0; i < 12; i++) word();
  return fromWords(word, (length) => Uint8Array.from({ length }, () => word() & 0xff));
}

function fromWords(word: () => number, bytes: (length: number) => Uint8Array): Random {
  const next = () => word() / 2 ** 32;
  return { next, below: (bound) => Math.floor(next() * bound), bytes };
}
