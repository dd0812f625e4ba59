import type { Clock, EpochMs } from './clock.ts';

/** What a steady clock stands on. */
export interface SteadyPorts {
  clock: Clock;
  /** How long the machine has been up, asleep or not, seconds. Setting its clock changes nothing. */
  uptime: () => number;
  /** Told how far the wall clock was set, forward or back. */
  onStep: (byMs: number) => void;
}

/** What slews, leap seconds and slow looks come to; a jump of the wall clock beyond it is a step. */
const STEP_MS = 2_000;
/** How often the uptime is read: on Linux it is a file. */
const UPTIME_MS = 1_000;

/**
 * Wall time for what is kept with a moment of its own: leases, delays, deadlines. It follows the
 * machine's clock, slewed or after a sleep, but not when somebody sets it: an hour that did not
 * pass must not end every lease, and one that comes again must not lengthen them.
 *
 * From a step on it stays that far from the wall clock until the process is started anew. Whoever
 * compares with other machines asks the wall clock itself.
 */
export function steadyClock({ clock, uptime, onStep }: SteadyPorts): Clock {
  let offsetMs = 0;
  let last = { wall: clock.now(), monotonic: clock.monotonic() };
  let up = { seconds: uptime(), monotonic: last.monotonic };

  const sleptMs = (monotonic: number): number =>
    Math.max(0, (uptime() - up.seconds) * 1_000 - (monotonic - up.monotonic));

  function now(): EpochMs {
    const next = { wall: clock.now(), monotonic: clock.monotonic() };
    let jumpMs = next.wall - last.wall - (next.monotonic - last.monotonic);
    if (Math.abs(jumpMs) > STEP_MS) jumpMs -= sleptMs(next.monotonic);
    if (Math.abs(jumpMs) > STEP_MS) {
      offsetMs -= jumpMs;
      onStep(jumpMs);
    }
    if (next.monotonic - up.monotonic >= UPTIME_MS) {
      up = { seconds: uptime(), monotonic: next.monotonic };
    }
    last = next;
    return Math.round(next.wall + offsetMs);
  }

  return {
    now,
    monotonic: () => clock.monotonic(),
    timer: (delayMs, wake) => clock.timer(delayMs, wake),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
}
