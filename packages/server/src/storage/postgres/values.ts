import { packed } from './text.ts';

/** What a statement may be given. An array stands for a column of rows. */
export type Value =
  | string
  | number
  | boolean
  | null
  | readonly (string | number | boolean | null)[];

/** A value as it goes over the wire: all of it is text. */
export function bindable(value: Value): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return packed(value);
  return Array.isArray(value) ? `{${value.map(element).join(',')}}` : String(value);
}

/**
 * A list of texts in one text, which `::text[]` makes a list again: where lists of lists are due,
 * for those that the server knows are square.
 */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map(quoted).join(',')}}`;
}

/** https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
function element(value: string | number | boolean | null): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' ? quoted(packed(value)) : String(value);
}

function quoted(text: string): string {
  return SPECIAL.test(text) ? `"${text.replaceAll(EACH_SPECIAL, '\\$&')}"` : `"${text}"`;
}

const SPECIAL = /["\\]/;
const EACH_SPECIAL = /["\\]/g;
