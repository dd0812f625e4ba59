/** How full a queue is: what its growth calls for. */
export type Level = 'calm' | 'warn' | 'danger';

/** What of a queue is much: how many wait in it, or how long its oldest one has. */
export type Measure = 'depth' | 'wait';

/** Both measures of a queue, each 1 at what it may be. */
export type Fill = Readonly<Record<Measure, number>>;

/** The fill of a queue: of two measures, each of which is enough, the higher one counts. */
export function worseOf({ depth, wait }: Fill): Measure {
  return wait > depth ? 'wait' : 'depth';
}

/** Where a queue stands, and since when it has stood below the level it is at. */
export interface Mark {
  level: Level;
  belowSince: number | undefined;
}

/** Fills from which a level holds, 0 to 1. */
export interface Watermarks {
  warn: number;
  danger: number;
}

/** A level is left only this much below where it was entered… */
const HYSTERESIS = 0.1;
/** …and only when that lasted so long: a queue that breathes is not told twice a second. */
const DWELL_MS = 5_000;

export const CALM: Mark = { level: 'calm', belowSince: undefined };

const RANK: Record<Level, number> = { calm: 0, warn: 1, danger: 2 };

/** The mark of a queue after its fill was measured. Rises at once, falls slowly. */
export function remark(mark: Mark, fill: number, at: number, marks: Watermarks): Mark {
  const reached = levelOf(fill, marks, 0);
  if (RANK[reached] > RANK[mark.level]) return { level: reached, belowSince: undefined };
  const kept = levelOf(fill, marks, HYSTERESIS);
  if (RANK[kept] >= RANK[mark.level]) return { level: mark.level, belowSince: undefined };
  const belowSince = mark.belowSince ?? at;
  if (at - belowSince < DWELL_MS) return { level: mark.level, belowSince };
  return { level: kept, belowSince: undefined };
}

function levelOf(fill: number, { warn, danger }: Watermarks, slack: number): Level {
  if (fill >= danger - slack) return 'danger';
  return fill >= warn - slack ? 'warn' : 'calm';
}
