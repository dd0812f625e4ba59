import type { Clock } from '@agent-reach/core/kernel';

/** Waits for `work`, but not longer than `limitMs`. Leaves no timer behind. */
export async function atMost(clock: Clock, limitMs: number, work: Promise<unknown>): Promise<void> {
  const isOver = new AbortController();
  const limit = clock.sleep(limitMs, isOver.signal).catch(() => {}); // Woken early: the work is done.
  await Promise.race([work, limit]);
  isOver.abort();
}
