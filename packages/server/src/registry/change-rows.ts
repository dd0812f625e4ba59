import { type AgentChange, type AgentRow, rowName } from '@agent-reach/core';
import type { AgentEntry, Instance } from './directory.ts';
import { intentOf } from './intent.ts';
import { whyNotRoutable } from './routable.ts';

/** What a reader wants to hear of; an absent part admits everything. */
export interface Interest {
  capability?: string | undefined;
  agent?: string | undefined;
}

/** A row before and after; undefined: there was none, or is none. */
export interface RowChange {
  before: AgentRow | undefined;
  after: AgentRow | undefined;
}

/** An agent as it is told: its definition, then each of its instances. */
export function rowsOf(entry: AgentEntry): AgentRow[] {
  const { definition, instances } = entry;
  const bare = {
    agent: definition.agentId,
    capabilities: definition.manifest.capabilities.map(({ name }) => name),
  };
  const { manifestVersion } = definition;
  const own: AgentRow = { ...bare, state: { manifest_version: manifestVersion } };
  return [own, ...Array.from(instances.values(), (i) => instanceRow(bare, i, manifestVersion))];
}

function instanceRow(
  bare: Pick<AgentRow, 'agent' | 'capabilities'>,
  instance: Instance,
  manifestVersion: number,
): AgentRow {
  const { instanceId, baseUrl } = instance.row;
  const { intent, reason } = intentOf(instance);
  return {
    ...bare,
    instance_id: instanceId,
    addr_version: instance.addrVersion,
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    state: {
      manifest_version: manifestVersion,
      observed: instance.observed,
      intent,
      ...(reason === undefined ? {} : { intent_reason: reason }),
      routable: whyNotRoutable(instance) === undefined,
    },
  };
}

/** What differs between the rows that were told and those that are, by their names. */
export function differences(
  known: ReadonlyMap<string, AgentRow>,
  present: ReadonlyMap<string, AgentRow>,
): RowChange[] {
  const found: RowChange[] = [];
  for (const [name, before] of known) {
    const after = present.get(name);
    if (after === undefined || !isSame(before, after)) found.push({ before, after });
  }
  for (const [name, after] of present) {
    if (!known.has(name)) found.push({ before: undefined, after });
  }
  return found;
}

/** Rows by their names. */
export function byName(rows: Iterable<AgentRow>): Map<string, AgentRow> {
  return new Map(Array.from(rows, (row) => [rowName(row), row]));
}

function isSame(a: AgentRow, b: AgentRow): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Whether a row is what a reader wants to hear of. */
export function isOfInterest(row: AgentRow, { capability, agent }: Interest): boolean {
  if (agent !== undefined && row.agent !== agent) return false;
  return capability === undefined || row.capabilities.includes(capability);
}

/**
 * The changes as a reader with this interest sees them: what no longer offers the capability has left
 * his view, as if it were gone.
 */
export function seenBy(interest: Interest, changes: readonly RowChange[]): AgentChange[] {
  return changes.flatMap(({ before, after }) => {
    const was = before !== undefined && isOfInterest(before, interest) ? before : undefined;
    const is = after !== undefined && isOfInterest(after, interest) ? after : undefined;
    const row = is ?? was;
    if (row === undefined) return [];
    const { state: _, ...about } = row;
    return [{ ...about, old: was?.state ?? null, new: is?.state ?? null }];
  });
}
