import { choice, duration, integer } from '@agent-reach/core/kernel';

/** Settings of the registry. */
export const REGISTRY_OPTIONS = {
  heartbeatIntervalMs: duration({
    key: 'agent.heartbeat.interval',
    default: 10_000,
    min: 1_000,
    max: 3_600_000,
    doc: 'How often an agent beats when its manifest does not say. Shorter finds a dead agent sooner and costs a message per agent and beat.',
  }),
  leaseMinMs: duration({
    key: 'agent.lease.min',
    default: 45_000,
    min: 1_000,
    max: 3_600_000,
    doc: 'No lease is shorter. Longer rides out pauses of an agent; a silently dead pull agent is kept as long.',
  }),
  goneKeepMs: duration({
    key: 'agent.gone.keep',
    default: 600_000,
    min: 0,
    max: 604_800_000,
    doc: 'How long an instance whose lease lapsed stays listed as gone. Longer tells more of the past; a crash-looping agent leaves more rows.',
  }),
  probeIntervalMs: duration({
    key: 'probe.interval',
    default: 5_000,
    min: 250,
    max: 3_600_000,
    doc: 'How often each instance is probed. Shorter sees trouble sooner and costs one small request per instance and probe.',
  }),
  probeTimeoutMs: duration({
    key: 'probe.timeout',
    default: 2_000,
    min: 50,
    max: 60_000,
    doc: 'How long a probe waits. Longer forgives slow health checks and finds hung agents later.',
  }),
  probeEdgeMs: duration({
    key: 'probe.edge',
    default: 500,
    min: 50,
    max: 60_000,
    doc: 'Pause between probes while a state is in doubt (new, or failing but not yet unreachable).',
  }),
  probeParallel: integer({
    key: 'probe.parallel',
    default: 32,
    min: 1,
    max: 1_000,
    doc: 'Probes under way at once. More keeps up with more dead agents; each holds a socket until its timeout.',
  }),
  admissionIdempotency: choice({
    key: 'admission.idempotency',
    words: ['writes', 'all'],
    default: 'writes',
    doc: '`writes` refuses declared writes without an idempotency strategy; `all` refuses capabilities that declare no effect, too.',
  }),
  agentsMax: integer({
    key: 'registry.agents.max',
    default: 500,
    min: 1,
    max: 100_000,
    doc: 'Agents a tenant may have. All of them live in memory, about 20 KiB each with a typical manifest.',
  }),
  instancesMax: integer({
    key: 'registry.instances.max',
    default: 200,
    min: 1,
    max: 10_000,
    doc: 'Instances one agent may have. Each is probed.',
  }),
} as const;
