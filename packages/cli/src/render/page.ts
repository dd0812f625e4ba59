import { styleText } from 'node:util';

/** A way of showing a text. */
export type Look = Parameters<typeof styleText>[0];

/** What is printed on. */
export interface Page {
  /** Columns of the terminal; undefined: a pipe or a file, where columns are separated by tabs. */
  width: number | undefined;
  paint(look: Look, text: string): string;
}

/** Paints with the terminal's own sequences. */
export function inColour(look: Look, text: string): string {
  // The session has decided whether there is colour; styleText would ask process.stdout again.
  return text === '' ? '' : styleText(look, text, { validateStream: false });
}

/** Paints nothing. */
export function withoutColour(_look: Look, text: string): string {
  return text;
}
