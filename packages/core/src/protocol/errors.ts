import type { Executed } from './effects.ts';
import type { RateTold } from './rate.ts';

interface ErrorRow {
  /** HTTP status. */
  http: number;
  /** Whether the same request may succeed later. `by-effect`: only where the effect allows it. */
  retryable: boolean | 'by-effect';
  /** Retryable only if something was sent: before that, the cause is the request itself. */
  onceSent?: true;
  /** Unless the thrower knows better. */
  executed: Executed;
  /** Constant per code: the `title` of the problem document. */
  title: string;
}

/**
 * Every way an operation can fail: the only list. Doors map it to their protocol, the reference
 * page is drawn from it, and a test refuses a code that nothing throws. A code enters with its
 * first thrower.
 */
export const ERRORS = {
  'validation-failed': row(400, false, 'no', 'The request is malformed.'),
  'unsafe-json': row(400, false, 'no', 'The JSON cannot be read without loss.'),
  'idempotency-key-missing': row(400, false, 'no', 'A write needs an idempotency key.'),
  unauthenticated: row(401, false, 'no', 'This needs a credential.'),
  'signature-invalid': row(401, false, 'no', 'A signature or token does not verify.'),
  replayed: row(401, false, 'no', 'The signature was used before.'),
  'key-revoked': row(401, false, 'no', 'The key holds no more.'),
  'permission-denied': row(403, false, 'no', 'The credential does not allow this.'),
  'tenant-mismatch': row(403, false, 'no', 'The tenant is not the one of the credential.'),
  'identity-unmapped': row(403, false, 'no', 'No client is mapped to this identity.'),
  'egress-blocked': row(403, false, 'no', 'The egress policy forbids this address.'),
  'capability-not-found': row(404, false, 'no', 'Nobody offers this capability.'),
  'agent-not-found': row(404, false, 'no', 'No agent has this id.'),
  'task-not-found': row(404, false, 'no', 'No task has this id.'),
  'not-found': row(404, false, 'no', 'There is nothing here.'),
  'instance-conflict': row(409, false, 'no', 'Another process holds this instance.'),
  'task-conflict': row(409, false, 'no', 'The task is another one, or not in this state.'),
  'policy-conflict': row(409, false, 'no', 'Another version of the document is present.'),
  'ambiguous-match': row(409, false, 'no', 'Several capabilities match; choose one.'),
  'outcome-unknown': row(409, false, 'unknown', 'An earlier attempt may or may not have run.'),
  'lease-lost': row(409, false, 'unknown', 'Another holder has this task now.'),
  'idempotency-in-progress': row(409, true, 'no', 'The first request with this key still runs.'),
  'confirmation-invalid': row(409, false, 'no', 'The confirmation does not cover this.'),
  'payload-too-large': row(413, false, 'no', 'The body is over the limit.'),
  'unsupported-media-type': row(415, false, 'no', 'This content type is not read here.'),
  'stale-address': row(421, true, 'no', 'Another agent lives at this address now.'),
  'idempotency-key-reused': row(422, false, 'no', 'The key was used with another request.'),
  'timeout-order': row(422, false, 'no', 'Caller, gateway and agent timeouts are out of order.'),
  'manifest-refused': row(422, false, 'no', 'The manifest breaks a rule.'),
  'rule-refused': row(422, false, 'no', 'The document breaks a rule.'),
  'agent-rejected': row(422, false, 'yes', 'The agent refused the request.'),
  'rate-limited': row(429, true, 'no', 'Too many requests for one time.'),
  'budget-paced': row(429, true, 'no', 'A budget gives no more so fast.'),
  'budget-exhausted': row(429, true, 'no', 'A budget is used up for this period.'),
  cancelled: row(499, false, 'unknown', 'The caller went away.'),
  internal: row(500, false, 'unknown', 'The gateway failed.'),
  'agent-error': row(502, 'by-effect', 'unknown', 'The agent failed.'),
  'connect-failed': row(502, 'by-effect', 'no', 'No connection to the agent.'),
  'bad-response': row(502, 'by-effect', 'unknown', 'The agent answered what cannot be read.'),
  'schema-drift': row(502, 'by-effect', 'unknown', 'The result breaks the declared schema.'),
  'agent-busy': row(503, true, 'no', 'The agent takes no more work now.'),
  'circuit-open': row(503, true, 'no', 'The agent fails, and is left alone for a while.'),
  fenced: row(503, true, 'no', 'The agent is fenced off for a while.'),
  draining: row(503, true, 'no', 'The agent is leaving.'),
  'no-reachable-agent': row(503, true, 'no', 'Nobody who offers this can be reached now.'),
  overloaded: row(503, true, 'no', 'The gateway takes no more work now.'),
  'store-unavailable': row(503, true, 'no', 'The store does not answer.'),
  'storage-full': row(503, true, 'no', 'The store is full.'),
  'deadline-exceeded': {
    ...row(504, 'by-effect', 'unknown', 'The deadline passed.'),
    onceSent: true,
  },
  'call-too-deep': row(508, false, 'no', 'The call chain is too deep.'),
  'cycle-detected': row(508, false, 'no', 'The call chain runs in a circle.'),
  'call-budget-exceeded': row(508, false, 'no', 'The trace has spent its calls.'),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

/** One fault of an input: where it is (RFC 6901, as a URI fragment) and what the bound is. */
export interface Issue {
  pointer: string;
  detail: string;
}

/** What a failure carries beside its code and sentence. Every member is optional. */
export interface ErrorFacts {
  executed?: Executed;
  retryable?: boolean;
  /** Earliest useful repetition, milliseconds from now. */
  retry_after_ms?: number;
  errors?: Issue[];
  agent?: string;
  capability?: string;
  /** When the agent was last heard or measured, RFC 3339. */
  last_seen?: string;
  candidates?: unknown[];
  /** The status and code with which the target itself refused or failed. */
  downstream?: { status: number; code?: string; detail?: string };
  /** The path of a call chain that is too deep or runs in a circle. */
  path?: string[];
  limit?: number;
  /** The paces that were not kept. */
  rate_limits?: readonly RateTold[];
  size?: number;
  [extra: string]: unknown;
}

const BRAND = Symbol.for('agent-reach.error');

/** An expected failure. A broken invariant is not one: that is an `InvariantError`. */
export class ReachError extends Error {
  override readonly name = 'ReachError';
  readonly [BRAND] = true;
  readonly code: ErrorCode;
  readonly facts: Readonly<ErrorFacts>;

  /** @param detail One sentence for the caller: names the thing, the value and the bound. */
  constructor(code: ErrorCode, detail: string, facts: ErrorFacts = {}, cause?: unknown) {
    super(detail, { cause });
    this.code = code;
    this.facts = facts;
  }

  get status(): number {
    return ERRORS[this.code].http;
  }

  get executed(): Executed {
    return this.facts.executed ?? ERRORS[this.code].executed;
  }

  /**
   * Whether the same request, sent again as it is, may succeed and do no harm. Unless the thrower
   * knows the effect and says so, only what provably did not run may be repeated, whatever the code.
   */
  get retryable(): boolean {
    const { retryable, onceSent }: ErrorRow = ERRORS[this.code];
    const isUnsentRetryable = retryable !== false && onceSent !== true;
    return this.facts.retryable ?? (isUnsentRetryable && this.executed === 'no');
  }

  /** True across copies of this module: SDK and server may each bundle one. */
  static is(value: unknown): value is ReachError {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  /** Anything thrown, as a ReachError. What is not one already becomes `internal`, text withheld. */
  static from(value: unknown): ReachError {
    if (ReachError.is(value)) return value;
    return new ReachError('internal', 'The gateway failed; its log says why.', {}, value);
  }
}

function row(
  http: number,
  retryable: ErrorRow['retryable'],
  executed: Executed,
  title: string,
): ErrorRow {
  return { http, retryable, executed, title };
}
