/** Characters that take two columns of a terminal: Chinese and its punctuation. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/gu;

/** How many columns a text without colours takes. */
export function widthOf(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

/** A text with spaces before or after it, in `width` columns. */
export function pad(text: string, width: number, side: 'start' | 'end' = 'end'): string {
  const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'end' ? text + gap : gap + text;
}
