import { type Clock, type Log, loop, type Service } from '@agent-reach/core/kernel';
import type { LedgerStore } from '../storage/spi/ledger.ts';
import type { Now } from '../storage/spi/now.ts';

const PAUSE_MS = 60_000;
/** Rows forgotten in one store move: small, so that no claim waits long behind it. */
const BATCH = 1_000;

/** Forgets keys whose retention is over, and confirmations that ended long ago. */
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
      const { ledger, now } = ports;
      await emptied(() => ledger.prune({ limit: BATCH, now: now() }), signal);
      await emptied(() => ledger.pruneConfirmations({ limit: BATCH, now: now() }), signal);
    },
  });
}

/** Batch after batch, until one is not full or nobody wants it any more. */
async function emptied(batch: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await batch()) === BATCH);
}
