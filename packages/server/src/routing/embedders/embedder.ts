/** What a text is: some models tell what is asked from what is said of itself. */
export type TextKind = 'query' | 'passage';

/** Why there are no vectors. */
export type Fault =
  /** Not within its time. */
  | 'late'
  /** No connection, no library, or an error of its own. */
  | 'unreachable'
  /** It asks for a pause. */
  | 'busy'
  /** It does not take these texts: one is too long, or there are too many. */
  | 'not-taken'
  /** It must be set up otherwise: the address, the key, the model or its folder. */
  | 'refused'
  /** What it gave is no list of vectors. */
  | 'nonsense';

/** That texts were not embedded. */
export interface Unembedded {
  ok: false;
  fault: Fault;
  /** For people; nothing secret, and of a foreign text a short piece at most. */
  detail: string;
  /** How long it asks to be left alone. */
  waitMs?: number;
}

/** What became of texts: one vector each, of length 1, in their order; or why not. */
export type Embedded = { ok: true; vectors: readonly Float32Array[] } | Unembedded;

/** How long one request may take, and who may end it. */
export interface Patience {
  timeoutMs: number;
  signal: AbortSignal;
}

/**
 * What turns texts into vectors. Never throws: whatever is behind it may be away, slow or wrong, and
 * routing goes on without it.
 */
export interface Embedder {
  /** Kind and model, for fingerprints and people; no address and no key. */
  readonly name: string;
  /** Texts in one request. */
  readonly batchMax: number;
  embed(texts: readonly string[], kind: TextKind, patience: Patience): Promise<Embedded>;
  close(): Promise<void>;
}

/** Fewer numbers tell nothing apart; more are no sentence encoder, and cost memory for each text. */
const DIMS = { min: 2, max: 4_096 };

/**
 * Rows of numbers as vectors of length 1. Everything that a wrong or hostile embedder could answer ends
 * here: too few rows, rows of different lengths, what is no number, and rows of nothing but zeros.
 */
export function vectorsFrom(rows: readonly unknown[], wanted: number): Embedded {
  if (rows.length !== wanted) return nonsense(`${rows.length} vectors for ${wanted} texts`);
  const vectors: Float32Array[] = [];
  let dims: number | undefined;
  for (const row of rows) {
    if (!isRow(row)) return nonsense('a vector that is no list');
    dims ??= row.length;
    if (row.length !== dims) return nonsense(`vectors of ${dims} and of ${row.length} numbers`);
    if (dims < DIMS.min || dims > DIMS.max) {
      return nonsense(`vectors of ${dims} numbers; ${DIMS.min} to ${DIMS.max} are taken`);
    }
    const vector = unit(row);
    if (vector === undefined)
      return nonsense('a vector of zeros, or with something else than numbers');
    vectors.push(vector);
  }
  return { ok: true, vectors };
}

export function nonsense(what: string): Unembedded {
  return { ok: false, fault: 'nonsense', detail: `The embedder answered ${what}.` };
}

function isRow(row: unknown): row is ArrayLike<unknown> {
  return Array.isArray(row) || row instanceof Float32Array || row instanceof Float64Array;
}

function unit(row: ArrayLike<unknown>): Float32Array | undefined {
  let squares = 0;
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    if (typeof value !== 'number') return undefined;
    squares += value * value;
  }
  // Neither NaN nor what overflows has a length.
  if (!(squares > 0) || squares === Number.POSITIVE_INFINITY) return undefined;
  const length = Math.sqrt(squares);
  return Float32Array.from(row as ArrayLike<number>, (value) => value / length);
}
