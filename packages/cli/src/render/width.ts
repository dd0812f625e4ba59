import stringWidth from 'fast-string-width';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** How many columns a text takes: 2 for a Chinese character. */
export function widthOf(text: string): number {
  return stringWidth(text);
}

/** A text in at most `width` columns; `…` stands for what had to go. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 1;
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A text in exactly `width` columns. */
export function fit(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, width);
  const gap = ' '.repeat(Math.max(0, width - widthOf(shown)));
  return align === 'left' ? shown + gap : gap + shown;
}
