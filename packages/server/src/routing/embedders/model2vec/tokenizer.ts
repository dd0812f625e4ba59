import { ReachError } from '@agent-reach/core';
import { cutterOf } from './cutters.ts';
import { normalizerOf, type Step, unknownStep } from './normalizers.ts';

/** Cuts a text into the tokens of a model; what it has no token for is left out. */
export interface Tokenizer {
  /** One more than the highest token. */
  readonly size: number;
  tokens(text: string): number[];
}

/** A token that nobody would write makes every text slower. */
const TOKEN_CHARS_MAX = 128;
/** WordPiece gives up longer words, as its models do. */
const WORD_CHARS_MAX = 100;

/**
 * The tokenizer that a `tokenizer.json` describes: Unigram or WordPiece, with the steps that such
 * models use. Throws `validation-failed` and names the step where it has another one.
 */
export function tokenizerOf(file: unknown): Tokenizer {
  const { normalizer, pre_tokenizer: cutting, model } = objectIn(file, 'tokenizer.json');
  const normalize = normalizerOf(normalizer as Step | null);
  const cut = cutterOf(cutting as Step | null);
  const { size, tokensOf } = modelOf(objectIn(model, 'its model'));
  return { size, tokens: (text) => cut([normalize(text)]).flatMap(tokensOf) };
}

interface Model {
  size: number;
  tokensOf: (piece: string) => number[];
}

function modelOf(model: Record<string, unknown>): Model {
  // Older files of WordPiece do not say what they are.
  switch (model['type'] ?? 'WordPiece') {
    case 'Unigram':
      return unigram(model);
    case 'WordPiece':
      return wordPiece(model);
    default:
      throw unknownStep('model', model['type']);
  }
}

/** The most probable way to cut a piece into tokens. */
function unigram({ vocab, unk_id: unknown }: Record<string, unknown>): Model {
  if (!Array.isArray(vocab) || vocab.length === 0) throw unknownStep('vocabulary', vocab);
  const tokens = new Map<string, { id: number; score: number }>();
  let least = 0;
  let longest = 1;
  for (const [id, row] of (vocab as unknown[]).entries()) {
    const [token, score] = Array.isArray(row) ? (row as unknown[]) : [];
    if (typeof token !== 'string' || typeof score !== 'number') throw unknownStep('token', row);
    if (id === unknown || token.length > TOKEN_CHARS_MAX) continue;
    tokens.set(token, { id, score });
    least = Math.min(least, score);
    longest = Math.max(longest, token.length);
  }
  // Worse than any token, so that nothing is left out that can be said.
  const missing = least - 10;
  return {
    size: vocab.length,
    tokensOf: (piece) => bestCut(piece, { tokens, longest, missing }),
  };
}

function bestCut(
  piece: string,
  by: {
    tokens: ReadonlyMap<string, { id: number; score: number }>;
    longest: number;
    missing: number;
  },
): number[] {
  const ends = piece.length;
  const scores = new Float64Array(ends + 1).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(ends + 1);
  const ids = new Int32Array(ends + 1);
  scores[0] = 0;
  const reach = (at: number, to: number, id: number, score: number) => {
    const sum = (scores[at] ?? 0) + score;
    if (sum <= (scores[to] ?? 0)) return;
    scores[to] = sum;
    from[to] = at;
    ids[to] = id;
  };
  for (let at = 0; at < ends; at++) {
    if (scores[at] === Number.NEGATIVE_INFINITY) continue;
    for (let to = at + 1; to <= Math.min(ends, at + by.longest); to++) {
      const token = by.tokens.get(piece.slice(at, to));
      if (token !== undefined) reach(at, to, token.id, token.score);
    }
    const step = (piece.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    reach(at, at + step, NO_TOKEN, by.missing);
  }
  const found: number[] = [];
  for (let at = ends; at > 0; at = from[at] ?? 0) found.push(ids[at] ?? NO_TOKEN);
  return found.filter((id) => id !== NO_TOKEN).reverse();
}

const NO_TOKEN = -1;

/** The longest token first; a word that cannot be said whole is not said at all. */
function wordPiece(model: Record<string, unknown>): Model {
  const vocab = new Map<string, number>();
  let size = 0;
  for (const [token, id] of Object.entries(objectIn(model['vocab'], 'its vocabulary'))) {
    if (!Number.isSafeInteger(id) || (id as number) < 0)
      throw unknownStep('token', { [token]: id });
    size = Math.max(size, 1 + (id as number));
    if (token !== model['unk_token']) vocab.set(token, id as number);
  }
  const prefix = model['continuing_subword_prefix'];
  const inner = typeof prefix === 'string' ? prefix : '##';
  return { size, tokensOf: (word) => piecesOf(word, vocab, inner) };
}

function piecesOf(word: string, vocab: ReadonlyMap<string, number>, inner: string): number[] {
  const found: number[] = [];
  if (word.length > WORD_CHARS_MAX) return found;
  for (let at = 0; at < word.length; ) {
    let to = word.length;
    let id: number | undefined;
    for (; to > at; to--) {
      id = vocab.get(at === 0 ? word.slice(0, to) : `${inner}${word.slice(at, to)}`);
      if (id !== undefined) break;
    }
    if (id === undefined) return [];
    found.push(id);
    at = to;
  }
  return found;
}

function objectIn(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new ReachError('validation-failed', `The model's ${what} is not read here: no object.`);
}
