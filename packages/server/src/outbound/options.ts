import { defaultsOf, duration, integer, type Values } from '@agent-reach/core/kernel';

/** Settings of what leaves the gateway. Where it may go is the house's, `egress.allow`. */
export const OUTBOUND_OPTIONS = {
  connectTimeoutMs: duration({
    key: 'egress.connect.timeout',
    default: 2_000,
    min: 1,
    max: 60_000,
    doc: "How long TCP, and TLS where asked for, may take to connect; never beyond the request's own time. Shorter gives up on distant hosts, longer keeps a call waiting for a dead one.",
  }),
  idleTimeoutMs: duration({
    key: 'egress.idle.timeout',
    default: 4_000,
    min: 1,
    max: 600_000,
    doc: 'How long an unused connection stays open if its peer gives no hint. Longer spares handshakes and meets more connections that the peer has just closed; common servers close after 5 s.',
  }),
  connectionsMax: integer({
    key: 'egress.connections.max',
    default: 256,
    min: 1,
    max: 65_535,
    doc: 'Connections to one origin; more requests wait, within their own time. Sockets here and at the target against waiting under load.',
  }),
  poolsMax: integer({
    key: 'egress.pools.max',
    default: 1_000,
    min: 1,
    max: 100_000,
    doc: 'Origins whose connections are kept. The one unused for longest is closed, after its requests. More costs memory, fewer costs handshakes where there are many agents.',
  }),
  dnsTtlMs: duration({
    key: 'egress.dns.ttl',
    default: 5_000,
    min: 0,
    max: 60_000,
    doc: "How long a resolved and judged name is used again. Shorter costs lookups, which hold one of the resolver's four threads each; longer follows a moved name later.",
  }),
  responseHeadersBytesMax: integer({
    key: 'egress.response.headers.max',
    default: 16_384,
    min: 1_024,
    max: 1_048_576,
    doc: 'Bytes of the headers of an answer. More costs memory for each answer under way.',
  }),
} as const;

/** The values of the room's settings. */
export type OutboundOptions = Values<typeof OUTBOUND_OPTIONS>;

/** What holds where the operator says nothing. */
export const OUTBOUND_DEFAULTS: Readonly<OutboundOptions> = defaultsOf(OUTBOUND_OPTIONS);
