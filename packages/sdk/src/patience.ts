import { type Clock, Deadline } from '@agent-reach/core/kernel';

/** What bounds a wait, beside its own limit. */
export interface PatienceOptions {
  clock: Clock;
  limitMs: number;
  /** The deadline of the work that this wait is a part of. */
  within?: Deadline | undefined;
  signals: readonly (AbortSignal | undefined)[];
}

/**
 * How long somebody waits: until a deadline, or until one of the given signals is aborted.
 *
 * Dispose it when the wait is over. `AbortSignal.any` is not used because it leaves its listeners
 * on the given signals, and a signal may outlive thousands of calls.
 */
export class Patience implements Disposable {
  readonly deadline: Deadline;
  readonly signal: AbortSignal;
  /** Why the wait was cut short; undefined while it was not. */
  cutBy: 'deadline' | 'caller' | undefined;
  readonly #cleanup = new DisposableStack();

  constructor({ clock, limitMs, within, signals }: PatienceOptions) {
    const controller = new AbortController();
    const cut = (by: 'deadline' | 'caller') => {
      this.cutBy ??= by;
      controller.abort();
    };
    this.signal = controller.signal;
    this.deadline = within === undefined ? Deadline.in(clock, limitMs) : within.within(limitMs);
    const remainingMs = this.deadline.remainingMs();
    if (remainingMs === 0) cut('deadline');
    else this.#cleanup.use(clock.timer(remainingMs, () => cut('deadline')));
    for (const signal of signals) {
      if (signal === undefined) continue;
      // The signal of a handler is aborted by the handler's deadline, which is ours too.
      const onAbort = () => cut(this.deadline.passed ? 'deadline' : 'caller');
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort);
      this.#cleanup.defer(() => signal.removeEventListener('abort', onAbort));
    }
  }

  [Symbol.dispose](): void {
    this.#cleanup.dispose();
  }
}
