import type { Clock, MonotonicMs } from '@agent-reach/core/kernel';
import type { Board } from '../resilience/board.ts';
import type { Instance } from './directory.ts';
import { intentOf } from './intent.ts';
import { type Band, nextBand, type Score, scoreOf, withProbe } from './score-machine.ts';

/** What the scores must know beside what is seen. */
export interface ScoreLimits {
  probeIntervalMs: number;
  probeTimeoutMs: number;
  /** Room of an instance whose manifest says nothing: at once, and in line. */
  running: number;
  waiting: number;
}

/** What scores are made with where nobody says otherwise. */
const SCORE_LIMITS: ScoreLimits = {
  probeIntervalMs: 5_000,
  probeTimeoutMs: 2_000,
  running: 10,
  waiting: 100,
};

/** How old a score may be: what is in flight changes with every call, and a score need not. */
const KEPT_MS = 250;
/** From a tenth to all of its share in so long. */
const SLOW_START_MS = 30_000;
const SLOW_START_MIN = 0.1;

/**
 * How well each instance can be reached, as this gateway sees it: its probes, what is on the board,
 * and, to its disadvantage alone, what it says itself. A score is made when it is looked at, and
 * then used for a quarter of a second: a thousand decisions a second cost four scores an instance.
 */
export class Scores {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #board: Board;
  readonly #limits: ScoreLimits;

  constructor(clock: Pick<Clock, 'monotonic'>, board: Board, limits: ScoreLimits = SCORE_LIMITS) {
    this.#clock = clock;
    this.#board = board;
    this.#limits = limits;
  }

  /** The score of an instance, at most 250 ms old. The object is shared: read it. */
  of(instance: Instance): Score {
    const { scoring, row, observed } = instance;
    const now = this.#clock.monotonic();
    const { last } = scoring;
    const isFresh = last !== undefined && now - last.at < KEPT_MS;
    if (isFresh && last.of === row && last.observed === observed) return last.score;
    const score = this.#make(instance, now);
    scoring.last = { at: now, of: row, observed, score };
    return score;
  }

  /** Takes in what a probe found: a round trip, or none. */
  probed(instance: Instance, rttMs: number | undefined): void {
    const { scoring, observed } = instance;
    const beat = {
      at: this.#clock.monotonic(),
      timeoutMs: this.#limits.probeTimeoutMs,
      isWell: observed === 'up' || observed === 'new',
    };
    scoring.pulse = withProbe(scoring.pulse, rttMs === undefined ? beat : { ...beat, rttMs });
    scoring.last = undefined;
  }

  /** The band in which an instance lies after one more look; `observed` says in which it was. */
  look(instance: Instance): Band {
    const { scoring, observed } = instance;
    const before = { isDegraded: observed === 'degraded', wellInRow: scoring.wellInRow };
    scoring.last = undefined;
    const band = nextBand(before, this.of(instance).steady);
    scoring.wellInRow = band.wellInRow;
    return band;
  }

  /** Notes that an instance can be reached that could not before. */
  cameBack({ scoring }: Instance): void {
    scoring.backAt = this.#clock.monotonic();
  }

  /** The part of its share that an instance gets by now: 0.1 when it has just come, 1 after 30 s. */
  slowStart({ scoring: { backAt } }: Instance): number {
    if (backAt === undefined) return 1;
    const part = (this.#clock.monotonic() - backAt) / SLOW_START_MS;
    return Math.min(1, Math.max(SLOW_START_MIN, part));
  }

  #make(instance: Instance, now: MonotonicMs): Score {
    const { row, observed, scoring, failures, slots, key } = instance;
    const { inflight, waiting, busyUntil } = this.#board.of(key);
    const limits = this.#limits;
    return scoreOf({
      isPresent: isWanted(instance) && isThere(observed),
      isProbed: row.mode === 'push',
      pulse: scoring.pulse,
      lost: failures,
      now,
      probeIntervalMs: limits.probeIntervalMs,
      probeTimeoutMs: limits.probeTimeoutMs,
      inflight,
      waiting,
      reportedPending: row.reported.pending ?? 0,
      isBusy: busyUntil > now,
      spared: instance.sight.spared,
      capacity: (slots ?? limits.running) + limits.waiting,
      ...this.#board.outcomes(key),
    });
  }
}

function isThere(observed: Instance['observed']): boolean {
  return observed !== 'unreachable' && observed !== 'gone';
}

function isWanted(instance: Instance): boolean {
  const { intent } = intentOf(instance);
  return intent === 'enabled' || intent === 'draining';
}
