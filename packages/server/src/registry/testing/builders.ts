import type { Capability, Manifest } from '@agent-reach/core';
import type { DefinitionRow, InstanceRow } from '../../storage/spi/agents.ts';
import { Directory, type Instance } from '../directory.ts';
import { NO_PULSE } from '../score-machine.ts';

const TENANT = 'internal';

/** A capability with the least it needs; `over` says what the test is about. */
export function capability(over: Partial<Capability> = {}): Capability {
  return {
    name: 'look_up',
    display_name: 'Look up',
    description: 'Looks something up.',
    input: {},
    output: {},
    tags: {},
    sensitive: false,
    sla: { timeout_ms: 2_000 },
    priority: 50,
    examples: [],
    not_for: [],
    ...over,
  };
}

/** A stored definition. */
export function definition(
  agentId: string,
  capabilities: Capability[] = [capability()],
  over: Partial<Manifest> = {},
): DefinitionRow {
  const manifest: Manifest = {
    agent_id: agentId,
    kind: 'agent',
    display_name: agentId,
    schema_version: 1,
    tags: {},
    capabilities,
    network: { health_path: '/health' },
    metadata: {},
    ...over,
  };
  const version = { manifestVersion: 1, digest: agentId, manifest, breaking: [] };
  return { tenant: TENANT, agentId, ...version, createdAt: 0, updatedAt: 0 };
}

/** A stored instance whose lease holds. */
export function instanceRow(
  agentId: string,
  instanceId: string,
  over: Partial<InstanceRow> = {},
): InstanceRow {
  return {
    tenant: TENANT,
    agentId,
    instanceId,
    mode: 'push',
    baseUrl: `http://${instanceId}`,
    tags: {},
    addrVersion: 1,
    intent: 'enabled',
    intentBy: 'system',
    heartbeatIntervalMs: 10_000,
    leaseMs: 45_000,
    leaseEndsAt: Number.MAX_SAFE_INTEGER,
    lastHeartbeatAt: 0,
    seq: 0,
    reported: {},
    ...over,
  };
}

/** Puts an agent in with instances that are up. */
export function addAgent(
  directory: Directory,
  row: DefinitionRow,
  instances: (string | InstanceRow)[],
): Instance[] {
  const entry = directory.define(row);
  return instances.map((one) => {
    const stored = typeof one === 'string' ? instanceRow(row.agentId, one) : one;
    const instance = directory.join(entry, stored);
    instance.observed = 'up';
    instance.scoring.pulse = { ...NO_PULSE, health: 1 };
    return instance;
  });
}

/** A directory of its own for each test. */
export function emptyDirectory(): Directory {
  return new Directory('e');
}
