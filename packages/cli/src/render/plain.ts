import { stripVTControlCharacters } from 'node:util';

// What comes over the wire was written by somebody else. ESC starts sequences that move the cursor,
// rename the window or fill the clipboard; C1 does the same in one character; bidirectional controls
// make a line read otherwise than it is.
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A foreign text as one line that is safe to print. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(BREAKS, ' ').replaceAll(CONTROLS, '');
}

/**
 * A value as JSON that is safe to print: on several lines for people, on one line for programs.
 * `JSON.stringify` escapes C0 itself; the rest is escaped here, so nothing is lost.
 */
export function json(value: unknown, isForPeople: boolean): string {
  const text = JSON.stringify(value, undefined, isForPeople ? 2 : undefined) ?? 'null';
  return text.replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    escape,
  );
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
