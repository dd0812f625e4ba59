import Type from 'typebox';
import { AgentId, CapabilityName } from '../names.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };

/** An offer of a name that somebody else had first. */
const Standing = Type.Object({
  capability: CapabilityName,
  agent: AgentId,
  is: Type.Enum(['pending', 'refused', 'approved']),
  owners: Type.Array(AgentId, { description: 'Who may offer it.' }),
});

const decide = {
  method: 'POST',
  auth: 'operator',
  audited: 'door',
  effect: 'idempotent_write',
  input: Type.Object({ capability: CapabilityName, agent_id: AgentId }, closed),
  output: Standing,
  errors: ['rule-refused', 'overloaded'],
  example: { capability: 'query_order_status', agent_id: 'orders-eu' },
} as const;

export const CAPABILITY_OPERATIONS = operations({
  'capabilities.pending': {
    summary:
      'Offers of names that others had first: nobody is sent to them before an operator approves.',
    method: 'GET',
    path: '/v1/capabilities/pending',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ offers: Type.Array(Standing) }),
    errors: [],
    example: {},
  },
  'capabilities.approve': {
    summary: 'Let an agent offer a capability beside those who offer it.',
    path: '/v1/capabilities/{capability}/approve',
    ...decide,
  },
  'capabilities.refuse': {
    summary: 'Let an agent offer a capability no more, or not at all.',
    path: '/v1/capabilities/{capability}/refuse',
    ...decide,
  },
});
