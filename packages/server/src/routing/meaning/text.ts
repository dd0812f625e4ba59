import { conceptsInChinese, conceptsInEnglish } from './concepts.ts';
import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** What is left of a text for matching: how often it has which word, and which run of letters. */
export interface Terms {
  /** A concept of the thesaurus is one more word: all who express it share it. */
  words: Map<string, number>;
  /** Hashes of short runs of letters: what is spelled alike shares them. */
  grams: Map<number, number>;
}

/**
 * No intent needs more, and the time of a decision grows with it: 2,048 characters are analysed in
 * about a millisecond.
 */
export const TEXT_CHARS_MAX = 2_048;

/** Distinct terms of one text; a longer one is noise, and each costs a look into the index. */
const WORDS_MAX = 256;
export const GRAMS_MAX = 2_048;

const CJK = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}々ー';
/** Runs without spaces between words, else whole words; everything between is a separator. */
const RUNS = new RegExp(`[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const IS_CJK = new RegExp(`^[${CJK}]`, 'u');
const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * A text in one spelling: compatibility forms joined (NFKC), what cannot be seen left out, at most
 * `charsMax` characters. Case is kept, for names are split by it.
 */
export function plain(text: string, charsMax = TEXT_CHARS_MAX): string {
  const seen = cut(text, charsMax)
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Cc}\p{Z}\s]+/gu, ' ');
  return cut(seen, charsMax).trim();
}

/** Without half a character at the end. */
function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const isHalf = (text.codePointAt(charsMax - 1) ?? 0) > 0xffff;
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}

/** `orderStatus`, `order_status` and `order.status` as words, in lower case. */
export function unjoin(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_./\\-]+/g, ' ')
    .toLowerCase();
}

/** A name or a whole short text as a key: equal for all ways to write the same words. */
export function keyOf(text: string): string {
  return [...unjoin(plain(text, 256)).matchAll(RUNS)].map(([run]) => run).join(' ');
}

/** The runs of a plain text, in lower case. */
function runsOf(text: string): string[] {
  return unjoin(text).match(RUNS) ?? [];
}

/** Words of a plain text: stems of spaced scripts, segments and pairs of Chinese and Japanese. */
export function wordsOf(text: string): string[] {
  return wordsIn(runsOf(text));
}

function wordsIn(runs: readonly string[]): string[] {
  const words: string[] = [];
  for (const run of runs) {
    if (!IS_CJK.test(run)) {
      if (!STOP_WORDS.has(run)) words.push(stem(run));
      continue;
    }
    for (const { segment, isWordLike } of SEGMENTER.segment(run)) {
      if (isWordLike === true && !STOP_WORDS.has(segment)) words.push(segment);
    }
    const letters = Array.from(run);
    for (let i = 0; i + 2 <= letters.length; i++) words.push(`${letters[i]}${letters[i + 1]}`);
  }
  return words;
}

/** The words of a plain text, and the concepts that they stand for in whatever words. */
export function matchable(text: string): string[] {
  return matchableIn(runsOf(text));
}

function matchableIn(runs: readonly string[]): string[] {
  const words = wordsIn(runs);
  let stems: string[] = [];
  for (const run of runs) {
    if (!IS_CJK.test(run)) {
      stems.push(stem(run));
      continue;
    }
    words.push(...conceptsInEnglish(stems), ...conceptsInChinese(Array.from(run)));
    stems = [];
  }
  words.push(...conceptsInEnglish(stems));
  return words;
}

/** Adds the terms of a text, each counted `weight` times. `withGrams`: letters count as well. */
export function addTerms(terms: Terms, text: string, weight: number, withGrams = true): void {
  const runs = runsOf(text);
  for (const word of matchableIn(runs)) {
    const known = terms.words.get(word);
    if (known === undefined && terms.words.size >= WORDS_MAX) continue;
    terms.words.set(word, (known ?? 0) + weight);
  }
  if (withGrams) for (const run of runs) addGrams(terms.grams, run, weight);
}

function addGrams(grams: Map<number, number>, run: string, weight: number): void {
  const [padded, least, most] = IS_CJK.test(run) ? [run, 1, 3] : [`^${run}$`, 3, 5];
  for (let from = 0; from + least <= padded.length; from++) {
    let hash = 0x811c9dc5;
    for (let n = 1; n <= most && from + n <= padded.length; n++) {
      hash = Math.imul(hash ^ padded.charCodeAt(from + n - 1), 0x01000193);
      if (n >= least) addGram(grams, hash, weight);
    }
  }
}

export function noTerms(): Terms {
  return { words: new Map(), grams: new Map() };
}

/** The terms of one text. */
export function termsOf(text: string): Terms {
  const terms = noTerms();
  addTerms(terms, plain(text), 1);
  return terms;
}

/** Spread and cut to 30 bits, which the engine keeps without an object of their own. */
function addGram(grams: Map<number, number>, raw: number, weight: number): void {
  const mixed = Math.imul(raw ^ (raw >>> 15), 0x2c1b3c6d);
  const key = (mixed ^ (mixed >>> 13)) & 0x3fffffff;
  const known = grams.get(key);
  if (known === undefined && grams.size >= GRAMS_MAX) return;
  grams.set(key, (known ?? 0) + weight);
}
