import Type, { type Static } from 'typebox';
import { AgentId, TenantId } from './names.ts';

/** Whom a client is: a program bound to one agent, any other program, or a person. */
export const CLIENT_KINDS = ['agent', 'service', 'person'] as const;

/** What a person or a service may do beside calling, each more than the one before. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** How a key is used: `hmac` signs each request, `token` is shown with it. */
export const KEY_TYPES = ['hmac', 'token'] as const;

/**
 * Where a key is in its life. `pending`: made, not used yet. `active`: in use. `retiring`: its
 * successor is in use, and it still holds for a day. `revoked`: refused.
 */
export const KEY_STATES = ['pending', 'active', 'retiring', 'revoked'] as const;

/** Unique in the whole gateway: a signature names the client and not its tenant. */
export const ClientId = Type.String({
  pattern: '^[a-z0-9][a-z0-9._-]{0,127}$',
  description: 'Lower-case name of the client, unique over all tenants.',
});

export const KeyId = Type.String({ pattern: '^[a-z0-9]{1,32}$' });

export const KeyType = Type.Enum([...KEY_TYPES]);
export type KeyType = Static<typeof KeyType>;

/** A key, without its secret. */
export const KeyView = Type.Object({
  kid: KeyId,
  type: KeyType,
  state: Type.Enum([...KEY_STATES]),
  created_at: Type.String(),
  ends_at: Type.Optional(Type.String({ description: 'When it stops to hold, or did.' })),
});
export type KeyView = Static<typeof KeyView>;

/** Who may ask, without any secret. */
export const ClientView = Type.Object({
  client_id: ClientId,
  tenant: TenantId,
  kind: Type.Enum([...CLIENT_KINDS]),
  agent_id: Type.Optional(AgentId),
  role: Type.Optional(Type.Enum([...ROLES])),
  note: Type.Optional(Type.String()),
  created_at: Type.String(),
  keys: Type.Array(KeyView),
});
export type ClientView = Static<typeof ClientView>;

/** A client with its new key: the only time that the secret is shown. */
export const ClientWithSecret = Type.Intersect([
  ClientView,
  Type.Object({
    kid: KeyId,
    secret: Type.String({
      description: 'Shown once: `rsk_…` signs requests, `rtk_…` is a bearer token.',
    }),
  }),
]);
export type ClientWithSecret = Static<typeof ClientWithSecret>;
