import {
  breathe,
  type Clock,
  inOrder,
  type Log,
  loop,
  type Service,
} from '@agent-reach/core/kernel';
import type { Meanings } from './meanings.ts';

const LOOK_MS = 500;
/** Some milliseconds in which nobody else is served. */
const BATCH = 8;

/**
 * Indexes what was registered before anybody asks: all that there is before the doors open, since the
 * first question would do it in one go, and what comes later behind everybody's back.
 */
export function meaningService(ports: { meanings: Meanings; clock: Clock; log: Log }): Service {
  const { meanings, clock, log } = ports;
  const catchUp = async (isOver: () => boolean) => {
    while (!isOver() && meanings.catchUp(BATCH)) await breathe();
  };
  return inOrder([
    { start: () => catchUp(() => false), stop: async () => {} },
    loop({
      clock,
      pauseMs: () => LOOK_MS,
      round: (signal) => catchUp(() => signal.aborted),
      onError: (error) => log.error({ err: error }, 'what was registered could not be indexed'),
    }),
  ]);
}
