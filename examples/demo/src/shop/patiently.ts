import { setTimeout as pause } from 'node:timers/promises';
import { ReachError } from '@agent-reach/sdk';

/** A dozen programs that start at once can keep a small machine from its work for so long. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 200;

/**
 * Does it again where nothing was done and it may be tried again: a busy machine says nothing of what
 * is asked. Throws the last error when patience ends.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isBusy = ReachError.is(error) && error.retryable && error.executed === 'no';
      if (!isBusy || performance.now() > end) throw error;
      await pause(error.facts.retry_after_ms ?? PAUSE_MS);
    }
  }
}
