import { choice, duration, integer, list } from '@agent-reach/core/kernel';

/** What new work is held to before anything else. 0 turns each off. */
export const LIMIT_OPTIONS = {
  clientQps: integer({
    key: 'limits.client.qps',
    default: 0,
    min: 0,
    max: 1_000_000,
    doc: 'Calls, decisions and submissions a second of each principal, all gateways of a store together; 0: any number. Asks the store once more for each of them.',
  }),
  tenantQps: integer({
    key: 'limits.tenant.qps',
    default: 0,
    min: 0,
    max: 1_000_000,
    doc: 'The same of each tenant as a whole; 0: any number.',
  }),
  authFailures: integer({
    key: 'limits.auth.failures',
    default: 60,
    min: 0,
    max: 1_000_000,
    doc: 'Wrong credentials a minute of one address (of IPv6 a /64) that are told what is wrong; more get 429 and a line in the log. A right credential goes through whatever others at its address do. Each gateway counts for itself; 0: any number.',
  }),
  tenantStreams: integer({
    key: 'limits.tenant.streams',
    default: 200,
    min: 1,
    max: 100_000,
    doc: 'Streams (changes of agents, the live watch, exports) that a tenant may have open at one gateway; more get 429. Each holds a socket, and up to a megabyte for a reader that is slow.',
  }),
  delayMs: duration({
    key: 'overload.delay',
    default: 200,
    min: 0,
    max: 60_000,
    doc: 'How late the process may be with its work (99 of 100 turns of its loop) before it takes in nothing new of priority 0; of priority 10 at twice that, calls are 5. Less keeps answers quick and turns more away; 0: everything is taken in.',
  }),
} as const;

/** How a spent budget is told. */
const budgetOptions = {
  budgetStatus: choice({
    key: 'budget.over_status',
    words: ['429', '200'],
    default: '429',
    doc: 'What a call is answered for which a budget has not enough. `429`: a problem, so that proxies and any client take it for what it is. `200`: an answer of status `degraded`, for callers that read bodies alone; nothing on the way then sees that the call was not made.',
  }),
} as const;

/** Settings of policy. */
export const POLICY_OPTIONS = {
  ...budgetOptions,
  authorities: list({
    key: 'public.authorities',
    default: [],
    doc: 'Host names, with their port where it is not 80 or 443, under which this gateway is reached. A signature for any other host is refused. Empty: a signature for any host is taken, so that what was sent to another gateway with the same clients verifies here as well.',
  }),
  depthMax: integer({
    key: 'call.depth.max',
    default: 5,
    min: 1,
    max: 32,
    doc: 'Longest chain of calls. Deeper chains are loops more often than plans, and each step makes the call token, a header, longer.',
  }),
  traceCallsMax: integer({
    key: 'call.trace.max',
    default: 64,
    min: 1,
    max: 100_000,
    doc: 'Calls one trace may make within `call.trace.window`, all branches together: a depth of 5 with 10 branches each would be 100,000.',
  }),
  traceWindowMs: duration({
    key: 'call.trace.window',
    default: 30_000,
    min: 1_000,
    max: 3_600_000,
    doc: 'How long the calls of a trace are counted together, from its first.',
  }),
  keyRetentionMs: duration({
    key: 'idempotency.retention',
    default: 86_400_000,
    min: 60_000,
    max: 2_592_000_000,
    doc: 'How long the first answer under a key is kept. Longer protects late repeats and costs disk: one answer a key.',
  }),
  keyClaimMinMs: duration({
    key: 'idempotency.claim.min',
    default: 60_000,
    min: 1_000,
    max: 3_600_000,
    doc: 'How long a key counts as in progress when the gateway that works on it goes silent.',
  }),
  answerBytesMax: integer({
    key: 'idempotency.answer.max',
    default: 262_144,
    min: 1_024,
    max: 8_388_608,
    doc: 'Largest answer kept under a key, bytes. A larger one is answered once; its repeat gets 409 outcome-unknown.',
  }),
} as const;
