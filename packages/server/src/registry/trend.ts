import { LRUCache } from 'lru-cache';
import type { EpochMs } from '@agent-reach/core/kernel';

/** From one point to the next. */
export const MINUTE_MS = 60_000;
/** A day: a point a minute. */
const TREND_POINTS = 1_440;
/** What stands where there is no point: the gateway or the instance was not there. */
const NONE = 0xffff;
const SCALE = 1_000;
/**
 * Series kept at once. Each takes 2,880 bytes and a little for its name, so all of them take 30 MB;
 * past that, the one that has been quiet for longest is forgotten. Where none is quiet a newcomer has
 * none: each would push out one that is noted a moment later, and nobody would have a trend.
 */
const SERIES_MAX = 10_000;
const QUIET_MINUTES = 2;

interface Series {
  points: Uint16Array;
  /** The minute of the newest point, counted from 1970. */
  newest: number;
}

/**
 * What each instance's score was, a point a minute for a day. In memory, and of this gateway alone:
 * it tells what was measured here. A series outlives its instance, so that one that comes back is
 * seen to have been away.
 */
export class TrendBook {
  readonly #series: LRUCache<string, Series>;

  constructor(seriesMax = SERIES_MAX) {
    this.#series = new LRUCache({ max: seriesMax });
  }

  /** Notes a score; the last one of a minute stays. */
  note(key: string, at: EpochMs, score: number): void {
    const minute = Math.floor(at / MINUTE_MS);
    let series = this.#series.get(key);
    if (series === undefined) {
      if (!this.#hasRoom(minute)) return;
      series = { points: new Uint16Array(TREND_POINTS).fill(NONE), newest: minute };
      this.#series.set(key, series);
    }
    // A clock that was set back has been here before: what was noted then stays.
    if (minute < series.newest) return;
    const skipped = Math.min(TREND_POINTS, minute - series.newest);
    for (let step = 1; step <= skipped; step++) {
      series.points[(minute - skipped + step) % TREND_POINTS] = NONE;
    }
    series.newest = minute;
    series.points[minute % TREND_POINTS] = Math.round(score * SCALE);
  }

  #hasRoom(minute: number): boolean {
    if (this.#series.size < this.#series.max) return true;
    const { value: quietest } = this.#series.rvalues().next();
    return quietest === undefined || minute - quietest.newest >= QUIET_MINUTES;
  }

  /** The scores of the last minutes, oldest first; null where none was noted. */
  last(key: string, minutes: number, now: EpochMs): (number | null)[] {
    const series = this.#series.peek(key);
    const newest = Math.floor(now / MINUTE_MS);
    return Array.from({ length: minutes }, (_, i) => {
      const minute = newest - minutes + 1 + i;
      if (series === undefined || minute > series.newest) return null;
      if (minute <= series.newest - TREND_POINTS) return null;
      const point = series.points[minute % TREND_POINTS] ?? NONE;
      return point === NONE ? null : point / SCALE;
    });
  }
}
