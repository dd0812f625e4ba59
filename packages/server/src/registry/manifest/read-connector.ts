import type { Manifest, ManifestFormD } from '@agent-reach/core';
import { readCapability } from './read-capability.ts';
import type { Reading } from './reading.ts';
import { slugOf } from './text.ts';

/** HTTP's own promise: such a request changes nothing. */
const READING_METHODS = ['GET', 'HEAD'];

/** Reads form D: one action of a connector, which is an agent of its own kind. */
export function readConnector(raw: ManifestFormD, reading: Reading): Manifest {
  const { endpoint, protocol, method, auth_scheme, replay_policy, health_check } = raw;
  const effect =
    raw.effect ?? (READING_METHODS.includes(method ?? '') ? ('read' as const) : undefined);
  const { timeout_ms: timeoutMs, max_timeout_ms: maxMs, sla, context, ...rest } = raw;
  if (timeoutMs !== undefined && sla?.timeout_ms !== undefined && timeoutMs !== sla.timeout_ms) {
    reading.refuse({ pointer: '#/sla/timeout_ms', detail: `is not ${timeoutMs}, the timeout_ms` });
  }
  const capability = readCapability(
    {
      ...rest,
      ...(effect === undefined ? {} : { effect }),
      sla: {
        ...(maxMs === undefined ? {} : { max_timeout_ms: maxMs }),
        ...sla,
        ...(timeoutMs === undefined ? {} : { timeout_ms: timeoutMs }),
      },
    },
    {
      at: '#',
      name: '#/name',
      displayName: '#/display_name',
      timeout: timeoutMs === undefined ? '#/sla/timeout_ms' : '#/timeout_ms',
    },
    reading,
  );
  const connector = reading.line(raw.connector, '#/connector');
  const agentId = slugOf(connector);
  if (agentId !== connector) {
    reading.warnings.push(`#/connector "${connector}" has the agent_id ${agentId}.`);
  }
  const healthPath = health_check?.path;
  return {
    agent_id: agentId,
    kind: 'connector',
    display_name: connector,
    ...(raw.owner === undefined ? {} : { owner: reading.line(raw.owner, '#/owner') }),
    schema_version: raw.schema_version ?? raw.manifest_schema_version ?? 1,
    tags: {},
    capabilities: [
      {
        ...capability,
        action: {
          protocol,
          endpoint: reading.line(endpoint, '#/endpoint'),
          ...(method === undefined ? {} : { method }),
          ...(auth_scheme === undefined ? {} : { auth_scheme }),
          ...(replay_policy === undefined ? {} : { replay_policy }),
          ...(health_check === undefined ? {} : { health_check }),
        },
      },
    ],
    network: {
      health_path:
        healthPath === undefined ? '/health' : reading.path(healthPath, '#/health_check/path'),
    },
    ...(context === undefined ? {} : { context }),
    metadata: reading.metadata(raw.metadata),
  };
}
