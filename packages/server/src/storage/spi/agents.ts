import type { Intent, IntentOwner, Manifest } from '@agent-reach/core';
import type { Now } from './now.ts';

/** An agent as it declares itself: one row per (tenant, agent), its present version. */
export interface DefinitionRow {
  tenant: string;
  agentId: string;
  /** Counts up from 1 with each change of the digest. */
  manifestVersion: number;
  /** Of the canonical manifest; equal digests are equal manifests. */
  digest: string;
  manifest: Manifest;
  /** Why this version breaks callers of the version before; empty when it does not. */
  breaking: string[];
  createdAt: number;
  updatedAt: number;
}

/** One address, or one pulling process, of an agent. */
export interface InstanceRow {
  tenant: string;
  agentId: string;
  instanceId: string;
  /** Random per process start; absent when the agent does not say. */
  bootId?: string;
  mode: 'push' | 'pull';
  baseUrl?: string;
  tags: Record<string, string>;
  /**
   * Rises when the address or the process behind it changes, never by a heartbeat. A number is
   * never given twice to one instance id, not even after it left and came back.
   */
  addrVersion: number;
  intent: Intent;
  intentBy: IntentOwner;
  intentReason?: string;
  /** 0: the agent does not beat, successful probes renew the lease. */
  heartbeatIntervalMs: number;
  leaseMs: number;
  leaseEndsAt: number;
  lastHeartbeatAt: number;
  /** Of the last beat of this boot that carried one; -1: none yet. */
  seq: number;
  /** What the agent says of itself; may only lower what the gateway thinks of it. */
  reported: { inflight?: number; pending?: number; load?: number };
}

/** An agent and all that live under its name. */
export interface AgentRows {
  definition: DefinitionRow;
  instances: InstanceRow[];
}

/** Tells one definition from another of the same agent. */
export type DefinitionMark = Pick<
  DefinitionRow,
  'tenant' | 'agentId' | 'manifestVersion' | 'digest'
>;

/** A version of a manifest that is or once was current. */
export interface VersionRow {
  manifestVersion: number;
  digest: string;
  manifest: Manifest;
  breaking: string[];
  at: number;
}

export interface AgentsStore {
  /** Everything, for a gateway that starts: by tenant, agent, instance. */
  load(): Promise<{ definitions: DefinitionRow[]; instances: InstanceRow[] }>;

  /** One agent with its instances, by instance. */
  find(query: { tenant: string; agentId: string }): Promise<AgentRows | undefined>;

  /**
   * What `load` answers without the manifests: for a gateway that compares what it knows with what
   * others have stored.
   */
  survey(): Promise<{ definitions: DefinitionMark[]; instances: InstanceRow[] }>;

  /**
   * Stores a manifest as the next version. `expectVersion` is the version the caller compared
   * with (0: none); if another was stored meanwhile the answer is `conflict` with that row.
   * An equal digest changes nothing and answers `unchanged`. An agent that was removed meanwhile
   * is none: the manifest becomes version 1, and `breaking`, which speaks of a version before, is
   * dropped.
   */
  define(move: {
    tenant: string;
    manifest: Manifest;
    digest: string;
    breaking: string[];
    expectVersion: number;
    now: Now;
  }): Promise<{ outcome: 'stored' | 'unchanged' | 'conflict'; row: DefinitionRow }>;

  /**
   * Adds an instance or takes its place again. Refused (`held`) when an instance of that id with
   * another base URL still holds a lease: two processes would answer for one name. A restart at
   * the same address (other boot id) is welcome. A new address or boot id raises `addrVersion`.
   * An operator's intent survives; any other does not, the instance is `enabled` by the agent.
   * The same boot goes on with its `seq`; any other, or one without a boot id, begins anew.
   * `unknown`: no such agent.
   */
  join(move: {
    tenant: string;
    agentId: string;
    instance: Pick<
      InstanceRow,
      'instanceId' | 'bootId' | 'mode' | 'baseUrl' | 'tags' | 'heartbeatIntervalMs' | 'leaseMs'
    >;
    now: Now;
  }): Promise<{ outcome: 'joined' | 'held'; row: InstanceRow } | { outcome: 'unknown' }>;

  /**
   * Renews a lease, also one that has ended. `stale`: another boot id joined since, or `seq` is not
   * newer than the last one of this boot; what is left out is not compared. `unknown`: register
   * again.
   */
  renew(move: {
    tenant: string;
    agentId: string;
    instanceId: string;
    bootId?: string;
    seq?: number;
    leaseMs: number;
    reported: InstanceRow['reported'];
    now: Now;
  }): Promise<{ outcome: 'renewed' | 'stale'; row: InstanceRow } | { outcome: 'unknown' }>;

  /**
   * Sets what somebody wants of an instance, or of all instances of an agent when `instanceId`
   * is left out. What an operator took away (any intent but `enabled`) only an operator gives
   * back: to others such rows come back as they were. Answers the rows after the move, by
   * instance; empty: no such instance. An operator's word on a whole agent holds for instances
   * that join later as well, until he enables the agent.
   */
  setIntent(move: {
    tenant: string;
    agentId: string;
    instanceId?: string;
    intent: Intent;
    by: IntentOwner;
    reason?: string;
    now: Now;
  }): Promise<InstanceRow[]>;

  /** Takes one instance away. False: it was not there, which is as good. */
  leave(move: { tenant: string; agentId: string; instanceId: string }): Promise<boolean>;

  /** Takes an agent, its instances and its versions away. False: it was not there. */
  remove(move: { tenant: string; agentId: string }): Promise<boolean>;

  /** The versions of an agent, newest first, at most 20; older ones are dropped by `define`. */
  versions(query: { tenant: string; agentId: string }): Promise<VersionRow[]>;

  /**
   * Takes away instances whose lease ended at least `goneForMs` ago, at most `limit`, the longest
   * gone first; answers which.
   */
  sweep(move: {
    goneForMs: number;
    limit: number;
    now: Now;
  }): Promise<Pick<InstanceRow, 'tenant' | 'agentId' | 'instanceId'>[]>;
}
