import Type from 'typebox';
import {
  Answer,
  CallRequest,
  ExplainAnswer,
  ExplainRequest,
  RouteAnswer,
  RouteRequest,
} from '../call.ts';
import { AgentId, CapabilityName, RequestId } from '../names.ts';
import { AuditLinkView, AuditRecord, AuditReport, AuditSeal, TraceRecord } from '../trace.ts';
import { WatchEvent, WatchFilter } from '../watch.ts';
import { operations } from './operation.ts';

const closed = { additionalProperties: false };

const since = Type.Optional(
  Type.Integer({ minimum: 0, description: 'Epoch milliseconds, inclusive.' }),
);
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 }));

export const CALL_OPERATIONS = operations({
  'routes.decide': {
    summary: 'Decide who should do this now, and stop there: traffic goes direct.',
    method: 'POST',
    path: '/v1/routes',
    auth: 'caller',
    audited: false,
    effect: 'read',
    input: RouteRequest,
    output: RouteAnswer,
    // A request id or key that a call used is looked up by the decision as well.
    errors: [
      'call-too-deep',
      'idempotency-in-progress',
      'idempotency-key-reused',
      'rate-limited',
      'overloaded',
    ],
    example: { capability: 'query_order_status', params: { order_no: 'ORD202501180001' } },
  },
  'routes.explain': {
    summary: 'Walk the road of a call without sending, reserving or using up anything.',
    method: 'POST',
    path: '/v1/routes/explain',
    auth: 'caller',
    audited: false,
    effect: 'read',
    input: ExplainRequest,
    output: ExplainAnswer,
    errors: ['rate-limited', 'overloaded'],
    example: { capability: 'query_order_status', params: { order_no: 'ORD202501180001' } },
  },
  'routes.choose': {
    summary:
      'Answer a question that a decision asked back: which of its options was meant, or none.',
    method: 'POST',
    path: '/v1/routes/{route_id}/choice',
    auth: 'caller',
    audited: 'door',
    effect: 'idempotent_write',
    input: Type.Object(
      {
        route_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }),
        agent_id: Type.Optional(AgentId),
        capability: Type.Optional(CapabilityName),
        none: Type.Optional(Type.Boolean({ description: 'None of the options was right.' })),
        intent: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 4096,
            description: 'What was asked; needed where another gateway asked back, or long ago.',
          }),
        ),
      },
      closed,
    ),
    output: Type.Object({
      route_id: Type.String(),
      capability: Type.Optional(CapabilityName),
      learned: Type.Enum(['counts', 'waits', 'not'], {
        description:
          'counts: it decides from now on. waits: once a second caller says alike. not: see `detail`.',
      }),
      detail: Type.String(),
    }),
    errors: ['capability-not-found', 'rate-limited', 'overloaded'],
    example: { route_id: 'rte_06F2', capability: 'query_order_status' },
  },
  'routes.watch': {
    summary: 'Every decision about a route as it is made: candidates, scores, the choice and why.',
    method: 'GET',
    path: '/v1/routes/watch',
    auth: 'operator',
    audited: false,
    effect: 'read',
    stream: 'events',
    input: Type.Object(WatchFilter, closed),
    output: WatchEvent,
    errors: ['rate-limited'],
    example: { pattern: 'query_*' },
  },
  'routes.export': {
    summary: 'The hops of the last hours, newest first, as lines of JSON or as CSV.',
    method: 'GET',
    path: '/v1/routes/export',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    stream: 'text',
    input: Type.Object(
      {
        hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_784, default: 1 })),
        format: Type.Optional(Type.Enum(['jsonl', 'csv'], { default: 'jsonl' })),
        agent: Type.Optional(AgentId),
        capability: Type.Optional(CapabilityName),
      },
      closed,
    ),
    output: TraceRecord,
    errors: ['rate-limited'],
    example: { hours: 1, format: 'csv' },
  },
  'calls.invoke': {
    summary: 'Call a capability and wait for its result.',
    method: 'POST',
    path: '/v1/calls',
    auth: 'caller',
    audited: 'road',
    effect: 'write',
    input: CallRequest,
    output: Answer,
    errors: [
      'idempotency-key-missing',
      'egress-blocked',
      'capability-not-found',
      'agent-not-found',
      'ambiguous-match',
      'outcome-unknown',
      'idempotency-in-progress',
      'confirmation-invalid',
      'stale-address',
      'idempotency-key-reused',
      'agent-rejected',
      'cancelled',
      'agent-error',
      'connect-failed',
      'bad-response',
      'schema-drift',
      'rate-limited',
      'budget-paced',
      'budget-exhausted',
      'agent-busy',
      'circuit-open',
      'draining',
      'fenced',
      'no-reachable-agent',
      'overloaded',
      'deadline-exceeded',
      'call-too-deep',
      'cycle-detected',
      'call-budget-exceeded',
    ],
    example: {
      request_id: 'req-1',
      capability: 'query_order_status',
      params: { order_no: 'ORD202501180001' },
    },
  },
  'calls.get': {
    summary: 'What became of a call, by its request id.',
    method: 'GET',
    path: '/v1/calls/{request_id}',
    auth: 'caller',
    audited: false,
    effect: 'read',
    input: Type.Object({ request_id: RequestId }, closed),
    output: Type.Object({ request_id: RequestId, hops: Type.Array(TraceRecord) }),
    errors: [],
    example: { request_id: 'req-1' },
  },
  'traces.search': {
    summary: 'Find hops by trace, request, agent, capability and time.',
    method: 'GET',
    path: '/v1/traces',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        trace_id: Type.Optional(Type.String({ maxLength: 128 })),
        request_id: Type.Optional(RequestId),
        agent: Type.Optional(AgentId),
        capability: Type.Optional(CapabilityName),
        since,
        until: since,
        limit,
      },
      closed,
    ),
    output: Type.Object({ hops: Type.Array(TraceRecord) }),
    errors: [],
    example: { agent: 'order-query-agent' },
  },
  'traces.get': {
    summary: 'All hops of one trace, in the order they began.',
    method: 'GET',
    path: '/v1/traces/{trace_id}',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object({ trace_id: Type.String({ minLength: 1, maxLength: 128 }) }, closed),
    output: Type.Object({ trace_id: Type.String(), hops: Type.Array(TraceRecord) }),
    errors: [],
    example: { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736' },
  },
  'audit.search': {
    summary: 'Who did what to whom, newest first.',
    method: 'GET',
    path: '/v1/audit',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        principal: Type.Optional(Type.String({ maxLength: 128 })),
        target: Type.Optional(Type.String({ maxLength: 128 })),
        trace_id: Type.Optional(Type.String({ maxLength: 128 })),
        request_id: Type.Optional(RequestId),
        since,
        until: since,
        limit,
      },
      closed,
    ),
    output: Type.Object({
      lines: Type.Array(Type.Intersect([AuditRecord, Type.Object({ seq: Type.Integer() })])),
    }),
    errors: [],
    example: { principal: 'customer-service' },
  },
  'audit.verify': {
    summary:
      'Whether the audit stands as it was written, by its hashes and seals, some records at a time.',
    method: 'GET',
    path: '/v1/audit/verify',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        from: Type.Optional(
          Type.Integer({
            minimum: 1,
            default: 1,
            description: 'The first number that is looked at.',
          }),
        ),
        to: Type.Optional(
          Type.Integer({ minimum: 1, description: 'The last one. Default: that of the chain.' }),
        ),
        records_max: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 50_000,
            default: 20_000,
            description: 'How many at most; the answer says where to go on.',
          }),
        ),
      },
      closed,
    ),
    output: AuditReport,
    errors: ['cancelled'],
    example: { from: 1 },
  },
  'audit.export': {
    summary:
      'Records with their hashes, and the seals of those, in the order in which they were written.',
    method: 'GET',
    path: '/v1/audit/export',
    auth: 'viewer',
    audited: false,
    effect: 'read',
    input: Type.Object(
      {
        after: Type.Optional(
          Type.Integer({ minimum: 0, default: 0, description: 'Those after this number.' }),
        ),
        limit,
      },
      closed,
    ),
    output: Type.Object({
      tenant: Type.String(),
      links: Type.Array(AuditLinkView),
      seals: Type.Array(AuditSeal),
      next: Type.Optional(
        Type.Integer({ description: 'The `after` of the next page: there may be more.' }),
      ),
    }),
    errors: [],
    example: { after: 0 },
  },
});
