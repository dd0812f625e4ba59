import Type from 'typebox';
import { operations } from './operation.ts';

const nothing = Type.Object({}, { additionalProperties: false });

const Health = Type.Object({
  status: Type.Enum(['ok', 'starting', 'stopping', 'failing']),
  version: Type.String(),
  node: Type.String(),
  storage: Type.String(),
  uptime_ms: Type.Integer(),
  agents: Type.Integer(),
  self_preservation: Type.Boolean({
    description: 'So many agents of a tenant are silent at once that none is declared gone for it.',
  }),
  doubt: Type.Integer({
    description: 'How far the gateway doubts what it sees of others, 0 to 7; see operate.md.',
  }),
  embedder: Type.Optional(
    Type.Enum(['checking', 'ready', 'refused', 'failing'], {
      description:
        'Where one is set. Unless it is `ready`, intents are read by their words; the log says why, and so does an explained decision.',
    }),
  ),
});

export const SYSTEM_OPERATIONS = operations({
  'system.health': {
    summary: 'Whether the gateway works, and on what.',
    method: 'GET',
    path: '/health',
    auth: 'public',
    audited: false,
    effect: 'read',
    input: nothing,
    output: Health,
    bare: true,
    errors: [],
    example: {},
  },
  'system.livez': {
    summary: 'Whether the process lives. Tests no dependency: a restart would not cure one.',
    method: 'GET',
    path: '/livez',
    auth: 'public',
    audited: false,
    effect: 'read',
    input: nothing,
    output: Type.Object({ status: Type.Literal('ok') }),
    bare: true,
    errors: [],
    example: {},
  },
  'system.readyz': {
    summary: 'Whether the gateway takes work now.',
    method: 'GET',
    path: '/readyz',
    auth: 'public',
    audited: false,
    effect: 'read',
    input: nothing,
    output: Type.Object({
      status: Type.Literal('ok'),
      self_preservation: Type.Optional(
        Type.Literal(true, { description: 'See `/health`. The gateway takes work all the same.' }),
      ),
    }),
    bare: true,
    errors: ['overloaded'],
    example: {},
  },
  'system.openapi': {
    summary: 'This API as an OpenAPI 3.1 document.',
    method: 'GET',
    path: '/openapi.json',
    auth: 'public',
    audited: false,
    effect: 'read',
    input: nothing,
    output: Type.Record(Type.String(), Type.Unknown()),
    bare: true,
    errors: [],
    example: {},
  },
  'system.resource-metadata': {
    summary: 'Whose tokens are taken here (RFC 9728), where some are.',
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    auth: 'public',
    audited: false,
    effect: 'read',
    input: nothing,
    output: Type.Object({
      resource: Type.String(),
      resource_name: Type.String(),
      authorization_servers: Type.Array(Type.String()),
      bearer_methods_supported: Type.Array(Type.String()),
    }),
    bare: true,
    errors: [],
    example: {},
  },
  'system.gateways': {
    summary: 'The gateways that work on the same store, as this one hears them.',
    method: 'GET',
    path: '/v1/gateways',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: nothing,
    output: Type.Object({
      gateways: Type.Array(
        Type.Object({
          id: Type.String({ description: 'Of this run: another one after each start.' }),
          node: Type.String(),
          since: Type.String({ format: 'date-time' }),
          is_self: Type.Boolean({ description: 'The one that answers.' }),
        }),
      ),
    }),
    errors: [],
    example: {},
  },
  'system.config': {
    summary: 'Every option with its value and where the value comes from.',
    method: 'GET',
    path: '/v1/config',
    auth: 'operator',
    audited: false,
    effect: 'read',
    input: nothing,
    output: Type.Object({
      options: Type.Array(
        Type.Object({
          key: Type.String(),
          value: Type.Unknown(),
          origin: Type.Enum(['default', 'file', 'environment', 'flag']),
        }),
      ),
    }),
    errors: [],
    example: {},
  },
});
