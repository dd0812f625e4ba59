import type { AgentEvent, StreamEvent } from '@agent-reach/core';
import type { Clock, Ids, MonotonicMs, Random, Service } from '@agent-reach/core/kernel';
import type { Interest } from './change-rows.ts';
import type { Directory } from './directory.ts';
import { RING_MS, TenantChanges } from './tenant-changes.ts';

/**
 * How long a gateway must have run before it vouches for who is missing: agents that it lost have come
 * back by then, for a beat of somebody unknown is told to register again.
 */
const CONFIRM_MS = 60_000;

/** What the feed works with. */
export interface ChangeFeedPorts {
  directory: Directory;
  clock: Clock;
  random: Random;
  ids: Ids;
}

interface Kept {
  changes: TenantChanges;
  /** Set while nobody reads: how long it is kept for those who come again. */
  forget: Disposable | undefined;
}

/**
 * Tells whoever reads of every change of an agent. Nothing is kept, and nothing compared, for a tenant
 * that nobody has read of for ten minutes.
 */
export class ChangeFeed implements Service {
  readonly #ports: ChangeFeedPorts;
  readonly #tenants = new Map<string, Kept>();
  #listening: Disposable | undefined;
  #startedAt: MonotonicMs | undefined;

  constructor(ports: ChangeFeedPorts) {
    this.#ports = ports;
  }

  async start(): Promise<void> {
    this.#startedAt ??= this.#ports.clock.monotonic();
    this.#listening ??= this.#ports.directory.touched.on(({ tenant, agentId }) =>
      this.#tenants.get(tenant)?.changes.touch(agentId),
    );
  }

  async stop(): Promise<void> {
    this.#listening?.[Symbol.dispose]();
    this.#listening = undefined;
    for (const tenant of this.#tenants.keys()) this.#drop(tenant);
  }

  /** What is kept of a tenant; undefined: nobody reads of it. */
  of(tenant: string): TenantChanges | undefined {
    return this.#tenants.get(tenant)?.changes;
  }

  /**
   * All that there is of a tenant, then each change; after `lastId`, only what came since. Ends when
   * the signal is aborted.
   */
  async *read(
    at: { tenant: string; interest: Interest; lastId: string | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<StreamEvent<AgentEvent>> {
    const kept = this.#open(at.tenant);
    const line = kept.changes.join(at.interest, at.lastId);
    try {
      yield* line.events(signal);
    } finally {
      kept.changes.leave(line);
      this.#left(at.tenant, kept);
    }
  }

  #open(tenant: string): Kept {
    const known = this.#tenants.get(tenant);
    if (known !== undefined) {
      known.forget?.[Symbol.dispose]();
      known.forget = undefined;
      return known;
    }
    const { directory, clock, random, ids } = this.#ports;
    const isConfirmed = () => clock.monotonic() - (this.#startedAt ?? 0) >= CONFIRM_MS;
    const epoch = ids.next('chg');
    const changes = new TenantChanges({ tenant, epoch, directory, clock, random, isConfirmed });
    const kept: Kept = { changes, forget: undefined };
    this.#tenants.set(tenant, kept);
    return kept;
  }

  #left(tenant: string, kept: Kept): void {
    if (kept.changes.readers > 0 || this.#tenants.get(tenant) !== kept) return;
    kept.forget = this.#ports.clock.timer(RING_MS, () => this.#drop(tenant));
  }

  #drop(tenant: string): void {
    const kept = this.#tenants.get(tenant);
    kept?.forget?.[Symbol.dispose]();
    kept?.changes[Symbol.dispose]();
    this.#tenants.delete(tenant);
  }
}
