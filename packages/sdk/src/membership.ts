import { ReachError } from '@agent-reach/core';
import { fullJitterMs, type Log, loop, type Service } from '@agent-reach/core/kernel';
import { Fence } from './fence.ts';
import type { Ports } from './ports.ts';
import type { Reach } from './reach.ts';

/** What being a member of the gateway's registry needs. */
export interface MembershipOptions {
  reach: Reach;
  /** The registration, made anew each time: it says where this process lives. */
  manifest: () => Record<string, unknown>;
  bootId: string;
  /** Handlers at work, and tasks that wait for one. */
  inflight: () => number;
  pending: () => number;
  ports: Ports;
  log: Log;
}

/** Before the gateway has said how often it wants to hear. */
const HEARTBEAT_MS = 10_000;
/** A process that stops does not wait long for a gateway that may be gone. */
const PARTING_MS = 2_000;
/** A gateway that restarts is found again within seconds, and not by all its agents at once. */
const RETRY_RULE = { baseMs: 500, maxMs: 10_000 };
/** However late a gateway wants to be asked again, it may be well before. */
const AGAIN_MAX_MS = 60_000;
/** Agents that were told one pause together drift apart by this part of it. */
const JITTER = 0.1;

/**
 * An agent's place in the registry: registered, kept by heartbeats, registered again when the
 * gateway has forgotten it, given back at the end. A gateway that is away is waited for.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #beats: Service;
  /** Whether the gateway wants others to be asked. */
  readonly fence: Fence;
  #agentId: string | undefined;
  #instanceId: string | undefined;
  #addrVersion: string | undefined;
  #baseUrl: string | undefined;
  readonly #known = Promise.withResolvers<void>();
  #registering: Promise<void> | undefined;
  #isMember = false;
  #isLeaving = false;
  #pauseMs = HEARTBEAT_MS;
  /** No beat came since the last registration. */
  #isFresh = true;
  #failures = 0;
  /** When a gateway that has too much to do wants to be asked again. */
  #againMs = 0;
  /** The kind of failure that was logged last. */
  #trouble: string | undefined;
  #seq = 0;
  /** How the gateway saw us last, for the log. */
  #standing = '';

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.fence = new Fence(options.ports.clock);
    this.#beats = loop({
      clock: options.ports.clock,
      pauseMs: () => this.#nextPauseMs(),
      round: (signal) => this.#round(signal),
      onError: (error) => this.#miss(error),
    });
  }

  /** As the gateway spells it; undefined until the first registration. */
  get agentId(): string | undefined {
    return this.#agentId;
  }

  get instanceId(): string | undefined {
    return this.#instanceId;
  }

  /** Where the gateway reaches this process; undefined before the first registration, and where it pulls. */
  get baseUrl(): string | undefined {
    return this.#baseUrl;
  }

  /**
   * Names this process at this address. Undefined while a registration is under way: the gateway
   * may call with the next one before we have read the answer that says it.
   */
  get addrVersion(): string | undefined {
    return this.#addrVersion;
  }

  /**
   * Registers, then beats. Throws what the gateway holds against the manifest; a gateway that does
   * not answer is tried again in the background.
   */
  async join(): Promise<void> {
    try {
      await this.#register();
    } catch (error) {
      if (isRefusal(error)) throw error;
      this.#miss(error);
    }
    await this.#beats.start();
  }

  /** Resolves when the gateway has registered the agent for the first time. */
  known(): Promise<void> {
    return this.#known.promise;
  }

  /** Registers again at once: somebody was told that the gateway has forgotten us. Never rejects. */
  async rejoin(): Promise<void> {
    if (this.#isLeaving) return;
    this.#isMember = false;
    try {
      await this.#register();
      this.#recover('registered again');
    } catch (error) {
      this.#miss(error);
    }
  }

  /** Asks for no more work. From here on a gateway that has forgotten us is not reminded. */
  async announceLeaving(): Promise<void> {
    this.#isLeaving = true;
    await this.#partingWord('agents.drain', { reason: 'the process stops' });
  }

  /** Stops beating and takes the instance out of the registry. */
  async leave(): Promise<void> {
    await this.#beats.stop();
    await this.#partingWord('agents.remove', {});
    this.#isMember = false;
  }

  #nextPauseMs(): number {
    const { random } = this.#options.ports;
    if (this.#failures > 0) {
      return Math.max(this.#againMs, fullJitterMs(RETRY_RULE, this.#failures, random));
    }
    // Those that started together beat at any time from the first pause on.
    if (this.#isFresh) return this.#pauseMs * random.next();
    return this.#pauseMs * (1 - JITTER + 2 * JITTER * random.next());
  }

  async #round(signal: AbortSignal): Promise<void> {
    if (this.#isMember) {
      try {
        await this.#beat(signal);
        this.#recover('heard by the gateway again');
        return;
      } catch (error) {
        if (!ReachError.is(error) || error.code !== 'agent-not-found') throw error;
        this.#isMember = false;
      }
    }
    if (this.#isLeaving) return;
    await this.#register(signal);
    this.#recover('registered again');
  }

  /** Those who want it at the same time share one registration. */
  #register(signal?: AbortSignal): Promise<void> {
    this.#registering ??= this.#registerOnce(signal).finally(() => {
      this.#registering = undefined;
    });
    return this.#registering;
  }

  async #registerOnce(signal?: AbortSignal): Promise<void> {
    const { reach, manifest, log } = this.#options;
    this.#addrVersion = undefined;
    const registered = await reach.invoke('agents.register', { manifest: manifest() }, { signal });
    const { agent_id: agentId, instance, warnings, diagnosis } = registered;
    this.#agentId = agentId;
    this.#instanceId = instance?.instance_id;
    this.#baseUrl = instance?.base_url;
    this.#addrVersion = instance?.addr_version;
    this.#pauseMs = instance?.heartbeat_interval_ms ?? HEARTBEAT_MS;
    this.fence.forget();
    this.#isMember = true;
    this.#isFresh = true;
    this.#known.resolve();
    log.info({ agent: agentId, instance: this.#instanceId }, `registered ${agentId}`);
    for (const warning of warnings) log.warn({ agent: agentId }, warning);
    const failing = diagnosis?.steps.find(({ step }) => step === diagnosis.failing_step);
    if (failing !== undefined) {
      const { detail, advice } = failing;
      log.warn({ agent: agentId, detail, advice }, 'the gateway cannot reach this agent yet');
    }
  }

  async #beat(signal: AbortSignal): Promise<void> {
    const { reach, bootId, inflight, pending, log } = this.#options;
    const waiting = pending();
    const answer = await reach.invoke(
      'agents.heartbeat',
      {
        ...this.#instance(),
        boot_id: bootId,
        seq: ++this.#seq,
        inflight: inflight(),
        ...(waiting === 0 ? {} : { pending: waiting }),
      },
      { signal },
    );
    this.#isFresh = false;
    this.#addrVersion = answer.addr_version;
    this.#pauseMs = answer.next_heartbeat_ms;
    this.fence.hear(answer.fence);
    const standing = `${answer.observed}, ${answer.intent}`;
    if (standing !== this.#standing) log.info({ standing }, `the gateway sees us as ${standing}`);
    this.#standing = standing;
  }

  /** A kind of failure is logged when it begins, not each time it is seen again. */
  #miss(error: unknown): void {
    const code = ReachError.is(error) ? error.code : 'internal';
    if (code === 'cancelled') return; // By our own stop.
    this.#failures++;
    const againMs = ReachError.is(error) ? error.facts.retry_after_ms : undefined;
    this.#againMs = Math.min(AGAIN_MAX_MS, againMs ?? 0);
    if (code === this.#trouble) return;
    this.#trouble = code;
    const { log } = this.#options;
    if (isRefusal(error)) log.error({ err: error }, 'the gateway refuses this agent; trying on');
    else log.warn({ err: error }, 'no gateway answers; trying on');
  }

  #recover(how: string): void {
    if (this.#failures > 0) this.#options.log.info({ failures: this.#failures }, how);
    this.#failures = 0;
    this.#trouble = undefined;
  }

  #instance(): { agent_id: string; instance_id?: string } {
    const agentId = this.#agentId ?? '';
    if (this.#instanceId === undefined) return { agent_id: agentId };
    return { agent_id: agentId, instance_id: this.#instanceId };
  }

  /** What fails here is finished by the lease, which nobody renews any more. */
  async #partingWord(name: 'agents.drain' | 'agents.remove', more: object): Promise<void> {
    if (!this.#isMember) return;
    const { reach, log } = this.#options;
    try {
      await reach.invoke(name, { ...this.#instance(), ...more }, { timeoutMs: PARTING_MS });
    } catch (error) {
      log.warn({ err: error }, `${name} did not reach the gateway`);
    }
  }
}

/** A final no, as opposed to no answer: trying again as we are changes nothing. */
function isRefusal(error: unknown): boolean {
  return ReachError.is(error) && error.status >= 400 && error.status < 500 && !error.retryable;
}
