/** Vectors of a page. The first one grows by doubling, from here; nothing else is ever moved. */
const PAGE = 256;
const ROOM_MIN = 64;

/**
 * The vectors of an index's documents: one of length 1 each, of one embedder. What another one made
 * is thrown away, never compared.
 */
export class Vectors {
  #make = '';
  #dims = 0;
  #pages: Float32Array[] = [];
  #has = new Uint8Array(0);
  #count = 0;
  /** Documents that were not looked at by this embedder. */
  readonly #waiting = new Set<number>();
  #documents: () => Iterable<number>;

  /** @param documents All there are, when an embedder begins. */
  constructor(documents: () => Iterable<number>) {
    this.#documents = documents;
  }

  /** Whose they are; empty: nobody's yet. */
  get make(): string {
    return this.#make;
  }

  /** How many documents have one. */
  get size(): number {
    return this.#count;
  }

  /** Documents that wait for theirs, in the order in which they came. */
  get waiting(): ReadonlySet<number> {
    return this.#waiting;
  }

  /** Throws all away and waits for those of another embedder. */
  begin(make: string, dims: number): void {
    this.#make = make;
    this.#dims = dims;
    this.#pages = [];
    this.#has = new Uint8Array(0);
    this.#count = 0;
    for (const document of this.#documents()) this.#waiting.add(document);
  }

  /** A document that is new. */
  want(document: number): void {
    this.#waiting.add(document);
  }

  /** The vector of a document; undefined: it has none, and is compared by its words alone. */
  set(document: number, vector: Float32Array | undefined): void {
    this.#waiting.delete(document);
    if (vector === undefined || vector.length !== this.#dims) return this.#clear(document);
    if (document >= this.#has.length) this.#grow(document + 1);
    const within = document % PAGE;
    this.#pageFor(Math.floor(document / PAGE), within).set(vector, within * this.#dims);
    if (this.#has[document] === 0) this.#count += 1;
    this.#has[document] = 1;
  }

  remove(document: number): void {
    this.#waiting.delete(document);
    this.#clear(document);
  }

  has(document: number): boolean {
    return this.#has[document] === 1;
  }

  /** The cosine of every document with a vector of length 1; those without one are not in `documents`. */
  compare(vector: Float32Array): { documents: readonly number[]; cosines: Float32Array } {
    const dims = this.#dims;
    const cosines = new Float32Array(this.#has.length);
    const documents: number[] = [];
    if (vector.length !== dims) return { documents, cosines };
    for (let document = 0; document < this.#has.length; document++) {
      if (this.#has[document] === 0) continue;
      const page = this.#pages[Math.floor(document / PAGE)];
      if (page === undefined) continue;
      cosines[document] = product(vector, page, (document % PAGE) * dims);
      documents.push(document);
    }
    return { documents, cosines };
  }

  #clear(document: number): void {
    if (this.#has[document] !== 1) return;
    this.#has[document] = 0;
    this.#count -= 1;
  }

  #pageFor(at: number, within: number): Float32Array {
    const page = this.#pages[at] ?? new Float32Array(0);
    if ((within + 1) * this.#dims <= page.length) return page;
    const room = at === 0 ? Math.max(ROOM_MIN, 2 * (within + 1)) : PAGE;
    const larger = new Float32Array(Math.min(PAGE, room) * this.#dims);
    larger.set(page);
    this.#pages[at] = larger;
    return larger;
  }

  #grow(least: number): void {
    const has = new Uint8Array(Math.max(ROOM_MIN, 2 * this.#has.length, least));
    has.set(this.#has);
    this.#has = has;
  }
}

/** The scalar product of a vector and the one that begins at `from`. */
function product(vector: Float32Array, rows: Float32Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += (rows[from + i] ?? 0) * (vector[i] ?? 0);
  return sum;
}

/** What several texts come to: their mean, of length 1; undefined: they cancel each other out. */
export function meanOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors;
  if (first === undefined) return undefined;
  const sum = new Float64Array(first.length);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  const length = Math.hypot(...sum);
  return length > 1e-6 ? Float32Array.from(sum, (value) => value / length) : undefined;
}

/** One vector for a description and its examples; examples count as much as the description, however many. */
export function together(vectors: readonly (Float32Array | undefined)[]): Float32Array | undefined {
  const [said, ...examples] = vectors;
  const mean = meanOf(examples.filter((one) => one !== undefined));
  if (said === undefined) return mean;
  return mean === undefined ? said : meanOf([said, mean]);
}

export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
