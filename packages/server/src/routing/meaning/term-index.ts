import { numberIn, pack, Postings, type Span } from './postings.ts';
import type { TermNumbers } from './term-numbers.ts';

/** The terms of one kind, and the documents that have them. */
export class TermIndex<Term> {
  readonly #numbers: TermNumbers<Term>;
  readonly #postings = new Postings();

  constructor(numbers: TermNumbers<Term>) {
    this.#numbers = numbers;
  }

  /** Terms that any document has. */
  get size(): number {
    return this.#numbers.size;
  }

  /** The number of a term; -1: no document has it. */
  find(term: Term): number {
    return this.#numbers.find(term);
  }

  /** How many documents have the term of this number. */
  count(number: number): number {
    return number < 0 ? 0 : this.#postings.count(number);
  }

  /** As `Postings.of`. */
  of(number: number): Readonly<Span> {
    return this.#postings.of(number);
  }

  /** What the document keeps of it, to take it out again: the number of the term and its weight. */
  add(term: Term, document: number, weight: number): number {
    const number = this.#numbers.take(term);
    this.#postings.add(number, pack(document, weight));
    return pack(number, weight);
  }

  remove(kept: number, document: number): void {
    const number = numberIn(kept);
    this.#postings.remove(number, document);
    if (this.#postings.count(number) === 0) this.#numbers.giveBack(number);
  }
}
