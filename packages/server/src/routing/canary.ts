import type { Shares } from '@agent-reach/core';
import { mixedHash } from '@agent-reach/core/kernel';

/** Which version has a piece of work, and the warning if it is not the one that was drawn. */
export interface VersionChoice {
  /** Undefined: none that has a share is there. */
  version: string | undefined;
  warning: string | undefined;
}

/** Shares are exact to a hundredth of a percent. */
const PARTS = 10_000;

/**
 * The version that a key draws: the same key the same version for as long as the shares stay, and
 * in the long run each version its share. Versions stand in the order of their names, so raising
 * the share of one of two moves keys one way only.
 */
export function drawVersion(shares: Shares, key: string): string | undefined {
  const point = (mixedHash(`version\n${key}`) % PARTS) / (PARTS / 100);
  let upTo = 0;
  let drawn: string | undefined;
  for (const [version, share] of Object.entries(shares).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (share === 0) continue;
    drawn = version;
    upTo += share;
    if (point < upTo) break;
  }
  return drawn;
}

/**
 * The version for a key among those that are there: the drawn one, else the one with the largest
 * share. One whose share is 0 is never chosen.
 *
 * @param fixed The version that has this work whatever it draws: stateful work while shares are set.
 */
export function chooseVersion(
  shares: Shares,
  present: ReadonlySet<string>,
  draw: { key: string; fixed: string | undefined },
): VersionChoice {
  const wanted = draw.fixed ?? drawVersion(shares, draw.key);
  if (wanted !== undefined && present.has(wanted)) return { version: wanted, warning: undefined };
  const [next] = Object.entries(shares)
    .filter(([version, share]) => share > 0 && present.has(version))
    .sort(([, a], [, b]) => b - a);
  const version = next?.[0];
  const instead = version === undefined ? 'no version that has a share is' : `${version} takes it`;
  return { version, warning: `Nobody of version ${wanted} is there; ${instead}.` };
}
