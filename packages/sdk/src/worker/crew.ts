import type { Delivery } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import { atMost } from '../at-most.ts';
import { outOfScope } from '../scope.ts';
import type { Handled } from '../task-handler.ts';
import { HolderWords } from './holder-words.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { Progress } from './progress.ts';
import { Worker, type WorkerOptions, type WorkerPorts } from './worker.ts';

/** What the crew of an agent needs. */
export type CrewPorts = Pick<WorkerPorts, 'seat' | 'reach' | 'perform' | 'ports' | 'log'>;

/** How many tasks an agent takes at once. */
export interface CrewOptions {
  handled: ReadonlyMap<string, Handled>;
  /** Of the types that have no places of their own. */
  concurrency?: number | undefined;
  prefetch?: number | undefined;
}

/** Tasks of minutes need few places; an agent that wants more says so. */
const CONCURRENCY = 4;
/** From here on tasks are short enough for the next to be fetched meanwhile. */
const PREFETCH_FROM = 5;
/**
 * A gateway ends the question of an agent that drains at once. One that does not is cut off, at the
 * risk of work on its way to us that then waits for its lease to run out.
 */
const LAST_ANSWER_MS = 300;

/** All workers of an agent: one for the types that share their places, one for each other type. */
export class Crew {
  readonly #workers: readonly Worker[];
  readonly #clock: Clock;

  constructor(shared: CrewPorts, options: CrewOptions) {
    const { reach, ports, log } = shared;
    this.#clock = ports.clock;
    const words = new HolderWords({ reach, ports, log });
    const keeper = new LeaseKeeper({ reach, ports, log });
    const progress = new Progress({ reach, clock: ports.clock, log });
    const all: WorkerPorts = { ...shared, words, keeper, progress };
    this.#workers = shares(options).map((share) => new Worker(all, share));
  }

  /** Tasks at once. */
  get concurrency(): number {
    return this.#workers.reduce((sum, { concurrency }) => sum + concurrency, 0);
  }

  get inflight(): number {
    return this.#workers.reduce((sum, { inflight }) => sum + inflight, 0);
  }

  get pending(): number {
    return this.#workers.reduce((sum, { pending }) => sum + pending, 0);
  }

  /** Takes a task that the gateway sent by itself; false when there is no place for it now. */
  accept(delivery: Delivery): boolean {
    const worker = this.#workers.find((one) => one.handles(delivery.task_type));
    return worker?.accept(delivery) ?? false;
  }

  /** Begins to ask for work as soon as the gateway knows the agent. */
  start(): void {
    // Whoever starts an agent inside a handler does not lend it that handler's deadline.
    outOfScope(() => {
      for (const worker of this.#workers) worker.start();
    });
  }

  /**
   * Takes no more work and gives back what has not begun, at once. `told`: the gateway has been
   * told that the agent leaves, or cannot be.
   */
  async retire(told: Promise<unknown>): Promise<void> {
    const retired = Promise.all(this.#workers.map((worker) => worker.retire()));
    await told;
    await atMost(this.#clock, LAST_ANSWER_MS, retired);
    for (const worker of this.#workers) worker.hangUp();
    await retired;
  }

  /** Resolves when nothing is held any more. */
  async idle(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.idle()));
  }

  /** Waits no longer for what still runs. */
  async giveBack(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.giveBack()));
  }
}

function shares({ handled, concurrency = CONCURRENCY, prefetch }: CrewOptions): WorkerOptions[] {
  const [own, common] = [[], []] as [string, Handled][][];
  for (const entry of handled) (entry[1].concurrency === undefined ? common : own)?.push(entry);
  const all = (common ?? []).length === 0 ? [] : [shareOf(common ?? [], concurrency, prefetch)];
  for (const [type, one] of own ?? []) {
    all.push(shareOf([[type, one]], one.concurrency ?? concurrency, one.prefetch));
  }
  return all;
}

function shareOf(
  entries: readonly [string, Handled][],
  concurrency: number,
  prefetch = concurrency < PREFETCH_FROM ? 0 : 1,
): WorkerOptions {
  return { handled: new Map(entries), concurrency, prefetch };
}
