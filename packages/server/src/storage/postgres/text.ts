/**
 * PostgreSQL keeps every character but one: U+0000 is refused, wherever it stands. An error message
 * of a foreign program may hold it, and a task that cannot be settled for that would come again and
 * again. So it is written as U+0001 `0`, and U+0001 as U+0001 `1`. Texts still compare as they did.
 */
export function packed(text: string): string {
  return RARE.test(text) ? text.replaceAll(EACH_RARE, (c) => `\u0001${c.charCodeAt(0)}`) : text;
}

/** The text that was packed. */
export function unpacked(text: string): string {
  return text.includes('\u0001')
    ? text.replaceAll(ESCAPED, (_, digit: string) => String.fromCharCode(Number(digit)))
    : text;
}

const RARE = /[\u0000\u0001]/;
const EACH_RARE = /[\u0000\u0001]/g;
const ESCAPED = /\u0001([01])/g;
