import type { Clock, Deadline } from '@agent-reach/core/kernel';

/** Node fires a longer timer at once; a clock cuts it, and it would fire too early. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** Calls `wake` when the deadline passes, however far that is, unless disposed first. */
export function atDeadline(clock: Clock, deadline: Deadline, wake: () => void): Disposable {
  let timer: Disposable | undefined;
  const arm = () => {
    const leftMs = deadline.remainingMs();
    if (leftMs <= 0) wake();
    else if (leftMs < Number.POSITIVE_INFINITY) {
      timer = clock.timer(Math.min(leftMs, TIMER_MS_MAX), arm);
    }
  };
  arm();
  return { [Symbol.dispose]: () => timer?.[Symbol.dispose]() };
}
