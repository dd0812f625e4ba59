import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from './clock.ts';
import type { Service } from './lifecycle.ts';

/** How late this process is with what it has to do. */
export interface LoopDelay {
  /** Of the last second in which anybody asked: 99 of 100 turns of the loop came sooner, milliseconds. */
  p99Ms(): number;
}

/** How often the loop is looked at; a sample holds as much of its own, which is taken off again. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 1_000;
/** Where nobody asked for so long, what was counted meanwhile says nothing of now. */
const STALE_MS = 2 * WINDOW_MS;

/**
 * That of this process, while it is started: last of all, for what a start takes is no lateness. Read when
 * somebody asks, so that it has no timer of ours.
 */
export function systemLoopDelay(clock: Pick<Clock, 'monotonic'>): LoopDelay & Service {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  let last = 0;
  let since = clock.monotonic();
  return {
    p99Ms() {
      const now = clock.monotonic();
      if (now - since < WINDOW_MS) return last;
      const isKnown = now - since < STALE_MS && histogram.count > 0;
      since = now;
      last = isKnown ? histogram.percentile(99) / 1e6 - RESOLUTION_MS : 0;
      histogram.reset();
      return last;
    },
    async start() {
      since = clock.monotonic();
      histogram.enable();
    },
    async stop() {
      histogram.disable();
    },
  };
}
