import type { DefinitionRow, InstanceRow, VersionRow } from '../../spi/agents.ts';
import type { Reply } from '../engine.ts';
import { fields, json, type Reader, rowOf } from '../rows.ts';

const DEFINITION: Reader<DefinitionRow> = {
  tenant: 'text',
  agentId: 'text',
  manifestVersion: 'number',
  digest: 'text',
  manifest: 'json',
  breaking: 'json',
  createdAt: 'number',
  updatedAt: 'number',
};

const INSTANCE: Reader<InstanceRow> = {
  tenant: 'text',
  agentId: 'text',
  instanceId: 'text',
  bootId: 'text',
  mode: 'text',
  baseUrl: 'text',
  tags: 'json',
  addrVersion: 'number',
  intent: 'text',
  intentBy: 'text',
  intentReason: 'text',
  heartbeatIntervalMs: 'number',
  leaseMs: 'number',
  leaseEndsAt: 'number',
  lastHeartbeatAt: 'number',
  seq: 'number',
  reported: 'json',
};

/** An agent of a reply that is its hash. */
export function toDefinition(reply: Reply | undefined): DefinitionRow {
  return rowOf<DefinitionRow>(DEFINITION, fields(reply));
}

/** An instance of a reply that is its hash. */
export function toInstance(reply: Reply | undefined): InstanceRow {
  return rowOf<InstanceRow>(INSTANCE, fields(reply));
}

/** A version of a text in which manifest and breaks are JSON texts themselves. */
export function toVersion(reply: Reply): VersionRow {
  const kept = json(reply) as Omit<VersionRow, 'manifest' | 'breaking'> & Texts;
  return {
    ...kept,
    manifest: JSON.parse(kept.manifest) as VersionRow['manifest'],
    breaking: JSON.parse(kept.breaking) as string[],
  };
}

interface Texts {
  manifest: string;
  breaking: string;
}
