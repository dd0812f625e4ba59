import { type Clock, type Log, loop, type Service, type Values } from '@agent-reach/core/kernel';
import type { TracesStore } from '../storage/spi/traces.ts';
import type { TELEMETRY_OPTIONS } from './options.ts';

const PAUSE_MS = 60_000;
/** Rows forgotten in one store move: small, so that no write waits long behind it. */
const BATCH = 1_000;

/** Forgets the past that is past keeping, a little at a time. */
export function pruner(ports: {
  store: TracesStore;
  clock: Clock;
  log: Log;
  options: Values<typeof TELEMETRY_OPTIONS>;
}): Service {
  const { store, clock, log, options } = ports;
  return loop({
    clock,
    pauseMs: () => PAUSE_MS,
    onError: (error) => log.error({ err: error }, 'old traces could not be forgotten'),
    async round(signal) {
      for (;;) {
        const now = clock.now();
        const gone = await store.prune({
          before: now - options.traceRetentionMs,
          rowsMax: options.traceRowsMax,
          auditBefore: now - options.auditRetentionMs,
          limit: BATCH,
        });
        if (signal.aborted || (gone.traces < BATCH && gone.audit === 0)) return;
      }
    },
  });
}
