/** Which documents have a term, and how much of it. A term of one document takes one number. */
type List = number | number[];

/**
 * A document and the weight of a term in it share one small integer: the engine keeps those
 * without an object of their own. Weights are kept to a twentieth, up to 51.
 */
const WEIGHT_STEPS = 20;
const WEIGHT_BITS = 10;
const WEIGHT_MASK = 2 ** WEIGHT_BITS - 1;

/** More documents than this have no number of their own beside a weight. */
export const DOCUMENTS_MAX = 2 ** 20;

/** An inverted index that is changed in place: what was added or taken out counts at once. */
export class Postings<Term> {
  readonly #lists = new Map<Term, List>();

  /** Terms that any document has. */
  get size(): number {
    return this.#lists.size;
  }

  add(term: Term, document: number, weight: number): void {
    const steps = Math.max(1, Math.min(WEIGHT_MASK, Math.round(weight * WEIGHT_STEPS)));
    const posting = (document << WEIGHT_BITS) | steps;
    const list = this.#lists.get(term);
    if (list === undefined) this.#lists.set(term, posting);
    else if (typeof list === 'number') this.#lists.set(term, [list, posting]);
    else list.push(posting);
  }

  remove(term: Term, document: number): void {
    const list = this.#lists.get(term);
    if (list === undefined) return;
    if (typeof list === 'number') {
      if (documentIn(list) === document) this.#lists.delete(term);
      return;
    }
    const at = list.findIndex((posting) => documentIn(posting) === document);
    if (at < 0) return;
    const last = list.pop();
    if (last !== undefined && at < list.length) list[at] = last;
    const [only] = list;
    if (list.length === 1 && only !== undefined) this.#lists.set(term, only);
  }

  /** How many documents have the term. */
  count(term: Term): number {
    const list = this.#lists.get(term);
    if (list === undefined) return 0;
    return typeof list === 'number' ? 1 : list.length;
  }

  has(term: Term, document: number): boolean {
    const list = this.#lists.get(term);
    if (list === undefined) return false;
    if (typeof list === 'number') return documentIn(list) === document;
    return list.some((posting) => documentIn(posting) === document);
  }

  /** Packed postings of a term, to be read with `documentIn` and `stepsIn`; not to be changed. */
  of(term: Term): readonly number[] {
    const list = this.#lists.get(term);
    if (list === undefined) return NONE;
    return typeof list === 'number' ? [list] : list;
  }
}

const NONE: readonly number[] = [];

/** The document of a packed posting. */
export function documentIn(posting: number): number {
  return posting >>> WEIGHT_BITS;
}

/** The weight of a packed posting, in steps: a place in tables over `WEIGHTS`. */
export function stepsIn(posting: number): number {
  return posting & WEIGHT_MASK;
}

/** The weight that each number of steps stands for. */
export const WEIGHTS: Float64Array = Float64Array.from(
  { length: WEIGHT_MASK + 1 },
  (_, steps) => steps / WEIGHT_STEPS,
);
