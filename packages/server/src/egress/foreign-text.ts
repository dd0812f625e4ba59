import { scrubText } from '@agent-reach/core/kernel';

/** Foreign text is shown to callers, so it is short. */
const CHARS_MAX = 200;

/**
 * What could rewrite a terminal, forge a line of a log or turn the reading direction of what
 * follows: control characters, line and paragraph separators, bidirectional and invisible marks.
 */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

/** Looked at for secrets: more than is shown, so that one across the cut is seen whole. */
const LOOKED_AT_CHARS_MAX = 4_096;

/**
 * Text of another program as a caller may see it: one line, no tricks, no secrets, cut. Without the full stop
 * at its end, since it goes into a sentence of ours.
 */
export function shown(foreign: string, charsMax = CHARS_MAX): string {
  const text = scrubText(foreign.slice(0, LOOKED_AT_CHARS_MAX));
  const clean = text
    .slice(0, charsMax + 1)
    .replace(UNSAFE, ' ')
    .trim();
  if (text.length <= charsMax) return clean.toWellFormed().replace(/\.$/, '');
  return `${clean.slice(0, charsMax).toWellFormed()}…`;
}
