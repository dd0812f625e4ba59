import type { Capability } from '@agent-reach/core';
import type { Catalogue, Entry } from './catalogue.ts';
import { isConcept } from './concepts.ts';
import { LEGS, SCHEMA_SHARE } from './legs.ts';
import type { Scores } from './lexicon.ts';
import { keysOf, schemaFit } from './schema-fit.ts';
import { type Said, saidOf } from './said.ts';
import { scoreOf, type Sensed } from './sense.ts';
import { matchable, plain, termsOf } from './text.ts';

/**
 * Whether a capability may be chosen. `titled`: by an intent that is its name, its display name or an
 * alias. `named-only`: it might, but by no intent.
 */
export type Verdict = 'in' | 'out' | 'titled' | 'named-only';

/** What is asked of a catalogue. */
export interface Question {
  intent: string;
  params: unknown;
  /** Nothing but these may be chosen; undefined: that is not known before they are asked for one by one. */
  among?: Iterable<string> | undefined;
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
  /** How much of it the question says. Its texts are read for it anew, so two candidates are looked at. */
  readonly said: Said;
  /** Concepts of the question that it has, and that it has not. */
  readonly concepts: { had: number; missing: number };
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
/**
 * Looked at first; only when fewer of them may be chosen than are wanted are some more put in order. Of a
 * large index more, for they are compared in part before, and in full only then.
 */
const FIRST_LOOK = 64;
const LARGE_LOOK = 300;
const LOOK_GROWTH = 8;
const SORTED_MAX = 4_096;
/** Fewer times as many as are looked at are put in order at once. */
const NARROW = 4;
const BANDS = 4_096;
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
  const context: Context = {
    scores,
    shares: LEGS.map((leg) => leg.share(terms.words.size)),
    keys: keysOf(question.params),
    words: terms.words,
    mentioned: mentionedIn(text, catalogue),
    likes: sense === undefined ? undefined : likesFor(sense, catalogue),
    catalogue,
  };
  return {
    ...eligible(question, context),
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
  /** What each leg counts. */
  shares: readonly number[];
  keys: readonly string[];
  words: ReadonlyMap<string, number>;
  mentioned: ReadonlySet<string>;
  likes: Likes | undefined;
  catalogue: Catalogue;
}

/** All that any leg found, or that takes a parameter which was sent. */
function documentsFor({ scores, keys, likes, catalogue }: Context): readonly number[] {
  const more = new Set<number>();
  for (const one of likes?.documents ?? []) if (!scores.has(one)) more.add(one);
  for (const key of keys) {
    for (const one of catalogue.withProperty(key)) if (!scores.has(one)) more.add(one);
  }
  return more.size === 0 ? scores.documents : [...scores.documents, ...more];
}

function* documentsNamed(names: Iterable<string>, catalogue: Catalogue): Generator<number> {
  for (const name of names) for (const { document } of catalogue.entriesOf(name)) yield document;
}

/** What every document comes to; of a large index roughly, see `Scores.isRough`. */
function valuesOf(documents: readonly number[], context: Context): Float64Array {
  const { scores, shares, likes, keys, catalogue } = context;
  const values = new Float64Array(documents.length);
  for (const [i, leg] of LEGS.entries()) {
    const share = shares[i] ?? 0;
    for (let at = 0; at < documents.length; at++) {
      values[at] = (values[at] ?? 0) + share * leg.of(scores, documents[at] ?? 0);
    }
  }
  if (likes !== undefined) {
    for (let at = 0; at < documents.length; at++) {
      values[at] = likes.with(documents[at] ?? 0, values[at] ?? 0);
    }
  }
  if (keys.length === 0) return values;
  const fit = scores.isRough ? roughFit(keys, catalogue) : exactFit(keys, catalogue);
  for (let at = 0; at < documents.length; at++) {
    values[at] = (values[at] ?? 0) + SCHEMA_SHARE * fit(documents[at] ?? 0);
  }
  return values;
}

/** What one document comes to, with nothing left out. */
function valueOf(document: number, { scores, shares, likes, keys, catalogue }: Context): number {
  scores.spell(document);
  let value = 0;
  for (const [i, leg] of LEGS.entries()) value += (shares[i] ?? 0) * leg.of(scores, document);
  if (likes !== undefined) value = likes.with(document, value);
  if (keys.length > 0) value += SCHEMA_SHARE * exactFit(keys, catalogue)(document);
  return value;
}

function exactFit(keys: readonly string[], catalogue: Catalogue) {
  return (document: number) => {
    const facts = catalogue.entryOf(document)?.facts;
    return facts === undefined ? 0 : schemaFit(keys, facts).score;
  };
}

/** The part of the keys that a document takes: no schema is looked at for it. */
function roughFit(keys: readonly string[], catalogue: Catalogue) {
  const taken = new Map<number, number>();
  for (const key of keys) {
    for (const document of catalogue.withProperty(key)) {
      taken.set(document, (taken.get(document) ?? 0) + 1);
    }
  }
  return (document: number) => (taken.get(document) ?? 0) / keys.length;
}

function eligible(
  question: Question,
  context: Context,
): Pick<Ranking, 'candidates' | 'isCut' | 'passedOver'> {
  const found = new Map<string, Candidate>();
  let passedOver: Candidate | undefined;
  let isCut = false;
  for (const document of inOrder(context, question)) {
    const entry = context.catalogue.entryOf(document);
    if (entry === undefined || found.has(entry.capability.name)) continue;
    const verdict = question.admits(entry.capability.name, entry.agents);
    if (verdict === 'out') continue;
    if (found.size >= CANDIDATES_MAX) {
      isCut = true;
      break;
    }
    const candidate = candidateOf(document, entry, context);
    if (verdict === 'in') found.set(entry.capability.name, candidate);
    else if (found.size === 0) passedOver ??= candidate;
  }
  const candidates = [...found.values()].sort(byScore);
  return { candidates, isCut, passedOver };
}

/** Documents: what is mentioned first, so that no cut takes it; then the best, lazily. */
function* inOrder(context: Context, question: Question): Generator<number> {
  const { catalogue, mentioned, scores } = context;
  const { among } = question;
  const nameOf = (document: number) => catalogue.entryOf(document)?.capability.name ?? '';
  const isOut = (document: number) => {
    const entry = catalogue.entryOf(document);
    return entry === undefined || question.admits(entry.capability.name, entry.agents) === 'out';
  };
  const sorted = (some: { document: number; value: number }[]) =>
    some
      .sort((a, b) => b.value - a.value || (nameOf(a.document) < nameOf(b.document) ? -1 : 1))
      .map(({ document }) => document);
  const named = [...documentsNamed(mentioned, catalogue)];
  yield* sorted(named.map((document) => ({ document, value: valueOf(document, context) })));
  const only = among === undefined ? undefined : new Set(documentsNamed(among, catalogue));
  const found = documentsFor(context);
  const documents = only === undefined ? found : found.filter((document) => only.has(document));
  const values = valuesOf(documents, context);
  let above = Number.POSITIVE_INFINITY;
  for (let look = scores.isRough ? LARGE_LOOK : FIRST_LOOK; above >= 0; look *= LOOK_GROWTH) {
    const from = nthBest(values, look);
    const some: { document: number; value: number }[] = [];
    for (let at = 0; at < documents.length; at++) {
      const value = values[at] ?? 0;
      if (value < above && value >= from) some.push({ document: documents[at] ?? 0, value });
    }
    // Those that were compared in part may change places when they are compared in full.
    if (scores.isRough && above === Number.POSITIVE_INFINITY) {
      for (const one of some) one.value = valueOf(one.document, context);
    }
    // So many are asked for one by one, and only those that are left are worth putting in order.
    yield* sorted(some.length > SORTED_MAX ? some.filter((one) => !isOut(one.document)) : some);
    above = from;
  }
}

/** A score that about `n` are not below; -1: all of them. Nothing is put in order for it. */
function nthBest(values: Float64Array, n: number): number {
  if (values.length <= NARROW * n) return -1;
  let most = 0;
  for (const value of values) if (value > most) most = value;
  const counts = new Uint32Array(BANDS + 1);
  const scale = BANDS / (most || 1);
  for (const value of values) {
    const band = Math.floor(value * scale);
    counts[band] = (counts[band] ?? 0) + 1;
  }
  let band = BANDS;
  for (let above = 0; band > 0; band--) {
    above += counts[band] ?? 0;
    if (above >= n) break;
  }
  return band === 0 ? -1 : band / scale;
}

function candidateOf(document: number, entry: Entry, context: Context): Candidate {
  const { scores, keys, words, mentioned, likes, catalogue } = context;
  const { capability } = entry;
  const boundary = boundaryOf(capability, words);
  const fit = schemaFit(keys, entry.facts);
  return {
    name: capability.name,
    capability,
    score: valueOf(document, context) * (1 - BOUNDARY_SHARE * boundary),
    legs: LEGS.map((leg) => leg.of(scores, document)),
    cosine: likes?.cosine(document),
    like: likes?.score(document),
    coverage: scores.coverage(document),
    hasRarest: scores.hasRarest(document),
    get concepts() {
      const asked = [...words.keys()].filter(isConcept);
      const had = asked.filter((word) => scores.hasWord(document, word)).length;
      return { had, missing: asked.length - had };
    },
    get said() {
      const weightOf = (word: string) => catalogue.lexicon.weightOf(word);
      return saidOf(capability, new Set(words.keys()), weightOf);
    },
    schema: fit.score,
    missing: fit.missing,
    boundary,
    isMentioned: mentioned.has(capability.name),
  };
}

/** The part of the question's words that the capability says it is not for, and that it has not itself. */
function boundaryOf(capability: Capability, words: ReadonlyMap<string, number>): number {
  if (capability.not_for.length === 0 || words.size === 0) return 0;
  const own = new Set(matchable(plain(`${capability.display_name} ${capability.description}`)));
  const excluded = new Set(matchable(plain(capability.not_for.join('\n'))));
  const hits = [...words.keys()].filter((word) => excluded.has(word) && !own.has(word));
  return hits.length / words.size;
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
