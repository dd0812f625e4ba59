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
    output: Type.Object({ status: Type.Literal('ok') }),
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
