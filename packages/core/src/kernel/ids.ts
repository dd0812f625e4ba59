import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/** The prefixes of sortable ids. Agents carry their own name instead. */
export type IdPrefix =
  | 'tsk'
  | 'tsm'
  | 'call'
  | 'rte'
  | 'evt'
  | 'sub'
  | 'cli'
  | 'cfm'
  | 'key'
  | 'gw'
  | 'bud'
  | 'chg';

/** Makes ids. Injected, so that a seeded test gets the same ids again. */
export interface Ids {
  /** `prefix_` and 26 characters that sort by time of making. */
  next(prefix: IdPrefix): string;
  /** 32 lower-case hex digits, never all zero: a W3C trace id. */
  trace(): string;
  /** 16 lower-case hex digits, never all zero: a W3C span id. */
  span(): string;
}

// Crockford's base 32 in lower case: no i, l, o, u, so an id survives being read aloud.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ids from a clock and chance: 48 bits of time, then 80 bits of chance, as in ULID. */
export function idsFrom(clock: Clock, random: Random): Ids {
  return {
    next: (prefix) => `${prefix}_${sortable(clock.now(), random.bytes(CHANCE_DIGITS))}`,
    trace: () => hex(random.bytes(16)),
    span: () => hex(random.bytes(8)),
  };
}

const TIME_DIGITS = 10;
const CHANCE_DIGITS = 16;

/** Where ids are written before they are texts: grown digit by digit, one is a chain of 25 pieces for good. */
const digits = Buffer.alloc(32);

function sortable(now: number, chance: Uint8Array): string {
  let rest = now;
  for (let i = TIME_DIGITS - 1; i >= 0; i--) {
    digits[i] = ALPHABET.charCodeAt(rest % 32);
    rest = Math.floor(rest / 32);
  }
  for (let i = 0; i < CHANCE_DIGITS; i++) {
    digits[TIME_DIGITS + i] = ALPHABET.charCodeAt((chance[i] ?? 0) & 31);
  }
  return digits.toString('latin1', 0, TIME_DIGITS + CHANCE_DIGITS);
}

const HEX = '0123456789abcdef';

function hex(bytes: Uint8Array): string {
  let all = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    all |= byte;
    digits[2 * i] = HEX.charCodeAt(byte >> 4);
    digits[2 * i + 1] = HEX.charCodeAt(byte & 15);
  }
  if (all === 0) digits[1] = HEX.charCodeAt(1);
  return digits.toString('latin1', 0, 2 * bytes.length);
}
