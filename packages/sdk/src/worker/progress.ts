import type { Clock, Log } from '@agent-reach/core/kernel';
import type { Reach } from '../reach.ts';
import { outOfScope } from '../scope.ts';
import { endedMeanwhile, type Holding } from './holding.ts';
import { isLoss, isVerdict } from './verdict.ts';

/** What telling progress needs. */
export interface ProgressPorts {
  reach: Reach;
  clock: Clock;
  log: Log;
}

interface Mark {
  percent: number;
  note?: string;
}

/** What of a task is being told. */
interface Telling {
  next?: Mark | undefined;
  over: AbortController;
}

/** More often than this nobody looks. */
const GAP_MS = 250;
const PROGRESS_MS = 5_000;
const NOTE_CHARS_MAX = 512;

/**
 * Tells how far tasks are: of each the newest mark, one message at a time. A mark that cannot be
 * told is no failure of the task.
 */
export class Progress {
  readonly #options: ProgressPorts;
  readonly #tellings = new Map<Holding, Telling>();

  constructor(options: ProgressPorts) {
    this.#options = options;
  }

  tell(holding: Holding, percent: number, note: string | undefined): void {
    if (Number.isNaN(percent) || holding.loss !== undefined) return;
    const mark: Mark = { percent: Math.min(100, Math.max(0, percent)) };
    if (note !== undefined) mark.note = note.slice(0, NOTE_CHARS_MAX).toWellFormed();
    const telling = this.#tellings.get(holding);
    if (telling !== undefined) {
      telling.next = mark;
      return;
    }
    const first: Telling = { next: mark, over: new AbortController() };
    this.#tellings.set(holding, first);
    // Called from inside a handler, whose deadline and abort are not those of the message.
    void outOfScope(() => this.#run(holding, first));
  }

  /** The task has ended: nothing of it is told any more. */
  forget(holding: Holding): void {
    this.#tellings.get(holding)?.over.abort();
    this.#tellings.delete(holding);
  }

  async #run(holding: Holding, telling: Telling): Promise<void> {
    const { signal } = telling.over;
    while (telling.next !== undefined && !signal.aborted) {
      const mark = telling.next;
      telling.next = undefined;
      await this.#say(holding, mark);
      await this.#options.clock.sleep(GAP_MS, signal).catch(() => {}); // The loop looks at the signal.
    }
    if (!signal.aborted) this.#tellings.delete(holding);
  }

  async #say(holding: Holding, mark: Mark): Promise<void> {
    const { reach, clock, log } = this.#options;
    const at = clock.monotonic();
    const input = { ...holding.lease, ...mark };
    try {
      const answer = await reach.invoke('tasks.progress', input, { timeoutMs: PROGRESS_MS });
      if (answer.outcome === 'ended') holding.lose(endedMeanwhile(holding.taskId, answer.status));
      else holding.renew(at, answer.lease_ms);
    } catch (error) {
      if (isVerdict(error) && isLoss(error)) holding.lose(error);
      else log.debug({ task_id: holding.taskId, err: error }, 'progress could not be told');
    }
  }
}
