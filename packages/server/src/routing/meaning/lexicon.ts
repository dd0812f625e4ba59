import { FreeNumbers } from './free-numbers.ts';
import { NUMBERS_MAX, numberIn, stepsIn, WEIGHT_STEPS, WEIGHTS } from './postings.ts';
import { TermIndex } from './term-index.ts';
import { HashNumbers, WordNumbers } from './term-numbers.ts';
import { addTerms, GRAMS_MAX, noTerms, plain, type Terms } from './text.ts';

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

/** How far spellings are compared where all of it would take too long. */
export interface Extent {
  /** Up to so many documents each is compared by every run of letters. */
  wholeMax: number;
  /** Beyond, by the rarest: so many postings of them are looked at for one query. */
  runsMax: number;
}

const EXTENT: Extent = { wholeMax: 20_000, runsMax: 25_000 };

/** How well the documents of an index answer one query. Valid until the next query of that index. */
export interface Scores {
  /** Documents that share any term with the query. */
  documents: readonly number[];
  has(document: number): boolean;
  /** BM25 over the most that a document could have for this query, 0 to 1. */
  words(document: number): number;
  /** Cosine of short runs of letters, 0 to 1; at least that where the frequent ones were left out. */
  grams(document: number): number;
  /** Whether frequent runs may have been left out: there are too many documents for all of them. */
  isRough: boolean;
  /** Compares a document by the runs that were left out as well. */
  spell(document: number): void;
  /** The part of what any document could answer that this one does, by weight, 0 to 1. */
  coverage(document: number): number;
  /** Whether the document has the rarest word that any has. */
  hasRarest(document: number): boolean;
  /** Whether the document has this word. */
  hasWord(document: number, word: string): boolean;
  /** The part of the query's words that no document has, 0 to 1. */
  unknown: number;
}

/**
 * The words and spellings of documents, in memory. Adding and removing counts from the next query
 * on and rebuilds nothing; scores depend on what is there, never on the order in which it came.
 */
export class Lexicon {
  /** Of each document how many words it has, then its words, then its runs: it is taken out by them. */
  readonly #rows: (Uint32Array | undefined)[] = [];
  readonly #numbers = new FreeNumbers();
  readonly #words = new TermIndex(new WordNumbers());
  readonly #grams = new TermIndex(new HashNumbers());
  #size = 0;
  #postings = 0;
  /** In steps of a weight: whole numbers stay what they are, however many come and go. */
  #length = 0;
  readonly #extent: Extent;
  #buffers = buffersFor(64);

  constructor(extent: Extent = EXTENT) {
    this.#extent = extent;
  }

  get size(): number {
    return this.#size;
  }

  /** Different terms of all documents. */
  get terms(): number {
    return this.#words.size + this.#grams.size;
  }

  /** Terms of each document, all together: what the index takes in memory grows with it. */
  get postings(): number {
    return this.#postings;
  }

  /** No more terms have a number. */
  get isFull(): boolean {
    return this.#grams.size > NUMBERS_MAX - GRAMS_MAX;
  }

  /** What a word tells apart, BM25's own measure: one that few have more than one of many. */
  weightOf(word: string): number {
    return this.#idf(this.#words.count(this.#words.find(word)));
  }

  #idf(having: number): number {
    return Math.log(1 + (this.#size - having + 0.5) / (having + 0.5));
  }

  add(text: DocumentText): number {
    const id = this.#numbers.take();
    const terms = noTerms();
    for (const { of, weight, withGrams } of FIELDS) {
      for (const one of of(text)) addTerms(terms, plain(one), weight, withGrams);
    }
    const row = new Uint32Array(1 + terms.words.size + terms.grams.size);
    let end = 0;
    row[end++] = terms.words.size;
    let length = 0;
    for (const [word, weight] of terms.words) {
      row[end++] = this.#words.add(word, id, weight);
      length += Math.round(weight * WEIGHT_STEPS);
    }
    let squares = 0;
    for (const [gram, weight] of terms.grams) {
      row[end++] = this.#grams.add(gram, id, weight);
      squares += damped(weight) ** 2;
    }
    this.#rows[id] = row;
    this.#size += 1;
    this.#postings += end - 1;
    this.#length += length;
    if (id >= this.#buffers.room) this.#buffers = buffersFor(2 * (id + 1), this.#buffers);
    this.#buffers.lengths[id] = length;
    this.#buffers.norms[id] = Math.sqrt(squares) || 1;
    return id;
  }

  remove(id: number): void {
    const row = this.#rows[id];
    if (row === undefined) return;
    const grams = 1 + (row[0] ?? 0);
    for (let at = 1; at < row.length; at++) {
      (at < grams ? this.#words : this.#grams).remove(row[at] ?? 0, id);
    }
    this.#rows[id] = undefined;
    this.#numbers.giveBack(id);
    this.#size -= 1;
    this.#postings -= row.length - 1;
    this.#length -= this.#buffers.lengths[id] ?? 0;
  }

  score(query: Terms): Scores {
    const at = this.#buffers;
    begin(at);
    const { most, answerable, unknown, rarest } = this.#scoreWords(query);
    const { most: gramsMost, left } = this.#scoreGrams(query);
    const { words, grams, cover, norms, touched, queries, query: now } = at;
    for (const id of touched) grams[id] = (grams[id] ?? 0) / ((norms[id] ?? 1) * gramsMost);
    const spelt = new Set<number>();
    const isTouched = (id: number) => queries[id] === now;
    const of = (values: Float64Array, id: number) => (isTouched(id) ? (values[id] ?? 0) : 0);
    return {
      documents: touched,
      has: isTouched,
      words: (id) => of(words, id) / (most || 1),
      grams: (id) => of(grams, id),
      isRough: this.#size > this.#extent.wholeMax,
      spell: (id) => {
        if (left.isEmpty || spelt.has(id)) return;
        spelt.add(id);
        if (!isTouched(id)) see(at, id);
        const more = this.#spell(id, left) / ((norms[id] ?? 1) * gramsMost);
        grams[id] = (grams[id] ?? 0) + more;
      },
      coverage: (id) => of(cover, id) / (answerable || 1),
      hasRarest: (id) => rarest >= 0 && this.#hasWord(id, rarest),
      hasWord: (id, word) => this.#hasWord(id, this.#words.find(word)),
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
    let rarest = -1;
    let rarestCount = Number.POSITIVE_INFINITY;
    for (const word of words.keys()) {
      const number = this.#words.find(word);
      const having = this.#words.count(number);
      const idf = this.#idf(having);
      most += idf * (K1 + 1);
      if (having === 0) {
        unknown += 1;
        continue;
      }
      const mass = Math.log(1 + count / having);
      answerable += mass;
      if (having < rarestCount) {
        rarest = number;
        rarestCount = having;
      }
      addWord(at, this.#words.of(number), { mass, gain: idf * (K1 + 1), average });
    }
    return { most, answerable, unknown: words.size === 0 ? 1 : unknown / words.size, rarest };
  }

  /** The rarest runs first; of a large index what is too frequent is left for those that matter. */
  #scoreGrams({ grams }: Terms): { most: number; left: Left } {
    let squares = 0;
    const known: { number: number; having: number; wanted: number }[] = [];
    for (const [gram, times] of grams) {
      const number = this.#grams.find(gram);
      const having = this.#grams.count(number);
      const idf = Math.log((1 + this.#size) / (1 + having)) + 1;
      const wanted = (1 + Math.log(times)) * idf;
      squares += wanted * wanted;
      if (having > 0) known.push({ number, having, wanted });
    }
    const isLarge = this.#size > this.#extent.wholeMax;
    if (isLarge) known.sort((a, b) => a.having - b.having);
    const left = new Left();
    let room = isLarge ? this.#extent.runsMax : Number.POSITIVE_INFINITY;
    for (const { number, having, wanted } of known) {
      room -= having;
      if (room < 0) left.put(number, wanted);
      else addGram(this.#buffers, this.#grams.of(number), wanted);
    }
    return { most: Math.sqrt(squares) || 1, left };
  }

  /** What the runs that were left out come to in one document. */
  #spell(id: number, left: Left): number {
    const row = this.#rows[id];
    if (row === undefined) return 0;
    let sum = 0;
    for (let at = 1 + (row[0] ?? 0); at < row.length; at++) {
      const kept = row[at] ?? 0;
      sum += left.wanted(numberIn(kept)) * (DAMPED[stepsIn(kept)] ?? 0);
    }
    return sum;
  }

  #hasWord(id: number, number: number): boolean {
    const row = this.#rows[id];
    if (row === undefined) return false;
    const grams = 1 + (row[0] ?? 0);
    for (let at = 1; at < grams; at++) if (numberIn(row[at] ?? 0) === number) return true;
    return false;
  }
}

const MARKS = 2_048;

/** Runs of a query that were left out, and what each counts in it. */
class Left {
  readonly #wanted = new Map<number, number>();
  /** Nearly all runs of a document are none of these; that is seen without a look into the map. */
  readonly #marks = new Uint8Array(MARKS);

  get isEmpty(): boolean {
    return this.#wanted.size === 0;
  }

  put(number: number, wanted: number): void {
    this.#wanted.set(number, wanted);
    this.#marks[number % MARKS] = 1;
  }

  /** 0: it was not left out. */
  wanted(number: number): number {
    return this.#marks[number % MARKS] === 0 ? 0 : (this.#wanted.get(number) ?? 0);
  }
}

/** Where scores are added up; one number a document, kept between queries. */
interface Buffers {
  room: number;
  words: Float64Array;
  grams: Float64Array;
  cover: Float64Array;
  /** Of the documents, in words by the steps of their weights. */
  lengths: Float64Array;
  /** Of the documents, as vectors of runs. */
  norms: Float64Array;
  /** In which query a document was touched last: what was added up before counts no more. */
  queries: Uint32Array;
  query: number;
  touched: number[];
}

function buffersFor(room: number, before?: Buffers): Buffers {
  const numbers = () => new Float64Array(room);
  const [lengths, norms] = [numbers(), numbers()];
  if (before !== undefined) {
    lengths.set(before.lengths);
    norms.set(before.norms);
  }
  return {
    room,
    words: numbers(),
    grams: numbers(),
    cover: numbers(),
    lengths,
    norms,
    queries: new Uint32Array(room),
    query: 0,
    touched: [],
  };
}

function addWord(
  at: Buffers,
  { array, from, to }: Readonly<{ array: Uint32Array; from: number; to: number }>,
  { mass, gain, average }: { mass: number; gain: number; average: number },
): void {
  const { words, cover, lengths, queries, query } = at;
  for (let i = from; i < to; i++) {
    const posting = array[i] ?? 0;
    const id = numberIn(posting);
    if (queries[id] !== query) touch(at, id);
    const weight = WEIGHTS[stepsIn(posting)] ?? 0;
    const norm = K1 * (1 - B + (B * (lengths[id] ?? 0)) / average);
    words[id] = (words[id] ?? 0) + (gain * weight) / (weight + norm);
    cover[id] = (cover[id] ?? 0) + mass;
  }
}

function addGram(
  at: Buffers,
  { array, from, to }: Readonly<{ array: Uint32Array; from: number; to: number }>,
  wanted: number,
): void {
  // A long question comes here for a hundred thousand postings: nothing is called that need not be.
  const { grams, queries, query } = at;
  for (let i = from; i < to; i++) {
    const posting = array[i] ?? 0;
    const id = numberIn(posting);
    if (queries[id] !== query) touch(at, id);
    grams[id] = (grams[id] ?? 0) + wanted * (DAMPED[stepsIn(posting)] ?? 0);
  }
}

function begin(at: Buffers): void {
  at.touched = [];
  at.query += 1;
  if (at.query < 2 ** 32) return;
  at.queries.fill(0);
  at.query = 1;
}

function touch(at: Buffers, id: number): void {
  at.touched.push(id);
  see(at, id);
}

/** Begins to add up, where nothing was added yet. */
function see(at: Buffers, id: number): void {
  at.queries[id] = at.query;
  at.words[id] = 0;
  at.grams[id] = 0;
  at.cover[id] = 0;
}
