import type { Capability } from '@agent-reach/core';
import type { Catalogue, Entry } from './catalogue.ts';
import { LEGS, SCHEMA_SHARE } from './legs.ts';
import type { Scores } from './lexicon.ts';
import { keysOf, schemaFit } from './schema-fit.ts';
import { scoreOf, type Sensed } from './sense.ts';
import { plain, termsOf, wordsOf } from './text.ts';

/**
 * Whether a capability may be chosen. `titled`: by an intent that is its name, its display name or an
 * alias. `named-only`: it might, but by no intent.
 */
export type Verdict = 'in' | 'out' | 'titled' | 'named-only';

/** What is asked of a catalogue. */
export interface Question {
  intent: string;
  params: unknown;
  /** Whether a capability may be chosen, as these agents describe it. */
  admits(name: string, agents: ReadonlySet<string>): Verdict;
}

/** A capability that may be meant. */
export interface Candidate {
  name: string;
  capability: Capability;
  /** What it is ranked by, over 0; 1 is the most that words can come to. */
  score: number;
  /** Of each leg, in the order of `LEGS`. */
  legs: readonly number[];
  /** Its cosine with the intent; undefined: it was compared by its words alone. */
  cosine: number | undefined;
  /** That as a score, 0 to 1. */
  like: number | undefined;
  coverage: number;
  hasRarest: boolean;
  /** How far the parameters fit. */
  schema: number;
  /** Parameters that it demands and that were not sent. */
  missing: readonly string[];
  /** How much of the question is what it says it is not for, 0 to 1. */
  boundary: number;
  /** The question names it, word for word. */
  isMentioned: boolean;
}

/** The candidates for a question, the best first. */
export interface Ranking {
  candidates: readonly Candidate[];
  /** There are more than these: nobody looked further. */
  isCut: boolean;
  /** The best of those that only their name reaches, if it is better than all candidates. */
  passedOver: Candidate | undefined;
  /** Words of the question, as they are matched. */
  words: readonly string[];
  /** The part of them that nobody has. */
  unknown: number;
  /** Documents in the index. */
  size: number;
  /** Of them, those that were compared by their vectors. */
  embedded: number;
  /** Whose vectors they were; undefined: there were none. */
  model: string | undefined;
}

/** As many as an explanation shows; a decision looks at four. */
const CANDIDATES_MAX = 10;
/** Looked at first; only when fewer of them may be chosen than are wanted is the rest put in order. */
const FIRST_LOOK = 64;
/** What a boundary takes off at most: it decides between two that are near, and flips no clear winner. */
const BOUNDARY_SHARE = 0.1;

/**
 * Ranks all that may be chosen; by vectors as well where an embedder has seen the question. Pure; the
 * bound of its time is that of the question's terms, and with vectors that of the index.
 */
export function rank(question: Question, catalogue: Catalogue, sense?: Sensed): Ranking {
  const text = plain(question.intent);
  const terms = termsOf(text);
  const scores = catalogue.lexicon.score(terms);
  const keys = keysOf(question.params);
  const mentioned = mentionedIn(text, catalogue);
  const likes = sense === undefined ? undefined : likesFor(sense, catalogue);
  const documents = documentsFor({ scores, keys, mentioned, likes }, catalogue);
  const shares = LEGS.map((leg) => leg.share(terms.words.size));
  const scored = { documents, values: new Float64Array(documents.length) };
  for (const [i, leg] of LEGS.entries()) {
    const share = shares[i] ?? 0;
    for (let at = 0; at < documents.length; at++) {
      scored.values[at] = (scored.values[at] ?? 0) + share * leg.of(scores, documents[at] ?? 0);
    }
  }
  if (likes !== undefined) {
    for (let at = 0; at < documents.length; at++) {
      scored.values[at] = likes.with(documents[at] ?? 0, scored.values[at] ?? 0);
    }
  }
  for (let at = 0; keys.length > 0 && at < documents.length; at++) {
    const fit = SCHEMA_SHARE * fitOf(documents[at] ?? 0, keys, catalogue).score;
    scored.values[at] = (scored.values[at] ?? 0) + fit;
  }
  const context = { scores, keys, words: terms.words, mentioned, likes, catalogue };
  const found = eligible(scored, question, context);
  return {
    ...found,
    words: [...terms.words.keys()],
    unknown: scores.unknown,
    size: catalogue.lexicon.size,
    embedded: sense === undefined ? 0 : catalogue.vectors.size,
    model: sense?.model,
  };
}

/** How the documents of an index are like an intent, by their vectors. */
interface Likes {
  /** Those that are more like it than what has nothing to do with it. */
  documents: readonly number[];
  /** Undefined: it has no vector. */
  cosine(document: number): number | undefined;
  score(document: number): number | undefined;
  /** A score by words, with what vectors make of it. */
  with(document: number, score: number): number;
}

/**
 * A document without a vector keeps the score that it has by its words: it is new, or in a language
 * that the embedder does not know, and neither is a reason to be less.
 */
function likesFor({ vector, trust }: Sensed, { vectors }: Catalogue): Likes {
  const { documents, cosines } = vectors.compare(vector);
  const { mean } = trust.background;
  const cosine = (document: number) => (vectors.has(document) ? cosines[document] : undefined);
  const score = (document: number) => {
    const of = cosine(document);
    return of === undefined ? undefined : scoreOf(of, trust);
  };
  return {
    documents: documents.filter((document) => (cosines[document] ?? 0) > mean),
    cosine,
    score,
    with(document, byWords) {
      const like = score(document);
      return like === undefined ? byWords : (1 - trust.share) * byWords + trust.share * like;
    },
  };
}

interface Context {
  scores: Scores;
  keys: readonly string[];
  words: ReadonlyMap<string, number>;
  mentioned: ReadonlySet<string>;
  likes: Likes | undefined;
  catalogue: Catalogue;
}

/** Documents and what each came to; in two arrays, for there may be thousands. */
interface Scored {
  documents: readonly number[];
  values: Float64Array;
}

/** All that any leg found, that takes a parameter which was sent, or that was named. */
function documentsFor(
  { scores, keys, mentioned, likes }: Omit<Context, 'words' | 'catalogue'>,
  catalogue: Catalogue,
): readonly number[] {
  const isPlain = keys.length === 0 && mentioned.size === 0 && likes === undefined;
  if (isPlain) return scores.documents;
  const documents = new Set(scores.documents);
  for (const document of likes?.documents ?? []) documents.add(document);
  for (const key of keys) for (const one of catalogue.withProperty(key)) documents.add(one);
  for (const name of mentioned) {
    for (const { document } of catalogue.entriesOf(name)) documents.add(document);
  }
  return [...documents];
}

function eligible(
  scored: Scored,
  question: Question,
  context: Context,
): Pick<Ranking, 'candidates' | 'isCut' | 'passedOver'> {
  const found = new Map<string, Candidate>();
  let passedOver: Candidate | undefined;
  let isCut = false;
  for (const at of inOrder(scored, context)) {
    const document = scored.documents[at] ?? 0;
    const entry = context.catalogue.entryOf(document);
    if (entry === undefined || found.has(entry.capability.name)) continue;
    const verdict = question.admits(entry.capability.name, entry.agents);
    if (verdict === 'out') continue;
    if (found.size >= CANDIDATES_MAX) {
      isCut = true;
      break;
    }
    const candidate = candidateOf({ document, score: scored.values[at] ?? 0 }, entry, context);
    if (verdict === 'in') found.set(entry.capability.name, candidate);
    else if (found.size === 0) passedOver ??= candidate;
  }
  const candidates = [...found.values()].sort(byScore);
  return { candidates, isCut, passedOver };
}

/** Places in `scored`: what is mentioned first, so that no cut takes it; then the best, lazily. */
function* inOrder(
  { documents, values }: Scored,
  { catalogue, mentioned }: Context,
): Generator<number> {
  const nameOf = (at: number) => {
    return catalogue.entryOf(documents[at] ?? 0)?.capability.name ?? '';
  };
  const better = (a: number, b: number) => {
    return (values[b] ?? 0) - (values[a] ?? 0) || (nameOf(a) < nameOf(b) ? -1 : 1);
  };
  const placesOf = (is: (at: number) => boolean) => {
    const places: number[] = [];
    for (let at = 0; at < documents.length; at++) if (is(at)) places.push(at);
    return places.sort(better);
  };
  if (mentioned.size > 0) yield* placesOf((at) => mentioned.has(nameOf(at)));
  const least = nthBest(values, FIRST_LOOK);
  yield* placesOf((at) => (values[at] ?? 0) >= least);
  yield* placesOf((at) => (values[at] ?? 0) < least);
}

/** A score that about `n` are not below; nothing is put in order for it but those. */
function nthBest(values: Float64Array, n: number): number {
  if (values.length <= 4 * n) return Number.NEGATIVE_INFINITY;
  const best: number[] = [];
  for (const value of values) {
    if (best.length === n && value <= (best[0] ?? 0)) continue;
    const at = best.findIndex((one) => one >= value);
    best.splice(at < 0 ? best.length : at, 0, value);
    if (best.length > n) best.shift();
  }
  return best[0] ?? 0;
}

function candidateOf(
  { document, score }: { document: number; score: number },
  entry: Entry,
  context: Context,
): Candidate {
  const { scores, keys, words, mentioned, likes } = context;
  const { capability } = entry;
  const boundary = boundaryOf(capability, words);
  const fit = schemaFit(keys, entry.facts);
  return {
    name: capability.name,
    capability,
    score: score * (1 - BOUNDARY_SHARE * boundary),
    legs: LEGS.map((leg) => leg.of(scores, document)),
    cosine: likes?.cosine(document),
    like: likes?.score(document),
    coverage: scores.coverage(document),
    hasRarest: scores.hasRarest(document),
    schema: fit.score,
    missing: fit.missing,
    boundary,
    isMentioned: mentioned.has(capability.name),
  };
}

/** The part of the question's words that the capability says it is not for, and that it has not itself. */
function boundaryOf(capability: Capability, words: ReadonlyMap<string, number>): number {
  if (capability.not_for.length === 0 || words.size === 0) return 0;
  const own = new Set(wordsOf(plain(`${capability.display_name} ${capability.description}`)));
  const excluded = new Set(wordsOf(plain(capability.not_for.join('\n'))));
  const hits = [...words.keys()].filter((word) => excluded.has(word) && !own.has(word));
  return hits.length / words.size;
}

function fitOf(document: number, keys: readonly string[], catalogue: Catalogue) {
  const facts = catalogue.entryOf(document)?.facts;
  return facts === undefined ? { score: 0 } : schemaFit(keys, facts);
}

/** Looks like a name, and not like a word that happens to be one. Looked for where a word begins. */
const NAME_LIKE =
  /(?<![A-Za-z0-9])(?:[A-Za-z0-9]+(?:[._-]+[A-Za-z0-9]+)+|[a-z0-9]+(?:[A-Z][a-z0-9]+)+)/g;
/** More names in one sentence are a list that somebody pasted. */
const MENTIONED_MAX = 8;

function mentionedIn(text: string, catalogue: Catalogue): Set<string> {
  const names = new Set<string>();
  for (const [word] of text.matchAll(NAME_LIKE)) {
    const name = catalogue.mentioned(word);
    if (name !== undefined) names.add(name);
    if (names.size === MENTIONED_MAX) break;
  }
  return names;
}

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || (a.name < b.name ? -1 : 1);
}
