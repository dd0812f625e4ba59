import { documentIn, Postings, stepsIn, WEIGHTS } from './postings.ts';
import { addTerms, noTerms, plain, type Terms } from './text.ts';

/** What a capability says of itself, field by field. */
export interface DocumentText {
  names: readonly string[];
  description: string;
  tags: readonly string[];
  /** Names and descriptions of the parameters. */
  parameters: readonly string[];
  /** Utterances that ask for it. */
  examples: readonly string[];
}

/** What each field counts, and whether its spelling is matched as well as its words. */
const FIELDS = [
  { of: (text: DocumentText) => text.names, weight: 1.5, withGrams: true },
  { of: (text: DocumentText) => [text.description], weight: 1, withGrams: true },
  { of: (text: DocumentText) => text.tags, weight: 0.5, withGrams: true },
  { of: (text: DocumentText) => text.parameters, weight: 0.3, withGrams: false },
  { of: (text: DocumentText) => text.examples, weight: 1, withGrams: true },
] as const;

/** BM25's own, as usual: how soon more of a word says no more, and how far length counts. */
const K1 = 1.2;
const B = 0.75;

/** More of the same letters says less and less. */
function damped(weight: number): number {
  return 1 + Math.log(Math.max(1, weight));
}
const DAMPED = WEIGHTS.map(damped);

/** A document as it was added; it is taken out by the same terms. */
interface Document {
  terms: Terms;
  length: number;
  norm: number;
}

/** How well the documents of an index answer one query. Valid until the next query of that index. */
export interface Scores {
  /** Documents that share any term with the query. */
  documents: readonly number[];
  /** BM25 over the most that a document could have for this query, 0 to 1. */
  words(document: number): number;
  /** Cosine of short runs of letters, 0 to 1. */
  grams(document: number): number;
  /** The part of what any document could answer that this one does, by weight, 0 to 1. */
  coverage(document: number): number;
  /** Whether the document has the rarest word that any has. */
  hasRarest(document: number): boolean;
  /** The part of the query's words that no document has, 0 to 1. */
  unknown: number;
}

/**
 * The words and spellings of documents, in memory. Adding and removing counts from the next query
 * on and rebuilds nothing; scores depend on what is there, never on the order in which it came.
 */
export class Lexicon {
  readonly #documents: (Document | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #words = new Postings<string>();
  readonly #grams = new Postings<number>();
  #size = 0;
  #length = 0;
  #buffers = buffersFor(64);

  get size(): number {
    return this.#size;
  }

  /** Terms of all documents: what the index takes in memory grows with it. */
  get terms(): number {
    return this.#words.size + this.#grams.size;
  }

  add(text: DocumentText): number {
    const id = this.#free.pop() ?? this.#documents.length;
    const terms = noTerms();
    for (const { of, weight, withGrams } of FIELDS) {
      for (const one of of(text)) addTerms(terms, plain(one), weight, withGrams);
    }
    let length = 0;
    for (const [word, weight] of terms.words) {
      this.#words.add(word, id, weight);
      length += weight;
    }
    let squares = 0;
    for (const [gram, weight] of terms.grams) {
      this.#grams.add(gram, id, weight);
      squares += damped(weight) ** 2;
    }
    this.#documents[id] = { terms, length, norm: Math.sqrt(squares) || 1 };
    this.#size += 1;
    this.#length += length;
    if (id >= this.#buffers.room) this.#buffers = buffersFor(2 * (id + 1), this.#buffers);
    this.#buffers.lengths[id] = length;
    return id;
  }

  remove(id: number): void {
    const document = this.#documents[id];
    if (document === undefined) return;
    for (const word of document.terms.words.keys()) this.#words.remove(word, id);
    for (const gram of document.terms.grams.keys()) this.#grams.remove(gram, id);
    this.#documents[id] = undefined;
    this.#free.push(id);
    this.#size -= 1;
    this.#length -= document.length;
  }

  score(query: Terms): Scores {
    const at = this.#buffers;
    for (const id of at.touched) {
      at.words[id] = 0;
      at.grams[id] = 0;
      at.cover[id] = 0;
      at.isTouched[id] = 0;
    }
    at.touched.length = 0;
    const { most, answerable, unknown, rarest } = this.#scoreWords(query);
    const gramsMost = this.#scoreGrams(query);
    return {
      documents: at.touched,
      words: (id) => (at.words[id] ?? 0) / (most || 1),
      grams: (id) => (at.grams[id] ?? 0) / ((this.#documents[id]?.norm ?? 1) * (gramsMost || 1)),
      coverage: (id) => (at.cover[id] ?? 0) / (answerable || 1),
      hasRarest: (id) => rarest !== undefined && this.#words.has(rarest, id),
      unknown,
    };
  }

  #scoreWords({ words }: Terms) {
    const at = this.#buffers;
    const count = this.#size;
    const average = this.#length / count || 1;
    let most = 0;
    let answerable = 0;
    let unknown = 0;
    let rarest: string | undefined;
    let rarestCount = Number.POSITIVE_INFINITY;
    for (const word of words.keys()) {
      const having = this.#words.count(word);
      const idf = Math.log(1 + (count - having + 0.5) / (having + 0.5));
      most += idf * (K1 + 1);
      if (having === 0) {
        unknown += 1;
        continue;
      }
      const mass = Math.log(1 + count / having);
      answerable += mass;
      if (having < rarestCount) {
        rarest = word;
        rarestCount = having;
      }
      for (const posting of this.#words.of(word)) {
        const id = documentIn(posting);
        touch(at, id);
        const weight = WEIGHTS[stepsIn(posting)] ?? 0;
        const norm = K1 * (1 - B + (B * (at.lengths[id] ?? 0)) / average);
        at.words[id] = (at.words[id] ?? 0) + (idf * weight * (K1 + 1)) / (weight + norm);
        at.cover[id] = (at.cover[id] ?? 0) + mass;
      }
    }
    return { most, answerable, unknown: words.size === 0 ? 1 : unknown / words.size, rarest };
  }

  #scoreGrams({ grams }: Terms): number {
    const at = this.#buffers;
    let squares = 0;
    for (const [gram, times] of grams) {
      const having = this.#grams.count(gram);
      const idf = Math.log((1 + this.#size) / (1 + having)) + 1;
      const wanted = (1 + Math.log(times)) * idf;
      squares += wanted * wanted;
      for (const posting of this.#grams.of(gram)) {
        const id = documentIn(posting);
        touch(at, id);
        at.grams[id] = (at.grams[id] ?? 0) + wanted * (DAMPED[stepsIn(posting)] ?? 0);
      }
    }
    return Math.sqrt(squares);
  }
}

/** Where scores are added up; one number a document, kept between queries. */
interface Buffers {
  room: number;
  words: Float64Array;
  grams: Float64Array;
  cover: Float64Array;
  /** Of the documents, in weighted words. */
  lengths: Float64Array;
  isTouched: Uint8Array;
  touched: number[];
}

function buffersFor(room: number, before?: Buffers): Buffers {
  const numbers = () => new Float64Array(room);
  const lengths = numbers();
  if (before !== undefined) lengths.set(before.lengths);
  return {
    room,
    words: numbers(),
    grams: numbers(),
    cover: numbers(),
    lengths,
    isTouched: new Uint8Array(room),
    touched: [],
  };
}

function touch({ isTouched, touched }: Buffers, id: number): void {
  if (isTouched[id] === 1) return;
  isTouched[id] = 1;
  touched.push(id);
}
