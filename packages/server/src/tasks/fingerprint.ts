import { createHash } from 'node:crypto';

/** A longer tail says nothing that tells one way of failing from another. */
const CHARS_MAX = 200;

/**
 * A reason without what differs from case to case: ids, numbers and quoted values become `*`, so
 * that five hundred tasks that failed in three ways are three lines.
 */
export function foldReason(reason: string): string {
  return reason
    .replaceAll(QUOTED, '*')
    .replaceAll(WORD, (word) => (/\p{Nd}/u.test(word) ? '*' : word))
    .replaceAll(/\p{Nd}+/gu, '*')
    .replaceAll(/\*(?:[.:,/+-]\*)+/g, '*')
    .slice(0, CHARS_MAX)
    .toWellFormed();
}

/** The name of a way of failing: what was the cause, and its reason as far as it is no accident. */
export function fingerprintOf({
  cause = '',
  reason = '',
}: {
  cause?: string;
  reason?: string;
}): string {
  const text = `${cause}\n${foldReason(reason)}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

/** An apostrophe within a word quotes nothing. */
const QUOTED = /"[^"]*"|`[^`]*`|“[^”]*”|«[^»]*»|「[^」]*」|『[^』]*』|(?<![\w’])'[^']*'(?!\w)/g;

/** Latin only: scripts without spaces would be folded by whole sentences. */
const WORD = /[\w-]+/g;
