import { plain, termsOf, wordsOf } from '@agent-reach/server/meaning';

/** What a text of an index is made of: texts, and what each counts. */
export type Fields = readonly (readonly [text: string, weight: number])[];

const K1 = 1.2;
const B = 0.75;

/**
 * The baseline: BM25 over words and the cosine of runs of letters by tf and idf, half and half. No
 * thesaurus, no shares by length, no parameters: what anybody would write first.
 */
export class Plain {
  readonly #words: Leg;
  readonly #grams: Leg;

  /** `spelled`: how many of the fields are matched by their spelling as well, from the first. */
  constructor(documents: readonly Fields[], spelled: number) {
    const texts = documents.map((fields) => fields.map(([text, by]) => [plain(text), by] as const));
    this.#words = new Leg(texts.map((fields) => counted(fields, wordsOf)));
    this.#grams = new Leg(
      texts.map((fields) =>
        counted(fields.slice(0, spelled), (text) => termsOf(text).grams.keys()),
      ),
    );
  }

  /** A score of 0 to 1 for each document. */
  score(question: string): Float64Array {
    const text = plain(question);
    const words = this.#words.byBm25(new Set(wordsOf(text)));
    const grams = this.#grams.byCosine(new Set(termsOf(text).grams.keys()));
    return words.map((value, i) => (value + (grams[i] ?? 0)) / 2);
  }
}

type Term = string | number;

function counted(
  fields: Fields,
  termsIn: (text: string) => Iterable<Term>,
): ReadonlyMap<Term, number> {
  const counts = new Map<Term, number>();
  for (const [text, weight] of fields) {
    for (const term of termsIn(text)) counts.set(term, (counts.get(term) ?? 0) + weight);
  }
  return counts;
}

class Leg {
  readonly #size: number;
  readonly #postings = new Map<Term, [document: number, weight: number][]>();
  readonly #lengths: number[] = [];
  readonly #average: number;

  constructor(documents: readonly ReadonlyMap<Term, number>[]) {
    this.#size = documents.length;
    for (const [at, counts] of documents.entries()) {
      let length = 0;
      for (const [term, weight] of counts) {
        const list = this.#postings.get(term) ?? [];
        list.push([at, weight]);
        this.#postings.set(term, list);
        length += weight;
      }
      this.#lengths.push(length);
    }
    this.#average = this.#lengths.reduce((sum, one) => sum + one, 0) / this.#size || 1;
  }

  byBm25(terms: ReadonlySet<Term>): Float64Array {
    const scores = new Float64Array(this.#size);
    let most = 0;
    for (const term of terms) {
      const list = this.#postings.get(term) ?? [];
      const idf = Math.log(1 + (this.#size - list.length + 0.5) / (list.length + 0.5));
      most += idf * (K1 + 1);
      for (const [at, weight] of list) {
        const norm = K1 * (1 - B + (B * (this.#lengths[at] ?? 0)) / this.#average);
        scores[at] = (scores[at] ?? 0) + (idf * weight * (K1 + 1)) / (weight + norm);
      }
    }
    return scores.map((score) => score / (most || 1));
  }

  byCosine(terms: ReadonlySet<Term>): Float64Array {
    const scores = new Float64Array(this.#size);
    const norms = this.#norms();
    let squares = 0;
    for (const term of terms) {
      const idf = this.#idf(term);
      squares += idf ** 2;
      for (const [at, weight] of this.#postings.get(term) ?? []) {
        scores[at] = (scores[at] ?? 0) + idf * damped(weight) * idf;
      }
    }
    const own = Math.sqrt(squares) || 1;
    return scores.map((score, at) => score / (own * (norms[at] || 1)));
  }

  #cached: Float64Array | undefined;
  #norms(): Float64Array {
    if (this.#cached !== undefined) return this.#cached;
    const squares = new Float64Array(this.#size);
    for (const [term, list] of this.#postings) {
      for (const [at, weight] of list) {
        squares[at] = (squares[at] ?? 0) + (damped(weight) * this.#idf(term)) ** 2;
      }
    }
    this.#cached = squares.map(Math.sqrt);
    return this.#cached;
  }

  #idf(term: Term): number {
    const having = this.#postings.get(term)?.length ?? 0;
    return Math.log((1 + this.#size) / (1 + having)) + 1;
  }
}

function damped(weight: number): number {
  return 1 + Math.log(Math.max(1, weight));
}
