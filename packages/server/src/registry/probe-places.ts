// Design. A probe that is answered holds its place for milliseconds, one that is not for seconds. So
// where many are away they hold nearly all places, and those that are well wait until they look
// stale, or die unnoticed. Hence the lost have a part of the places only, and those that are known
// to be away a smaller one; whoever answers has the rest, and may have all.

/** Of all places so many may be held by those that lost their last probe… */
const LOST_PART = 0.75;
/** … and by those that were lost so often that nobody waits for them any more. */
const AWAY_PART = 0.5;

/** Places for probes that are under way at once. */
export class ProbePlaces {
  readonly #all: number;
  readonly #awayAfter: number;
  #taken = 0;
  #lost = 0;
  #away = 0;

  /** @param awayAfter Who lost so many in a row is away. */
  constructor(all: number, awayAfter: number) {
    this.#all = all;
    this.#awayAfter = awayAfter;
  }

  get isFull(): boolean {
    return this.#taken >= this.#all;
  }

  /** A place for one that lost so many probes in a row; what is returned gives it back. Undefined: there is none. */
  take(failures: number): (() => void) | undefined {
    const isLost = failures > 0;
    const isAway = failures >= this.#awayAfter;
    if (this.isFull) return undefined;
    if (isLost && this.#lost >= partOf(this.#all, LOST_PART)) return undefined;
    if (isAway && this.#away >= partOf(this.#all, AWAY_PART)) return undefined;
    this.#count(1, isLost, isAway);
    return () => this.#count(-1, isLost, isAway);
  }

  #count(by: 1 | -1, isLost: boolean, isAway: boolean): void {
    this.#taken += by;
    if (isLost) this.#lost += by;
    if (isAway) this.#away += by;
  }
}

function partOf(all: number, part: number): number {
  return Math.max(1, Math.floor(all * part));
}
