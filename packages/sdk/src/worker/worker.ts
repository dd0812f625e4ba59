import { type Delivery, ReachError } from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';
import { atMost } from '../at-most.ts';
import type { Ports } from '../ports.ts';
import type { Reach } from '../reach.ts';
import type { Handled } from '../task-handler.ts';
import { Claims, type Seat } from './claims.ts';
import type { HolderWords } from './holder-words.ts';
import { Holding } from './holding.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import { type PerformPorts, performTask } from './perform-task.ts';
import type { Progress } from './progress.ts';

/** What the workers of an agent share. */
export interface WorkerPorts {
  seat: Seat;
  /** To the gateway. */
  reach: Reach;
  keeper: LeaseKeeper;
  words: HolderWords;
  progress: Progress;
  perform: Omit<PerformPorts, 'progress'>;
  ports: Ports;
  log: Log;
}

/** The task types of one worker, and how many of them it takes at once. */
export interface WorkerOptions {
  handled: ReadonlyMap<string, Handled>;
  concurrency: number;
  prefetch: number;
}

/** For so long all places may be taken before that is said: tasks that hang look like no work. */
const FULL_MS = 60_000;

/**
 * A number of places, filled with tasks as they come. Asks for as many as it can run, and for a few
 * to hold ready; a task takes its place from its arrival until the gateway has heard its end.
 */
export class Worker {
  readonly #ports: WorkerPorts;
  readonly #options: WorkerOptions;
  readonly #claims: Claims;
  readonly #held = new Set<Holding>();
  /** Held ready: not begun, and not acknowledged. */
  readonly #buffer: Holding[] = [];
  readonly #retired = new AbortController();
  readonly #givenUp = new AbortController();
  #working = new Set<Holding>();
  #changed = Promise.withResolvers<void>();
  #isKnownFull = false;

  constructor(ports: WorkerPorts, options: WorkerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.#claims = new Claims({
      taskTypes: [...options.handled.keys()],
      seat: ports.seat,
      credits: () => this.#credits,
      room: () => this.#room(),
      take: (deliveries) => this.#take(deliveries),
      reach: ports.reach,
      ports: ports.ports,
      log: ports.log,
    });
  }

  handles(taskType: string): boolean {
    return this.#options.handled.has(taskType);
  }

  get concurrency(): number {
    return this.#options.concurrency;
  }

  /** Tasks whose handlers run, or whose end the gateway has not heard. */
  get inflight(): number {
    return this.#working.size;
  }

  /** Tasks held ready. */
  get pending(): number {
    return this.#buffer.length;
  }

  /**
   * Takes a task that was sent and not asked for; false when there is no place. That it was taken
   * is its receipt.
   */
  accept(delivery: Delivery): boolean {
    if (this.#retired.signal.aborted || this.#credits <= 0) return false;
    const holding = this.#hold(delivery);
    holding.isAcknowledged = true;
    this.#buffer.push(holding);
    this.#fill();
    return true;
  }

  start(): void {
    this.#claims.start();
  }

  /**
   * Takes no more, and gives back what has not begun; no attempt is counted for it. Resolves when
   * the last question for work has been answered, or `hangUp` has cut it off.
   */
  async retire(): Promise<void> {
    this.#retired.abort();
    const released = this.#buffer.splice(0).map((holding) => this.#release(holding));
    await Promise.all([this.#claims.retire(), ...released]);
  }

  hangUp(): void {
    this.#claims.hangUp();
  }

  /** Resolves when nothing is held any more. */
  async idle(): Promise<void> {
    while (this.#held.size > 0) await this.#changed.promise;
  }

  /**
   * Waits no longer: aborts what runs and gives back what may run again. What must not is left
   * under its lease: nobody knows how far it came, and its loss is for people to judge.
   */
  async giveBack(): Promise<void> {
    const reason = new ReachError('cancelled', 'The agent stops.');
    const left = [...this.#working];
    this.#givenUp.abort();
    for (const holding of left) {
      this.#ports.progress.forget(holding);
      holding.lose(reason);
    }
    const releasable = left.filter(({ delivery }) => this.#mayRunAgain(delivery));
    await Promise.all(releasable.map((holding) => this.#release(holding)));
    for (const holding of left) this.#drop(holding);
  }

  get #credits(): number {
    const { concurrency, prefetch } = this.#options;
    return concurrency + prefetch - this.#held.size;
  }

  /** Waits until a place is free, and says so when that takes strangely long. */
  async #room(): Promise<void> {
    const { ports, log } = this.#ports;
    const before = this.#changed;
    await atMost(ports.clock, FULL_MS, before.promise);
    const hasChanged = this.#changed !== before;
    if (hasChanged || this.#isKnownFull) return;
    this.#isKnownFull = true;
    const tasks = [...this.#working].map(({ taskId }) => taskId);
    log.warn({ tasks }, 'every place has been taken for a minute: no work is asked for meanwhile');
  }

  #take(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      const holding = this.#hold(delivery);
      if (this.#retired.signal.aborted) void this.#release(holding);
      else this.#buffer.push(holding);
    }
    this.#fill();
  }

  #hold(delivery: Delivery): Holding {
    const holding = new Holding(delivery, this.#ports.ports.clock);
    this.#disown(delivery.task_id);
    this.#held.add(holding);
    this.#ports.keeper.hold(holding);
    return holding;
  }

  /** A task that comes again was taken from us before, and we have not been told. */
  #disown(taskId: string): void {
    for (const holding of this.#held) {
      if (holding.taskId !== taskId) continue;
      holding.lose(new ReachError('lease-lost', `Task ${taskId} has been handed out again.`));
    }
  }

  #fill(): void {
    while (this.#working.size < this.#options.concurrency) {
      const holding = this.#buffer.shift();
      if (holding === undefined) return;
      this.#working.add(holding);
      void this.#work(holding);
    }
  }

  /** The life of a task here. Never rejects. */
  async #work(holding: Holding): Promise<void> {
    const handled = this.#options.handled.get(holding.delivery.task_type);
    try {
      if (handled === undefined) await this.#release(holding);
      else if (await this.#begin(holding, handled)) await this.#finish(holding, handled);
    } catch (error) {
      const fields = { task_id: holding.taskId, err: error };
      this.#ports.log.error(fields, 'the agent’s own wrapper failed; the lease will run out');
    } finally {
      this.#drop(holding);
    }
  }

  async #begin(holding: Holding, { ack }: Handled): Promise<boolean> {
    if (holding.loss !== undefined) return false;
    if (holding.isAcknowledged || ack === 'on-complete') return true;
    const begins = await this.#ports.words.ack(holding, this.#retired.signal);
    if (!begins && holding.loss === undefined) await this.#release(holding);
    return begins;
  }

  async #finish(holding: Holding, handled: Handled): Promise<void> {
    const { words, progress, perform } = this.#ports;
    const word = await performTask(holding, handled, {
      ...perform,
      progress: (held, percent, note) => progress.tell(held, percent, note),
    });
    progress.forget(holding);
    // Whose failure it would be is the new holder's to find out; a result is worth a question.
    if (word.say === 'fail' && holding.loss !== undefined) return;
    if (this.#givenUp.signal.aborted) return;
    await words.conclude(holding, word, this.#givenUp.signal);
  }

  #mayRunAgain({ task_type: type }: Delivery): boolean {
    const effect = this.#options.handled.get(type)?.spec.effect;
    return effect === 'read' || effect === 'idempotent_write';
  }

  async #release(holding: Holding): Promise<void> {
    await this.#ports.words.release(holding, 'the agent stops');
    this.#drop(holding);
  }

  #drop(holding: Holding): void {
    this.#ports.keeper.drop(holding);
    this.#working.delete(holding);
    if (!this.#held.delete(holding)) return;
    this.#isKnownFull = false;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
    this.#fill();
  }
}
