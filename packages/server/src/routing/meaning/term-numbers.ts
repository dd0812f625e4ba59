import { Column } from './column.ts';
import { FreeNumbers } from './free-numbers.ts';

/** The numbers by which an index knows its terms: small, and used again when a term is gone. */
export interface TermNumbers<Term> {
  readonly size: number;
  /** -1: it has none. */
  find(term: Term): number;
  /** Its number; one that is new where it had none. */
  take(term: Term): number;
  giveBack(number: number): void;
}

/** Numbers of words. The engine's own map knows how to be safe from words that were made to collide. */
export class WordNumbers implements TermNumbers<string> {
  readonly #numbers = new Map<string, number>();
  readonly #words: (string | undefined)[] = [];
  readonly #free = new FreeNumbers();

  get size(): number {
    return this.#numbers.size;
  }

  find(word: string): number {
    return this.#numbers.get(word) ?? -1;
  }

  take(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#free.take();
    this.#numbers.set(word, number);
    this.#words[number] = word;
    return number;
  }

  giveBack(number: number): void {
    const word = this.#words[number];
    if (word === undefined) return;
    this.#numbers.delete(word);
    this.#words[number] = undefined;
    this.#free.giveBack(number);
  }
}

/** A table of numbers, each raised by one; 0: nothing is there. */
interface Table {
  /** How many of the highest bits of a hash all its terms have in common. */
  depth: number;
  count: number;
  slots: Uint32Array;
}

const SLOTS_MIN = 16;
/** A table that would need more is split in two instead: no growth moves more than this. */
const SLOTS_MAX = 4_096;
const LOAD_MAX = 0.75;
/** Beyond, tables of terms that were made to collide grow after all; there are so many of them at most. */
const DEPTH_MAX = 12;

/**
 * Numbers of hashes of 30 bits, in about a third of the memory of the engine's map, and growing without its
 * pauses: what is full is split alone (extendible hashing), and all the rest stays where it is.
 */
export class HashNumbers implements TermNumbers<number> {
  /** By the highest `#depth` bits of a hash; several places may have the same table. */
  #tables: Table[] = [emptyTable(0, SLOTS_MIN)];
  #depth = 0;
  readonly #terms = new Column();
  readonly #free = new FreeNumbers();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(term: number): number {
    const hash = hashOf(term);
    const { slots } = this.#tableOf(hash);
    return (slots[this.#slotOf(term, hash, slots)] ?? 0) - 1;
  }

  take(term: number): number {
    const known = this.find(term);
    if (known >= 0) return known;
    const number = this.#free.take();
    this.#terms.set(number, term);
    this.#size += 1;
    const hash = hashOf(term);
    let table = this.#tableOf(hash);
    while (table.count + 1 > table.slots.length * LOAD_MAX) {
      this.#widen(table, hash);
      table = this.#tableOf(hash);
    }
    this.#put(number, table);
    return number;
  }

  giveBack(number: number): void {
    const term = this.#terms.get(number);
    const hash = hashOf(term);
    const table = this.#tableOf(hash);
    const { slots } = table;
    const at = this.#slotOf(term, hash, slots);
    if (slots[at] !== number + 1) return;
    this.#close(at, slots);
    table.count -= 1;
    this.#size -= 1;
    this.#free.giveBack(number);
  }

  /** The slot of a term, or the empty one where it would go. */
  #slotOf(term: number, hash: number, slots: Uint32Array): number {
    const mask = slots.length - 1;
    let at = hash & mask;
    for (;;) {
      const raised = slots[at] ?? 0;
      if (raised === 0 || this.#terms.get(raised - 1) === term) return at;
      at = (at + 1) & mask;
    }
  }

  #put(number: number, table: Table): void {
    const term = this.#terms.get(number);
    table.slots[this.#slotOf(term, hashOf(term), table.slots)] = number + 1;
    table.count += 1;
  }

  /** Empties a slot, and moves up what was pushed on by what was in it. */
  #close(gap: number, slots: Uint32Array): void {
    const mask = slots.length - 1;
    let empty = gap;
    for (let at = (gap + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const raised = slots[at] ?? 0;
      const home = hashOf(this.#terms.get(raised - 1)) & mask;
      if (((at - home) & mask) < ((at - empty) & mask)) continue;
      slots[empty] = raised;
      empty = at;
    }
    slots[empty] = 0;
  }

  /** Makes room in a table, by another twice as long or by a second one. */
  #widen(table: Table, hash: number): void {
    const { slots, depth } = table;
    if (slots.length < SLOTS_MAX || depth >= DEPTH_MAX) {
      table.slots = new Uint32Array(2 * slots.length);
      table.count = 0;
      for (const raised of slots) if (raised !== 0) this.#put(raised - 1, table);
      return;
    }
    if (depth === this.#depth) {
      this.#tables = this.#tables.flatMap((one) => [one, one]);
      this.#depth += 1;
    }
    const own = this.#placeOf(hash);
    const places = 2 ** (this.#depth - depth);
    const first = own - (own % places);
    const halves = [0, 1].map(() => emptyTable(depth + 1, SLOTS_MAX));
    for (let place = 0; place < places; place++) {
      const half = halves[place < places / 2 ? 0 : 1];
      if (half !== undefined) this.#tables[first + place] = half;
    }
    for (const raised of slots) {
      if (raised === 0) continue;
      this.#put(raised - 1, this.#tableOf(hashOf(this.#terms.get(raised - 1))));
    }
  }

  #placeOf(hash: number): number {
    // A shift by 32 is one by 0.
    return (hash >>> 1) >>> (31 - this.#depth);
  }

  #tableOf(hash: number): Table {
    return this.#tables[this.#placeOf(hash)] ?? NO_TABLE;
  }
}

const NO_TABLE = emptyTable(DEPTH_MAX, SLOTS_MIN);

function emptyTable(depth: number, slots: number): Table {
  return { depth, count: 0, slots: new Uint32Array(slots) };
}

/** Spreads the bits; no two terms have the same. */
function hashOf(term: number): number {
  return Math.imul(term, 0x9e3779b1) >>> 0;
}
