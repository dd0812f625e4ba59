import { breathe, type Clock, type Log, loop, type Service } from '@agent-reach/core/kernel';
import type { Meanings } from './meanings.ts';

const LOOK_MS = 500;
/** Some milliseconds in which nobody else is served. */
const BATCH = 8;

/** Indexes what was registered before anybody asks: five thousand capabilities take some seconds. */
export function meaningService(ports: { meanings: Meanings; clock: Clock; log: Log }): Service {
  return loop({
    clock: ports.clock,
    pauseMs: () => LOOK_MS,
    async round(signal) {
      while (!signal.aborted && ports.meanings.catchUp(BATCH)) await breathe();
    },
    onError: (error) => ports.log.error({ err: error }, 'what was registered could not be indexed'),
  });
}
