import Type, { type Static } from 'typebox';
import { Executed } from './effects.ts';

/** One try to reach one endpoint, as the trace keeps it. */
export const AttemptRecord = Type.Object({
  agent: Type.String(),
  instance: Type.String(),
  started_ms: Type.Number({ description: 'Milliseconds after the hop began.' }),
  ms: Type.Number(),
  capability: Type.Optional(
    Type.String({ description: 'Where a fallback was turned to: which of them was tried.' }),
  ),
  status: Type.Integer({ description: 'The agent’s HTTP status, 0 when none came.' }),
  code: Type.Optional(Type.String()),
  executed: Executed,
});
export type AttemptRecord = Static<typeof AttemptRecord>;

/** One hop of a trace: the fields of seed A §2.4 and where the time went. */
export const TraceRecord = Type.Object({
  trace_id: Type.String(),
  legacy_trace_id: Type.Optional(Type.String()),
  span_id: Type.String(),
  parent_span_id: Type.Optional(Type.String()),
  request_id: Type.String(),
  route_id: Type.String(),
  tenant: Type.String(),
  at: Type.Integer({ description: 'When the hop began, epoch milliseconds.' }),
  hop: Type.Integer(),
  agent_from: Type.String(),
  agent_to: Type.Optional(Type.String()),
  instance: Type.Optional(Type.String()),
  capability: Type.Optional(Type.String()),
  fallback_of: Type.Optional(
    Type.String({ description: 'What was asked for; `capability` is its declared fallback.' }),
  ),
  fallback_code: Type.Optional(
    Type.String({ description: 'Why that could not be reached, as an error code.' }),
  ),
  route_strategy: Type.Optional(Type.String()),
  status_code: Type.Integer(),
  code: Type.Optional(Type.String()),
  executed: Executed,
  retry_count: Type.Integer(),
  replayed: Type.Boolean(),
  execute_ms: Type.Number(),
  match_ms: Type.Number(),
  queue_ms: Type.Number(),
  agent_ms: Type.Number(),
  return_ms: Type.Number(),
  attempts: Type.Array(AttemptRecord),
});
export type TraceRecord = Static<typeof TraceRecord>;

/** One line of the audit: who did what to whom, with what, and what came of it. */
export const AuditRecord = Type.Object({
  at: Type.Integer(),
  tenant: Type.String(),
  principal: Type.String(),
  on_behalf_of: Type.Optional(Type.String()),
  operation: Type.String(),
  target: Type.Optional(Type.String()),
  capability: Type.Optional(Type.String()),
  fallback_of: Type.Optional(Type.String()),
  request_id: Type.Optional(Type.String()),
  trace_id: Type.Optional(Type.String()),
  confirmation: Type.Optional(
    Type.String({ description: 'Asked for with `needs-confirmation`, else used up by this.' }),
  ),
  outcome: Type.String({ description: '`ok`, `needs-confirmation`, or the error code.' }),
  executed: Executed,
  params: Type.Optional(Type.String({ description: 'JSON, cut at 4 KiB.' })),
  result: Type.Optional(Type.String({ description: 'JSON, cut at 4 KiB.' })),
});
export type AuditRecord = Static<typeof AuditRecord>;

/** A record of the audit as it stands in the chain of its tenant. */
export const AuditLinkView = Type.Object({
  seq: Type.Integer({ description: 'Its number in the chain of the tenant, from 1 without gaps.' }),
  prev: Type.String({
    description: 'The hash of the record before it; of the first one 64 zeros.',
  }),
  hash: Type.String({
    description:
      'SHA-256 of `reach.audit.v1`, `prev` and the record in the form of RFC 8785, each on a line.',
  }),
  record: Type.Intersect([AuditRecord, Type.Object({ seq: Type.Integer(), v: Type.Integer() })]),
});
export type AuditLinkView = Static<typeof AuditLinkView>;

/** That a chain stood so at a moment, under a key that its store does not hold. */
export const AuditSeal = Type.Object({
  tenant: Type.String(),
  first_seq: Type.Integer(),
  last_seq: Type.Integer(),
  hash: Type.String({ description: 'Of the record `last_seq`.' }),
  sealed_at: Type.Integer({ description: 'Epoch milliseconds.' }),
  key: Type.String({ description: 'Which key it was made with; empty: with none.' }),
  mac: Type.String({ description: 'HMAC-SHA-256 over the other fields, in hex.' }),
});
export type AuditSeal = Static<typeof AuditSeal>;

/** What is wrong with a chain, and where. */
export const AuditFault = Type.Object({
  kind: Type.Enum(['changed', 'gap', 'fork', 'reordered', 'seal-mismatch', 'truncated']),
  seq: Type.Integer({ description: 'The first record that it is about.' }),
  detail: Type.String(),
});
export type AuditFault = Static<typeof AuditFault>;

/** What a look at some records of a chain came to. */
export const AuditReport = Type.Object({
  tenant: Type.String(),
  from: Type.Integer(),
  to: Type.Integer({ description: 'The last record that was looked at.' }),
  head: Type.Integer({
    description: 'The number of the last record of the chain; 0: it has none.',
  }),
  records: Type.Integer(),
  seals: Type.Integer({ description: 'Seals that were compared with the chain.' }),
  seals_verified: Type.Integer({ description: 'Those of them that the key vouches for.' }),
  intact: Type.Boolean({ description: 'Nothing was found.' }),
  faults: Type.Array(AuditFault),
  faults_more: Type.Integer({ description: 'Faults that are not listed.' }),
  removed: Type.Optional(
    Type.Object(
      { last_seq: Type.Integer(), sealed_at: Type.Integer() },
      { description: 'What is gone at the beginning, as its last seal says.' },
    ),
  ),
  next: Type.Optional(Type.Integer({ description: 'Where to go on: there is more.' })),
});
export type AuditReport = Static<typeof AuditReport>;
