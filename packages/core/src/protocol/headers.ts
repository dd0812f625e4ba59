/**
 * Every header we own or read, in one place, lower-case as on the wire. What a caller may say is
 * read by name where it is judged (policy/envelope.ts); an inbound copy of any other is ignored,
 * and no inbound header is ever passed on.
 */
export const HEADERS = {
  idempotencyKey: 'idempotency-key',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
  deadlineMs: 'reach-deadline-ms',
  attempt: 'reach-attempt',
  lease: 'reach-lease',
  leaseMs: 'reach-lease-ms',
  taskId: 'reach-task-id',
  taskDeadlineMs: 'reach-task-deadline-ms',
  callToken: 'reach-call-token',
  tenant: 'reach-tenant',
  requestId: 'reach-request-id',
  caller: 'reach-caller',
  capability: 'reach-capability',
  onBehalfOf: 'reach-on-behalf-of',
  userStamp: 'reach-user-stamp',
  sourceId: 'reach-source-id',
  confirmation: 'reach-confirmation',
  instance: 'reach-instance',
  addrVersion: 'reach-addr-version',
  fenceEpoch: 'reach-fence-epoch',
  degraded: 'reach-degraded',
  replayed: 'idempotency-replayed',
  originalCaller: 'x-agent-reach-original-caller',
  retryAfter: 'retry-after',
  rateLimit: 'ratelimit',
  rateLimitPolicy: 'ratelimit-policy',
} as const;
