import { ReachError, type TaskView } from '@agent-reach/core';
import { hasEnded, type Reach } from '@agent-reach/sdk';
import type { Session } from './session.ts';

/** What following needs. */
export interface FollowOptions {
  reach: Reach;
  session: Session;
  /** Ends it. */
  signal: AbortSignal;
}

/** Often enough to see it move, seldom enough for a gateway with many watchers. */
export const LOOK_MS = 1_000;

/** One task each time it has moved, to its end. A gateway that is away is waited for. */
export async function* follow(id: string, options: FollowOptions): AsyncGenerator<TaskView> {
  const { reach } = options;
  let shown = '';
  for await (const task of looks(options, (signal) =>
    // Held by the gateway, so that the end is seen at once.
    reach.tasks.get(id, shown === '' ? { signal } : { waitMs: LOOK_MS, signal }),
  )) {
    const mark = markOf(task);
    if (mark !== shown) yield task;
    shown = mark;
    if (hasEnded(task)) return;
  }
}

/** Looks once a second until the signal ends it. */
export async function* looks<T>(
  { session, signal }: FollowOptions,
  look: (signal: AbortSignal) => Promise<T>,
): AsyncGenerator<T> {
  const { clock } = session;
  let isAway = false;
  while (!signal.aborted) {
    const at = clock.monotonic();
    try {
      yield await look(signal);
      isAway = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (!isAway) session.note(`reach: ${error.message} Looking on.`);
      isAway = true;
    }
    const restMs = LOOK_MS - (clock.monotonic() - at);
    if (restMs > 0) await clock.sleep(restMs, signal).catch(() => {}); // The loop looks at the signal.
  }
}

/** What of a task people see move. */
export function markOf({ status, cause, attempts, deliveries, progress, agent }: TaskView): string {
  return JSON.stringify([status, cause, attempts, deliveries, progress, agent]);
}

/** A failure of the way to the gateway, or of a gateway that will be well again. */
function isPassing(error: unknown): error is ReachError {
  return ReachError.is(error) && (error.status >= 500 || error.retryable);
}
