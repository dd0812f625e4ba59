import {
  EXAMPLES_MAX,
  type ExamplesPolicy,
  REFUSALS_MAX,
  type TaughtExample,
  type TaughtRefusal,
} from '@agent-reach/core';
import { type Likenable, likenable, likeness } from './likeness.ts';
import { keyOf, plain, wordsOf } from './text.ts';

/** An answer to a question: what was asked, what was right, who says so. */
export interface Lesson {
  text: string;
  /** Undefined: none of `options`. */
  capability: string | undefined;
  options: readonly string[];
  by: string;
  /** RFC 3339. */
  at: string;
}

/** What became of a lesson. `known`: the same one said so before. `full`: there is no room. */
export type Learned = { doc: ExamplesPolicy } | { why: 'known' | 'full' | 'empty' };

/** The document is one row of a store, written as a whole at each lesson: some 300 KB at most. */
export const LESSONS_MAX = 1_000;
const TEXT_CHARS_MAX = 256;
const TEACHERS_MAX = 8;
/** From here on two utterances say the same, and who gave one supports the other. */
const ALIKE = 0.6;
/** Two, so that nobody alone decides where others are sent. */
const TEACHERS_MIN = 2;

type Taught = TaughtExample | TaughtRefusal;

/**
 * Adds a lesson to what was learned. Numbers and addresses are left out of the text: they are the
 * caller's data and no part of what he meant.
 */
export function learn(doc: ExamplesPolicy, lesson: Lesson): Learned {
  const text = masked(lesson.text);
  if (wordsOf(text).length === 0) return { why: 'empty' };
  const { capability, by, at, options } = lesson;
  if (capability === undefined) {
    const given = { text, by: [by], at, options: [...options] };
    const known = doc.none ?? [];
    if (isKnown(known, given, sameOptions)) return { why: 'known' };
    const rows = within(taught(known, given, sameOptions), REFUSALS_MAX);
    const isMore = rows.length > known.length && countOf(doc) >= LESSONS_MAX;
    return isMore ? { why: 'full' } : { doc: { ...doc, none: rows } };
  }
  const { capabilities = {} } = doc;
  const before = Object.hasOwn(capabilities, capability) ? (capabilities[capability] ?? []) : [];
  if (isKnown(before, { text, by: [by], at })) return { why: 'known' };
  const rows = within(taught(before, { text, by: [by], at }), EXAMPLES_MAX);
  if (rows.length > before.length && countOf(doc) >= LESSONS_MAX) return { why: 'full' };
  return { doc: { ...doc, capabilities: { ...capabilities, [capability]: rows } } };
}

/** The utterance as it may be kept. */
export function masked(text: string): string {
  return plain(
    cutOf(text)
      .replace(/[\w.+-]+@[\w.-]+/g, ' ')
      .replace(/[A-Za-z0-9_-]*\d{3,}[A-Za-z0-9_-]*/g, ' '),
    TEXT_CHARS_MAX,
  );
}

/** What is left of an utterance that has numbers or addresses; undefined: it has none. */
export function bareOf(text: string): string | undefined {
  const bare = masked(text);
  return bare === plain(cutOf(text), TEXT_CHARS_MAX) ? undefined : bare;
}

function cutOf(text: string): string {
  return text.slice(0, 4 * TEXT_CHARS_MAX);
}

/** Rows that count: two different callers gave them, or ones alike, or an operator is sure. */
export function counting<Row extends Taught>(rows: readonly Row[]): Row[] {
  const texts = rows.map(({ text }) => likenable(text));
  return rows.filter(({ sure }, i) => {
    if (sure === true) return true;
    const own = texts[i];
    const teachers = rows.flatMap(({ by }, j) => {
      const other = texts[j];
      return own !== undefined && other !== undefined && isAlike(own, other) ? by : [];
    });
    return new Set(teachers).size >= TEACHERS_MIN;
  });
}

/** How many lessons a document holds. */
export function countOf({ capabilities = {}, none = [] }: ExamplesPolicy): number {
  return Object.values(capabilities).reduce((sum, rows) => sum + rows.length, none.length);
}

function isAlike(a: Likenable, b: Likenable): boolean {
  return likeness(a, b) >= ALIKE;
}

/** Whether the same one gave the same before: each change is a version, and only so many are kept. */
function isKnown<Row extends Taught>(
  rows: readonly Row[],
  given: Row,
  isSame: (a: Row, b: Row) => boolean = () => true,
): boolean {
  const key = keyOf(given.text);
  return rows.some((row) => {
    const isOne = keyOf(row.text) === key && isSame(row, given);
    return (
      isOne && (row.by.length >= TEACHERS_MAX || given.by.every((one) => row.by.includes(one)))
    );
  });
}

/** The rows with one more, or with one more teacher of the same words; the newest one last. */
function taught<Row extends Taught>(
  rows: readonly Row[],
  given: Row,
  isSame: (a: Row, b: Row) => boolean = () => true,
): Row[] {
  const key = keyOf(given.text);
  const known = rows.find((row) => keyOf(row.text) === key && isSame(row, given));
  if (known === undefined) return [...rows, given];
  const by = [...new Set([...known.by, ...given.by])].slice(0, TEACHERS_MAX);
  return [...rows.filter((row) => row !== known), { ...known, by, at: given.at }];
}

function sameOptions(a: TaughtRefusal, b: TaughtRefusal): boolean {
  return [...a.options].sort().join() === [...b.options].sort().join();
}

/** No more than `most`: of the two that are most alike the older one goes, unless it is sure. */
function within<Row extends Taught>(rows: readonly Row[], most: number): Row[] {
  if (rows.length <= most) return [...rows];
  const texts = rows.map(({ text }) => likenable(text));
  let goes = rows.findIndex(({ sure }) => sure !== true);
  let closest = -1;
  for (const [i, older] of texts.entries()) {
    if (rows[i]?.sure === true) continue;
    for (const newer of texts.slice(i + 1)) {
      const near = likeness(older, newer);
      if (near > closest) {
        closest = near;
        goes = i;
      }
    }
  }
  return rows.filter((_, i) => i !== Math.max(0, goes));
}
