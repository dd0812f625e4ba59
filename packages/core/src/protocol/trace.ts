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
