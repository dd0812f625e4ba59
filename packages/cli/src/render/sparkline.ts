const BARS = '▁▂▃▄▅▆▇█';
/** The same in eight steps of what every log and mail shows. */
const PLAIN = '_.-:=+*#';
const GAP = ' ';

/**
 * Values of 0 to 1 as a line of bars, at most `width` of them: where there are more values, each bar
 * is the lowest of those it stands for, so that no dip is lost. Null is a gap.
 */
export function sparkline(
  values: readonly (number | null)[],
  { width, isPlain }: { width: number; isPlain: boolean },
): string {
  const bars = isPlain ? PLAIN : BARS;
  const each = Math.max(1, Math.ceil(values.length / Math.max(1, width)));
  let line = '';
  for (let i = 0; i < values.length; i += each) {
    const known = values.slice(i, i + each).filter((value) => value !== null);
    line += known.length === 0 ? GAP : bars[stepOf(Math.min(...known))];
  }
  return line;
}

function stepOf(value: number): number {
  return Math.min(BARS.length - 1, Math.max(0, Math.floor(value * BARS.length)));
}
