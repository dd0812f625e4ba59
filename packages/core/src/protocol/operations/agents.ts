import Type from 'typebox';
import { AgentView, Diagnosis, Manifest, Reachability } from '../agent.ts';
import { AgentEvent } from '../change.ts';
import { AgentId, CapabilityName, InstanceId, JsonObject } from '../names.ts';
import { INTENTS, OBSERVED } from '../states.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };

const Registration = Type.Object({
  agent_id: AgentId,
  manifest_version: Type.Integer(),
  outcome: Type.Enum(['created', 'updated', 'unchanged', 'kept']),
  breaking: Type.Array(Type.String()),
  warnings: Type.Array(Type.String()),
  instance: Type.Optional(
    Type.Object({
      instance_id: InstanceId,
      addr_version: Type.String(),
      lease_ms: Type.Integer(),
      heartbeat_interval_ms: Type.Integer(),
      base_url: Type.Optional(
        Type.String({ description: 'Where the gateway reaches it; absent where it pulls.' }),
      ),
    }),
  ),
  diagnosis: Type.Optional(Diagnosis),
});

const example = {
  name: 'order-query-agent',
  version: '1.2.0',
  capabilities: [
    {
      name: 'query_order_status',
      description: 'Answers where an order is and when it will ship.',
      input_schema: {
        type: 'object',
        properties: { order_no: { type: 'string' } },
        required: ['order_no'],
      },
      effect: 'read',
    },
  ],
  network: { base_url: 'http://127.0.0.1:9001' },
};

const IntentChange = Type.Object(
  {
    agent_id: AgentId,
    instance_id: Type.Optional(InstanceId),
    reason: Type.Optional(Type.String({ maxLength: 512 })),
  },
  closed,
);

const IntentChanged = Type.Object({
  agent_id: AgentId,
  instances: Type.Array(
    Type.Object({
      instance_id: InstanceId,
      intent: Type.Enum([...INTENTS]),
      set_by: Type.String(),
    }),
  ),
});

export const AGENT_OPERATIONS = operations({
  'agents.register': {
    summary:
      'Register an agent, or a new version of its manifest, or one more instance. None may be called `changes`: its address is that of a stream.',
    method: 'POST',
    path: '/v1/agents',
    auth: 'agent',
    audited: 'door',
    effect: 'idempotent_write',
    wholeBody: 'manifest',
    input: Type.Object({ manifest: JsonObject }, closed),
    output: Registration,
    errors: [
      'manifest-refused',
      'timeout-order',
      'egress-blocked',
      'instance-conflict',
      'rate-limited',
    ],
    example: { manifest: example },
  },
  'agents.list': {
    summary: 'List and search agents, from the gateway’s own memory.',
    method: 'GET',
    path: '/v1/agents',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        q: Type.Optional(
          Type.String({ maxLength: 256, description: 'Words in name, description or tags.' }),
        ),
        capability: Type.Optional(CapabilityName),
        tag: Type.Optional(Type.String({ maxLength: 130, description: '`key` or `key=value`.' })),
        status: Type.Optional(Type.Enum([...OBSERVED, 'absent'])),
        available: Type.Optional(
          Type.Boolean({ description: 'Only agents that a route could take now.' }),
        ),
        kind: Type.Optional(Type.Enum(['agent', 'connector'])),
      },
      closed,
    ),
    output: Type.Object({ agents: Type.Array(AgentView) }),
    errors: [],
    example: { capability: 'query_order_status' },
  },
  // Before `agents.get`, whose path would take it for an agent.
  'agents.changes': {
    summary: 'All agents and their instances once, then every change of them as it happens.',
    method: 'GET',
    path: '/v1/agents/changes',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    stream: 'events',
    input: Type.Object(
      {
        capability: Type.Optional(CapabilityName),
        agent: Type.Optional(AgentId),
        last_event_id: Type.Optional(
          Type.String({
            maxLength: 128,
            description: 'Where the reader stood, for those who cannot say `Last-Event-ID`.',
          }),
        ),
      },
      closed,
    ),
    output: AgentEvent,
    errors: ['rate-limited'],
    example: { capability: 'query_order_status' },
  },
  'agents.get': {
    summary: 'Show one agent.',
    method: 'GET',
    path: '/v1/agents/{agent_id}',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ agent_id: AgentId }, closed),
    output: AgentView,
    errors: ['agent-not-found'],
    example: { agent_id: 'order-query-agent' },
  },
  'agents.reachability': {
    summary: 'How well an agent could be reached: a score a minute, for a day at most.',
    method: 'GET',
    path: '/v1/reachability/trend',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        agent_name: AgentId,
        instance_id: Type.Optional(InstanceId),
        minutes: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 1440, description: 'How many; 60 by default.' }),
        ),
      },
      closed,
    ),
    output: Type.Object({
      agent_name: AgentId,
      every_ms: Type.Integer({ description: 'From one score to the next.' }),
      until: Type.String({ description: 'The minute of the last score of each.' }),
      instances: Type.Array(
        Type.Object({
          instance_id: InstanceId,
          observed: Type.Enum([...OBSERVED]),
          reachability: Reachability,
          scores: Type.Array(Type.Union([Type.Number(), Type.Null()]), {
            description: 'Oldest first; null for a minute of which this gateway knows nothing.',
          }),
        }),
      ),
    }),
    errors: ['agent-not-found'],
    example: { agent_name: 'order-query-agent' },
  },
  'agents.versions': {
    summary: 'The versions of an agent’s manifest, newest first.',
    method: 'GET',
    path: '/v1/agents/{agent_id}/versions',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ agent_id: AgentId }, closed),
    output: Type.Object({
      versions: Type.Array(
        Type.Object({
          manifest_version: Type.Integer(),
          at: Type.String(),
          breaking: Type.Array(Type.String()),
          manifest: Manifest,
        }),
      ),
    }),
    errors: ['agent-not-found'],
    example: { agent_id: 'order-query-agent' },
  },
  'agents.remove': {
    summary: 'Take an agent away, or one of its instances. Twice is fine.',
    method: 'DELETE',
    path: '/v1/agents/{agent_id}',
    auth: 'agent',
    audited: 'door',
    effect: 'idempotent_write',
    input: Type.Object({ agent_id: AgentId, instance_id: Type.Optional(InstanceId) }, closed),
    output: Type.Object({ removed: Type.Boolean() }),
    errors: [],
    example: { agent_id: 'order-query-agent' },
  },
  'agents.heartbeat': {
    summary: 'Renew the lease of an instance.',
    method: 'POST',
    path: '/v1/agents/{agent_id}/heartbeat',
    auth: 'agent',
    audited: false,
    effect: 'idempotent_write',
    input: Type.Object(
      {
        agent_id: AgentId,
        instance_id: Type.Optional(InstanceId),
        boot_id: Type.Optional(Type.String({ maxLength: 64 })),
        seq: Type.Optional(Type.Integer({ minimum: 0 })),
        addr_version: Type.Optional(Type.String({ maxLength: 64 })),
        manifest_version: Type.Optional(Type.Integer({ minimum: 1 })),
        inflight: Type.Optional(Type.Integer({ minimum: 0 })),
        pending: Type.Optional(Type.Integer({ minimum: 0 })),
        load: Type.Optional(
          Type.Number({ minimum: 0, maximum: 1, description: 'How busy its machine is, 0 to 1.' }),
        ),
      },
      closed,
    ),
    output: Type.Object({
      agent_id: AgentId,
      instance_id: InstanceId,
      lease_ms: Type.Integer(),
      next_heartbeat_ms: Type.Integer({
        description:
          'When the next one shall come: later of a steady agent, sooner of one in trouble. Whoever keeps to his first pause loses nothing.',
      }),
      observed: Type.Enum([...OBSERVED]),
      intent: Type.Enum([...INTENTS]),
      addr_version: Type.String(),
      manifest_version: Type.Integer(),
      fence: Type.Optional(
        Type.Object(
          {
            epoch: Type.Integer({ minimum: 0, description: 'A word of an older one is void.' }),
            for_ms: Type.Integer({
              minimum: 0,
              description: 'How long it holds; 0: there is none.',
            }),
          },
          { description: 'Calls without `Reach-Fence-Epoch` are to be answered 503 `fenced`.' },
        ),
      ),
    }),
    errors: ['agent-not-found', 'instance-conflict'],
    example: { agent_id: 'order-query-agent', seq: 1 },
  },
  'agents.diagnose': {
    summary: 'Try to reach an agent now, step by step, and say which step fails.',
    method: 'POST',
    path: '/v1/agents/{agent_id}/diagnose',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ agent_id: AgentId, instance_id: Type.Optional(InstanceId) }, closed),
    output: Type.Object({ agent_id: AgentId, diagnoses: Type.Array(Diagnosis) }),
    errors: ['agent-not-found'],
    example: { agent_id: 'order-query-agent' },
  },
  'agents.drain': {
    summary: 'Give an agent or instance no new work; what runs may finish.',
    method: 'POST',
    path: '/v1/agents/{agent_id}/drain',
    auth: 'agent',
    audited: 'door',
    effect: 'idempotent_write',
    input: IntentChange,
    output: IntentChanged,
    errors: ['agent-not-found'],
    example: { agent_id: 'order-query-agent', reason: 'rolling restart' },
  },
  'agents.enable': {
    summary: 'Let an agent or instance have work again.',
    method: 'POST',
    path: '/v1/agents/{agent_id}/enable',
    auth: 'operator',
    audited: 'door',
    effect: 'idempotent_write',
    input: IntentChange,
    output: IntentChanged,
    errors: ['agent-not-found'],
    example: { agent_id: 'order-query-agent' },
  },
  'agents.disable': {
    summary: 'Take an agent or instance out until an operator enables it again.',
    method: 'POST',
    path: '/v1/agents/{agent_id}/disable',
    auth: 'operator',
    audited: 'door',
    effect: 'idempotent_write',
    input: IntentChange,
    output: IntentChanged,
    errors: ['agent-not-found'],
    example: { agent_id: 'order-query-agent', reason: 'answers nonsense' },
  },
  'connectors.register': {
    summary: 'Register a connector’s action.',
    method: 'POST',
    path: '/v1/connectors',
    auth: 'agent',
    audited: 'door',
    effect: 'idempotent_write',
    wholeBody: 'manifest',
    input: Type.Object({ manifest: JsonObject }, closed),
    output: Registration,
    errors: ['manifest-refused', 'timeout-order', 'rate-limited'],
    example: {
      manifest: {
        name: 'crm.contact.read',
        connector: 'crm-connector',
        protocol: 'http',
        endpoint: 'internal://contact-center/contacts/{id}',
        method: 'GET',
        timeout_ms: 1500,
      },
    },
  },
  'connectors.list': {
    summary: 'List connectors and their actions.',
    method: 'GET',
    path: '/v1/connectors',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ q: Type.Optional(Type.String({ maxLength: 256 })) }, closed),
    output: Type.Object({ connectors: Type.Array(AgentView) }),
    errors: [],
    example: {},
  },
});
