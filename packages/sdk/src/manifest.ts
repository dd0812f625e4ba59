import type { ContextField, Protocol } from '@agent-reach/core';
import { CAPABILITY_TIMEOUT_MS, type Capability, type CapabilitySpec } from './capability.ts';

/** What an agent says of itself as a whole. */
export interface ManifestHead {
  /** Becomes the agent's id as an ASCII slug. */
  name: string;
  displayName?: string | undefined;
  description?: string | undefined;
  /**
   * Of the agent. Left out, the gateway counts versions by content; given, it must rise with each
   * change.
   */
  version?: string | undefined;
  owner?: string | undefined;
  tags?: readonly string[] | Record<string, string> | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** Of each capability that says none itself. */
  fallback?: readonly string[] | undefined;
  /** How it is willing to be called. Default: either way. */
  protocols?: readonly Protocol[] | undefined;
  /** What of a request's context it is told. Default: all of it; less is less to guard. */
  context?: readonly ContextField[] | undefined;
}

/** Where this process of the agent lives. */
export interface Place {
  /** Undefined: it has no address, and pulls its work. */
  baseUrl: string | undefined;
  bootId: string;
  instanceId?: string | undefined;
  heartbeatMs?: number | undefined;
  maxConcurrency: number;
}

/**
 * The manifest in the form of seed A, with the instance that this process is. Members that nobody
 * set are left out by `JSON.stringify`.
 */
export function toManifest(
  head: ManifestHead,
  capabilities: Iterable<Capability>,
  place: Place,
): Record<string, unknown> {
  return {
    name: head.name,
    display_name: head.displayName,
    description: head.description,
    version: head.version,
    owner: head.owner,
    tags: head.tags,
    metadata: head.metadata,
    fallback: head.fallback,
    context: head.context,
    dependencies: { max_concurrency: place.maxConcurrency },
    capabilities: Array.from(capabilities, ({ spec }) => capabilityOf(spec)),
    network: {
      health_path: '/health',
      protocols: head.protocols,
      heartbeat_interval_sec:
        place.heartbeatMs === undefined ? undefined : place.heartbeatMs / 1_000,
    },
    instance: {
      instance_id: place.instanceId,
      base_url: place.baseUrl,
      pull: place.baseUrl === undefined ? true : undefined,
      boot_id: place.bootId,
    },
  };
}

function capabilityOf(spec: CapabilitySpec): Record<string, unknown> {
  return {
    name: spec.name,
    display_name: spec.displayName,
    aliases: spec.aliases,
    description: spec.description,
    input_schema: spec.input,
    output_schema: spec.output,
    tags: spec.tags,
    effect: spec.effect,
    idempotency: spec.idempotency,
    sensitive: spec.sensitive,
    strategy: spec.strategy,
    sla: {
      timeout_ms: spec.timeoutMs ?? CAPABILITY_TIMEOUT_MS,
      max_timeout_ms: spec.maxTimeoutMs,
      max_qps: spec.maxQps,
    },
    priority: spec.priority,
    examples: spec.examples,
    not_for: spec.notFor,
    version: spec.version,
    fallback: spec.fallback,
  };
}
