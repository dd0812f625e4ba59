import { type Delivery, ReachError } from '@agent-reach/core';
import { fullJitterMs, type Log } from '@agent-reach/core/kernel';
import { orAborted } from '../or-aborted.ts';
import type { Ports } from '../ports.ts';
import type { Reach } from '../reach.ts';

/** An agent's place at the gateway, as one who asks for work needs it. */
export interface Seat {
  agentId(): string | undefined;
  instanceId(): string | undefined;
  /** Resolves when the gateway has registered the agent for the first time. */
  known(): Promise<void>;
  /** The gateway has forgotten the agent: registers again. Never rejects. */
  rejoin(): Promise<void>;
}

/** What asking for work needs. */
export interface ClaimsOptions {
  taskTypes: readonly string[];
  seat: Seat;
  /** How many more tasks there is room for now. */
  credits: () => number;
  /** Resolves when there may be room again. */
  room: () => Promise<unknown>;
  take: (deliveries: readonly Delivery[]) => void;
  reach: Reach;
  ports: Ports;
  log: Log;
}

/** How long a request for work is held. */
const WAIT_S = 20;
/** A gateway that is silent for longer than it was asked to wait is asked anew (watchdog). */
const SILENCE_MS = WAIT_S * 1_000 + 5_000;
/** A gateway that does not wait is asked no more often than this. */
const EMPTY_MS = 1_000;
const CREDITS_MAX = 100;
const RETRY_RULE = { baseMs: 500, maxMs: 10_000 };
const RETRY_AFTER_MS_MAX = 60_000;

/**
 * Asks for work as long as there is room for it. The one loop that an agent must not lose: an agent
 * that is up and asks for nothing looks healthy. So no wait in it is without an end, and nothing
 * that is thrown ends it.
 */
export class Claims {
  readonly #options: ClaimsOptions;
  readonly #retired = new AbortController();
  readonly #hungUp = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #failures = 0;
  /** Halved when an answer was longer than can be read, for it carries the tasks themselves. */
  #creditsMax = CREDITS_MAX;
  /** The kind of failure that was logged last. */
  #trouble: string | undefined;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = this.#run();
  }

  /**
   * Asks no more. A question under way is left to its answer, which may bring work that would else
   * wait for a lease to run out; resolves when it has come.
   */
  retire(): Promise<void> {
    this.#retired.abort();
    return this.#running;
  }

  /** Gives up even the question under way. */
  hangUp(): void {
    this.#hungUp.abort();
  }

  async #run(): Promise<void> {
    const { signal } = this.#retired;
    if (!(await orAborted(this.#options.seat.known(), signal))) return;
    while (!signal.aborted) {
      const credits = Math.min(this.#creditsMax, this.#options.credits());
      if (credits <= 0) {
        await orAborted(this.#options.room(), signal);
        continue;
      }
      try {
        await this.#ask(credits);
        this.#recover();
      } catch (error) {
        await this.#miss(error, credits);
      }
    }
  }

  async #ask(credits: number): Promise<void> {
    const { taskTypes, seat, reach, ports, take } = this.#options;
    const askedAt = ports.clock.monotonic();
    const instanceId = seat.instanceId();
    const { tasks } = await reach.invoke(
      'tasks.claim',
      {
        agent_id: seat.agentId() ?? '',
        ...(instanceId === undefined ? {} : { instance_id: instanceId }),
        task_types: [...taskTypes],
        credits,
        wait: WAIT_S,
      },
      { timeoutMs: SILENCE_MS, signal: this.#hungUp.signal },
    );
    take(tasks);
    const waitedMs = ports.clock.monotonic() - askedAt;
    if (tasks.length === 0 && waitedMs < EMPTY_MS) await this.#pause(EMPTY_MS - waitedMs);
  }

  async #miss(error: unknown, credits: number): Promise<void> {
    if (this.#retired.signal.aborted) return;
    const { seat, ports, log } = this.#options;
    this.#failures++;
    const { code, facts } = ReachError.from(error);
    if (code === 'bad-response') this.#creditsMax = Math.max(1, Math.floor(credits / 2));
    if (code === 'agent-not-found') {
      await seat.rejoin();
      if (this.#failures === 1) return;
    }
    if (code !== this.#trouble) {
      this.#trouble = code;
      log.warn({ err: error }, `no work can be had, ${code}; trying on`);
    }
    const jitterMs = fullJitterMs(RETRY_RULE, this.#failures, ports.random);
    const advisedMs = Math.min(RETRY_AFTER_MS_MAX, facts.retry_after_ms ?? 0);
    await this.#pause(Math.max(jitterMs, advisedMs));
  }

  #recover(): void {
    this.#creditsMax = Math.min(CREDITS_MAX, 2 * this.#creditsMax);
    if (this.#failures === 0) return;
    this.#options.log.info({ failures: this.#failures }, 'work can be had again');
    this.#failures = 0;
    this.#trouble = undefined;
  }

  async #pause(ms: number): Promise<void> {
    const { clock } = this.#options.ports;
    await clock.sleep(ms, this.#retired.signal).catch(() => {}); // The loop looks at the signal.
  }
}
