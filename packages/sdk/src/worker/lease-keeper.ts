import { type LeaseState, ReachError } from '@agent-reach/core';
import { type Clock, fullJitterMs, type Log } from '@agent-reach/core/kernel';
import type { Ports } from '../ports.ts';
import type { Reach } from '../reach.ts';
import { outOfScope } from '../scope.ts';
import { endedMeanwhile, type Holding } from './holding.ts';

/** What keeping leases needs. */
export interface LeaseKeeperOptions {
  reach: Reach;
  ports: Ports;
  log: Log;
}

/** So many leases fit into one message. */
const LEASES_MAX = 1_000;
/** A gateway that gives leases of nothing must not be asked without pause. */
const PERIOD_MS_MIN = 50;
const EXTEND_MS_MAX = 5_000;
const EXTEND_MS_MIN = 250;
const RETRY_RULE = { baseMs: 250, maxMs: 2_000 };

/**
 * Keeps the leases of a process alive, of what runs and of what waits to run: all of them by one
 * message, a third of the shortest lease after it was last renewed. So two messages in a row may
 * be lost. A gateway that is away takes no lease from us: only its word does.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #held = new Set<Holding>();
  #timer: Disposable | undefined;
  #isAsking = false;
  #failures = 0;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  hold(holding: Holding): void {
    this.#held.add(holding);
    this.#arm();
  }

  drop(holding: Holding): void {
    this.#held.delete(holding);
    this.#arm();
  }

  get #clock(): Clock {
    return this.#options.ports.clock;
  }

  #arm(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    for (const holding of this.#held) if (holding.loss !== undefined) this.#held.delete(holding);
    if (this.#isAsking || this.#held.size === 0) return;
    const delayMs = this.#failures > 0 ? this.#retryMs() : this.#dueMs();
    this.#timer = this.#clock.timer(delayMs, () => void outOfScope(() => this.#extend()));
  }

  #dueMs(): number {
    let due = Number.POSITIVE_INFINITY;
    for (const { renewedAt, leaseMs } of this.#held) {
      due = Math.min(due, renewedAt + Math.max(PERIOD_MS_MIN, leaseMs / 3));
    }
    return Math.max(0, due - this.#clock.monotonic());
  }

  #retryMs(): number {
    return fullJitterMs(RETRY_RULE, this.#failures, this.#options.ports.random);
  }

  async #extend(): Promise<void> {
    this.#isAsking = true;
    const asked = [...this.#held].filter(({ loss }) => loss === undefined);
    try {
      for (let from = 0; from < asked.length; from += LEASES_MAX) {
        await this.#extendSome(asked.slice(from, from + LEASES_MAX));
      }
      if (this.#failures > 0)
        this.#options.log.info({ leases: asked.length }, 'leases are kept again');
      this.#failures = 0;
    } catch (error) {
      this.#failures++;
      const fields = { leases: asked.length, err: error };
      if (this.#failures === 1) {
        this.#options.log.warn(fields, 'leases could not be extended; the work goes on');
      }
    } finally {
      this.#isAsking = false;
      this.#arm();
    }
  }

  async #extendSome(asked: readonly Holding[]): Promise<void> {
    const at = this.#clock.monotonic();
    const leases = asked.map(({ delivery }) => delivery.lease);
    const shortestMs = Math.min(...asked.map(({ leaseMs }) => leaseMs));
    const timeoutMs = Math.min(EXTEND_MS_MAX, Math.max(EXTEND_MS_MIN, shortestMs / 3));
    const { reach } = this.#options;
    const answer = await reach.invoke('tasks.extend', { leases }, { timeoutMs });
    for (const [i, holding] of asked.entries()) {
      const { outcome, status } = answer.leases[i] ?? { outcome: 'invalid' };
      if (outcome === 'kept') holding.renew(at, answer.lease_ms);
      else holding.lose(lossOf(holding.taskId, outcome, status));
    }
  }
}

function lossOf(taskId: string, outcome: LeaseState['outcome'], status = 'gone'): ReachError {
  if (outcome === 'cancelled' || outcome === 'ended') return endedMeanwhile(taskId, status);
  const why = outcome === 'invalid' ? 'is not known by its lease' : 'is another’s now, or will be';
  return new ReachError('lease-lost', `Task ${taskId} ${why}.`);
}
