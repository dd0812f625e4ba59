import type { TaskMove } from '@agent-reach/sdk';

/**
 * The life of a task in one line, with the seconds since it was submitted:
 * `0.0 s queued → 1.2 s running (printer-2) → 4.3 s lease-lost → 4.5 s running (printer-1) → …`.
 *
 * Left out is what says nothing here: a delivery, because the receipt follows it, and the end of a
 * wait, because the next delivery does.
 */
export function lifeLine(moves: readonly TaskMove[]): string {
  const born = Date.parse(moves[0]?.at ?? '');
  return moves
    .filter(({ to, cause }) => to !== 'delivered' && cause !== 'due')
    .map(({ at, to, cause, holder }) => {
      const seconds = ((Date.parse(at) - born) / 1_000).toFixed(1);
      const word = cause === 'lease-lost' ? cause : to;
      return `${seconds} s ${word}${to === 'running' ? ` (${holder})` : ''}`;
    })
    .join(' → ');
}
