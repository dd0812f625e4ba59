import { BLOCK_MAX, Blocks, isSameSize } from './blocks.ts';
import { Column } from './column.ts';
import { FreeNumbers } from './free-numbers.ts';

/**
 * A number, of a document or of a term, and a weight share 32 bits. Weights are kept to a twentieth,
 * up to 51.
 */
export const WEIGHT_STEPS = 20;
const WEIGHT_BITS = 10;
const WEIGHT_MASK = 2 ** WEIGHT_BITS - 1;

/** More documents, or terms, than this have no number of their own beside a weight. */
export const NUMBERS_MAX = 2 ** (32 - WEIGHT_BITS);

/** How much longer than it must be a long list gets at once; one of half its room is cut. */
const GROWTH = 1.25;
const SHRINK = 2;

/** Where the postings of a term lie. */
export interface Span {
  array: Uint32Array;
  from: number;
  to: number;
}

/**
 * Which documents have a term, and how much of it: an inverted index that is changed in place. A list
 * of one lies in its head, one of up to 64 in a block among others, a longer one in an array of its own.
 * Adding copies the list of that term at most, and that only when its room is full.
 */
export class Postings {
  /**
   * Two numbers a term: how many postings it has; and the only one, or the place of its block, or that of
   * its list among the long ones.
   */
  readonly #heads = new Column();
  readonly #blocks = new Blocks();
  readonly #long: Uint32Array[] = [];
  readonly #longNumbers = new FreeNumbers();
  readonly #single = new Uint32Array(1);
  readonly #span: Span = { array: this.#single, from: 0, to: 0 };

  /** How many documents have the term. */
  count(term: number): number {
    return this.#heads.get(2 * term);
  }

  /**
   * The postings of a term, to be read with `numberIn` and `stepsIn` and not to be changed; valid until
   * the next are asked for, or anything is changed.
   */
  of(term: number): Readonly<Span> {
    const span = this.#span;
    const count = this.#heads.get(2 * term);
    const head = this.#heads.get(2 * term + 1);
    span.from = 0;
    if (count <= 1) {
      this.#single[0] = head;
      span.array = this.#single;
    } else if (count <= BLOCK_MAX) {
      span.array = this.#blocks.pageOf(head);
      span.from = this.#blocks.withinPage(head);
    } else {
      span.array = this.#long[head] ?? NOTHING;
    }
    span.to = span.from + count;
    return span;
  }

  add(term: number, posting: number): void {
    const count = this.#heads.get(2 * term);
    if (!this.#isHoused(term, count, count + 1)) this.#house(term, count, count + 1);
    this.#heads.set(2 * term, count + 1);
    if (count === 0) this.#heads.set(2 * term + 1, posting);
    const { array, to } = this.of(term);
    array[to - 1] = posting;
  }

  remove(term: number, document: number): void {
    const { array, from, to } = this.of(term);
    let at = from;
    while (at < to && numberIn(array[at] ?? 0) !== document) at += 1;
    if (at === to) return;
    array[at] = array[to - 1] ?? 0;
    const count = to - from;
    if (!this.#isHoused(term, count, count - 1)) this.#house(term, count, count - 1);
    this.#heads.set(2 * term, count - 1);
  }

  /** Moves a list where one of another length belongs. */
  #house(term: number, before: number, after: number): void {
    const { array, from } = this.of(term);
    const kept = array.slice(from, from + Math.min(before, after));
    const head = this.#heads.get(2 * term + 1);
    if (before > BLOCK_MAX) {
      this.#long[head] = NOTHING;
      this.#longNumbers.giveBack(head);
    } else if (before > 1) {
      this.#blocks.giveBack(head, before);
    }
    if (after > BLOCK_MAX) {
      const own = new Uint32Array(Math.ceil(after * GROWTH));
      own.set(kept);
      const place = this.#longNumbers.take();
      this.#long[place] = own;
      this.#heads.set(2 * term + 1, place);
    } else if (after > 1) {
      const place = this.#blocks.take(after);
      this.#blocks.pageOf(place).set(kept, this.#blocks.withinPage(place));
      this.#heads.set(2 * term + 1, place);
    } else {
      this.#heads.set(2 * term + 1, kept[0] ?? 0);
    }
  }

  #isHoused(term: number, before: number, after: number): boolean {
    if (before <= 1 || after <= 1) return before <= 1 && after <= 1;
    if (before <= BLOCK_MAX && after <= BLOCK_MAX) return isSameSize(before, after);
    if (before <= BLOCK_MAX || after <= BLOCK_MAX) return false;
    const room = this.#long[this.#heads.get(2 * term + 1)]?.length ?? 0;
    return after <= room && after * SHRINK > room;
  }
}

const NOTHING = new Uint32Array(0);

/** A number and a weight as one. */
export function pack(number: number, weight: number): number {
  const steps = Math.max(1, Math.min(WEIGHT_MASK, Math.round(weight * WEIGHT_STEPS)));
  return ((number << WEIGHT_BITS) | steps) >>> 0;
}

/** The document, or term, that was packed. */
export function numberIn(packed: number): number {
  return packed >>> WEIGHT_BITS;
}

/** The weight that was packed, in steps: a place in tables over `WEIGHTS`. */
export function stepsIn(packed: number): number {
  return packed & WEIGHT_MASK;
}

/** The weight that each number of steps stands for. */
export const WEIGHTS: Float64Array = Float64Array.from(
  { length: WEIGHT_MASK + 1 },
  (_, steps) => steps / WEIGHT_STEPS,
);
