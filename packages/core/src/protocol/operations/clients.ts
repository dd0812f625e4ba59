import Type from 'typebox';
import {
  CLIENT_KINDS,
  ClientId,
  ClientView,
  ClientWithSecret,
  KeyId,
  KeyType,
  ROLES,
} from '../client.ts';
import { AgentId, TenantId } from '../names.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };
const example = { client_id: 'order-query-agent' };

const row = {
  method: 'POST',
  auth: 'admin',
  audited: 'door',
  effect: 'write',
} as const;

export const CLIENT_OPERATIONS = operations({
  'clients.create': {
    ...row,
    summary: 'Let somebody in: make a client and its first key, whose secret is shown once.',
    path: '/v1/clients',
    input: Type.Object(
      {
        kind: Type.Enum([...CLIENT_KINDS]),
        client_id: Type.Optional(ClientId),
        agent_id: Type.Optional(AgentId),
        role: Type.Optional(Type.Enum([...ROLES])),
        note: Type.Optional(Type.String({ maxLength: 256 })),
        key_type: Type.Optional(KeyType),
        for_tenant: Type.Optional(TenantId),
      },
      closed,
    ),
    output: ClientWithSecret,
    errors: ['rule-refused', 'overloaded'],
    example: { kind: 'agent', agent_id: 'order-query-agent' },
  },
  'clients.list': {
    summary: 'The clients of the tenant.',
    method: 'GET',
    path: '/v1/clients',
    auth: 'admin',
    audited: false,
    effect: 'read',
    input: Type.Object({}, closed),
    output: Type.Object({ clients: Type.Array(ClientView) }),
    errors: [],
    example: {},
  },
  'clients.get': {
    summary: 'Show one client and the states of its keys.',
    method: 'GET',
    path: '/v1/clients/{client_id}',
    auth: 'admin',
    audited: false,
    effect: 'read',
    input: Type.Object({ client_id: ClientId }, closed),
    output: ClientView,
    errors: [],
    example,
  },
  'clients.rotate': {
    ...row,
    summary: 'Make a second key; the first one holds for a day after the second is used.',
    path: '/v1/clients/{client_id}/keys',
    input: Type.Object({ client_id: ClientId, key_type: Type.Optional(KeyType) }, closed),
    output: ClientWithSecret,
    errors: ['rule-refused', 'overloaded'],
    example,
  },
  'clients.revoke': {
    ...row,
    summary: 'Refuse a key from now on. Twice is fine.',
    path: '/v1/clients/{client_id}/keys/{kid}/revoke',
    effect: 'idempotent_write',
    input: Type.Object({ client_id: ClientId, kid: KeyId }, closed),
    output: ClientView,
    errors: ['overloaded'],
    example: { ...example, kid: 'k1' },
  },
  'clients.remove': {
    ...row,
    summary: 'Take a client away with all its keys. Twice is fine.',
    method: 'DELETE',
    path: '/v1/clients/{client_id}',
    effect: 'idempotent_write',
    input: Type.Object({ client_id: ClientId }, closed),
    output: Type.Object({ removed: Type.Boolean() }),
    errors: ['overloaded'],
    example,
  },
});
