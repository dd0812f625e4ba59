import type { Capability, Observed, ObservedCause, Protocol } from '@agent-reach/core';
import { type Listenable, type MonotonicMs, Signal } from '@agent-reach/core/kernel';
import { endpointKey } from '../resilience/board.ts';
import { compileSchema, type Validator } from '../schemas/compile.ts';
import type { DefinitionRow, InstanceRow } from '../storage/spi/agents.ts';
import type { Fence } from './fence-machine.ts';
import { noScoring, type Scoring } from './scoring.ts';
import { noSight, type Sight } from './sight.ts';

/** An instance with what this gateway measured of it. Live: the registry changes it in place. */
export interface Instance {
  readonly key: string;
  /** `<epoch>.<n>`: equal only for the same process at the same address. */
  readonly addrVersion: string;
  row: InstanceRow;
  /** Its agent is willing to be called the way that it is reached. */
  isWilling: boolean;
  observed: Observed;
  cause: ObservedCause;
  /** Probes failed in a row. */
  failures: number;
  /** What the last failed probe found. */
  failure: string | undefined;
  rttMs: number | undefined;
  /** Last time a probe or heartbeat showed life, wall clock. */
  seenAt: number;
  /** Under which nothing is sent to it while anybody else is there; undefined: none holds. */
  fence: Fence | undefined;
  /** What looks have shown, beside the state that came of it. */
  readonly sight: Sight;
  /** When it is to be probed next; undefined while a probe is under way. */
  probeAt: MonotonicMs | undefined;
  /** What its manifest says that it takes at once. */
  slots: number | undefined;
  /** From which its score is made; see `Scores`. */
  readonly scoring: Scoring;
}

/** Which agent. */
export interface AgentName {
  tenant: string;
  agentId: string;
}

/** An agent and what hangs on it. */
export interface AgentEntry {
  definition: DefinitionRow;
  readonly instances: Map<string, Instance>;
  providers: Provider[];
  /** Counts what was changed here: whoever reads the store meanwhile sees that he may be late. */
  changes: number;
}

/** One agent's offer of one capability: what routing chooses among. */
export interface Provider {
  readonly agent: AgentEntry;
  readonly capability: Capability;
  /** Capability tags over agent tags; those of the instance are added when it is chosen. */
  readonly tags: Readonly<Record<string, string>>;
  readonly checkInput: Validator;
  readonly checkOutput: Validator;
}

/** That the offers of a capability are others than before. */
export interface OffersChanged {
  tenant: string;
  capability: string;
}

/**
 * All that is registered, in memory: the only thing a route looks at. Holds no truth of its own;
 * it is loaded from the store and changed after the store has.
 */
export class Directory {
  readonly #epoch: string;
  readonly #agents = new Map<string, Map<string, AgentEntry>>();
  readonly #offers = new Map<string, Map<string, readonly Provider[]>>();
  /** Declared writes that are offered, by tenant. */
  readonly #writes = new Map<string, number>();
  // Who listens marks what he must look at again, and nothing that could fail.
  readonly #changed = new Signal<OffersChanged>((error) => {
    throw error;
  });

  /** Told when offers come, change or go; what hangs on them may be looked at again. */
  readonly offersChanged: Listenable<OffersChanged> = this.#changed;
  readonly #touched = new Signal<AgentName>((error) => {
    throw error;
  });

  /** @param epoch The store's own: numbers of two stores are never taken for one another. */
  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  /** Told when an agent, or an instance of it, may be another than before. */
  get touched(): Listenable<AgentName> {
    return this.#touched;
  }

  /** Tells that something was changed in place, at an agent or an instance of it. */
  touch({ tenant, agentId }: AgentName): void {
    this.#touched.emit({ tenant, agentId });
  }

  agent(tenant: string, agentId: string): AgentEntry | undefined {
    return this.#agents.get(tenant)?.get(agentId);
  }

  /** Tenants that have, or had, an agent. */
  tenants(): string[] {
    return [...this.#agents.keys()];
  }

  /** Agents of a tenant, in the order of their ids. */
  agents(tenant: string): AgentEntry[] {
    const all = [...(this.#agents.get(tenant)?.values() ?? [])];
    return all.sort((a, b) => (a.definition.agentId < b.definition.agentId ? -1 : 1));
  }

  count(tenant?: string): number {
    if (tenant !== undefined) return this.#agents.get(tenant)?.size ?? 0;
    let all = 0;
    for (const agents of this.#agents.values()) all += agents.size;
    return all;
  }

  /** All who offer a capability by this very name: another list as soon as one of them is another. */
  offers(tenant: string, capability: string): readonly Provider[] {
    return this.#offers.get(tenant)?.get(capability) ?? [];
  }

  /** Whether anybody of a tenant offers a declared write. */
  hasWrites(tenant: string): boolean {
    return (this.#writes.get(tenant) ?? 0) > 0;
  }

  /** Names of capabilities that anybody of a tenant offers. */
  names(tenant: string): Iterable<string> {
    return this.#offers.get(tenant)?.keys() ?? [];
  }

  /** Every offer of a tenant. */
  *allOffers(tenant: string): Iterable<Provider> {
    for (const providers of this.#offers.get(tenant)?.values() ?? []) yield* providers;
  }

  *allInstances(): Iterable<Instance> {
    for (const agents of this.#agents.values()) {
      for (const entry of agents.values()) yield* entry.instances.values();
    }
  }

  /** Puts a definition in, keeping the instances of the agent. */
  define(definition: DefinitionRow): AgentEntry {
    const agents = slot(this.#agents, definition.tenant, () => new Map<string, AgentEntry>());
    let entry = agents.get(definition.agentId);
    if (entry === undefined) {
      entry = { definition, instances: new Map(), providers: [], changes: 0 };
      agents.set(definition.agentId, entry);
    }
    entry.changes += 1;
    this.#withdraw(entry);
    entry.definition = definition;
    for (const instance of entry.instances.values()) {
      instance.isWilling = isWilling(definition, instance.row);
      instance.slots = definition.manifest.max_concurrency;
    }
    entry.providers = definition.manifest.capabilities.map((c) => providerOf(entry, c));
    const offers = slot(
      this.#offers,
      definition.tenant,
      () => new Map<string, readonly Provider[]>(),
    );
    for (const provider of entry.providers) {
      const { name } = provider.capability;
      offers.set(name, [...(offers.get(name) ?? []), provider]);
      this.#countWrite(provider, 1);
    }
    this.#tell(entry);
    this.touch(definition);
    return entry;
  }

  /** Puts an instance in, or renews its row; what was measured of the same address is kept. */
  join(entry: AgentEntry, row: InstanceRow): Instance {
    entry.changes += 1;
    const known = entry.instances.get(row.instanceId);
    if (known !== undefined && known.row.addrVersion === row.addrVersion) {
      known.row = row;
      this.touch(row);
      return known;
    }
    const instance: Instance = {
      key: endpointKey(row.tenant, row.agentId, row.instanceId),
      addrVersion: `${this.#epoch}.${row.addrVersion}`,
      row,
      isWilling: isWilling(entry.definition, row),
      observed: 'new',
      cause: 'registered',
      failures: 0,
      failure: undefined,
      rttMs: undefined,
      seenAt: row.lastHeartbeatAt,
      fence: undefined,
      sight: noSight(),
      probeAt: 0,
      slots: entry.definition.manifest.max_concurrency,
      scoring: noScoring(),
    };
    entry.instances.set(row.instanceId, instance);
    this.touch(row);
    return instance;
  }

  leave(tenant: string, agentId: string, instanceId: string): Instance | undefined {
    const entry = this.agent(tenant, agentId);
    const instance = entry?.instances.get(instanceId);
    if (entry !== undefined && entry.instances.delete(instanceId)) {
      entry.changes += 1;
      this.touch({ tenant, agentId });
    }
    return instance;
  }

  remove(tenant: string, agentId: string): AgentEntry | undefined {
    const entry = this.agent(tenant, agentId);
    if (entry === undefined) return undefined;
    this.#withdraw(entry);
    this.#agents.get(tenant)?.delete(agentId);
    this.touch({ tenant, agentId });
    return entry;
  }

  #tell({ definition: { tenant }, providers }: AgentEntry): void {
    for (const { capability } of providers) {
      this.#changed.emit({ tenant, capability: capability.name });
    }
  }

  #countWrite({ agent, capability: { effect } }: Provider, by: 1 | -1): void {
    if (effect !== 'write' && effect !== 'idempotent_write') return;
    const { tenant } = agent.definition;
    this.#writes.set(tenant, (this.#writes.get(tenant) ?? 0) + by);
  }

  #withdraw(entry: AgentEntry): void {
    for (const provider of entry.providers) this.#countWrite(provider, -1);
    const offers = this.#offers.get(entry.definition.tenant);
    for (const { capability } of entry.providers) {
      const rest = offers?.get(capability.name)?.filter((p) => p.agent !== entry) ?? [];
      if (rest.length === 0) offers?.delete(capability.name);
      else offers?.set(capability.name, rest);
    }
    this.#tell(entry);
  }
}

/** Whether an agent is willing to be called the way that this instance of it is reached. */
function isWilling({ manifest }: DefinitionRow, { mode }: Pick<InstanceRow, 'mode'>): boolean {
  return manifest.network.protocols?.includes(protocolOf(mode)) ?? true;
}

/** The way to an instance. */
export function protocolOf(mode: InstanceRow['mode']): Protocol {
  return mode === 'pull' ? 'pull' : 'http';
}

function providerOf(agent: AgentEntry, capability: Capability): Provider {
  // Compiled on first use: a gateway that loads 500 agents starts before it has compiled 5,000 schemas.
  let checkInput: Validator | undefined;
  let checkOutput: Validator | undefined;
  return {
    agent,
    capability,
    tags: { ...agent.definition.manifest.tags, ...capability.tags },
    checkInput: (value) => (checkInput ??= compileSchema(capability.input))(value),
    checkOutput: (value) => (checkOutput ??= compileSchema(capability.output))(value),
  };
}

function slot<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
