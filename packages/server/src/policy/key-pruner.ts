import { type Clock, type Log, loop, type Service } from '@agent-reach/core/kernel';
import type { LedgerStore } from '../storage/spi/ledger.ts';
import type { Now } from '../storage/spi/now.ts';

const PAUSE_MS = 60_000;
/** Keys forgotten in one store move: small, so that no claim waits long behind it. */
const BATCH = 1_000;

/** Forgets keys whose retention is over. */
export function keyPruner(ports: {
  ledger: LedgerStore;
  clock: Clock;
  log: Log;
  now: () => Now;
}): Service {
  return loop({
    clock: ports.clock,
    pauseMs: () => PAUSE_MS,
    onError: (error) => ports.log.error({ err: error }, 'old keys could not be forgotten'),
    async round(signal) {
      for (;;) {
        const gone = await ports.ledger.prune({ limit: BATCH, now: ports.now() });
        if (signal.aborted || gone < BATCH) return;
      }
    },
  });
}
