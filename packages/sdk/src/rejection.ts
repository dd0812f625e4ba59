import type { ErrorFacts } from '@agent-reach/core';

const BRAND = Symbol.for('agent-reach.rejection');

/** The default: well-formed, understood, and refused. */
const STATUS = 422;
/** By these an agent says that nothing ran, and the gateway may ask again. A handler did run. */
const NOT_RUN: readonly number[] = [401, 403, 421, 429];

/**
 * A handler's own final verdict that the answer is no: the order does not exist, the account is
 * closed. Callers get it as `agent-rejected` with this code and sentence, and nobody asks again:
 * the handler ran. Anything else that a handler throws is a failure, whose text stays here.
 */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  readonly [BRAND] = true;
  /** The agent's own word, in kebab-case: `order-not-found`. */
  readonly code: string;
  /** 400 to 499, without those that say that nothing ran: 401, 403, 421, 429. */
  readonly status: number;
  readonly facts: Readonly<ErrorFacts>;

  /** @param detail One sentence for the caller: names the thing, the value and the bound. */
  constructor(code: string, detail: string, more: { status?: number; facts?: ErrorFacts } = {}) {
    super(detail);
    const { status = STATUS, facts = {} } = more;
    if (!Number.isInteger(status) || status < 400 || status > 499 || NOT_RUN.includes(status)) {
      throw new TypeError(
        `A rejection has a status from 400 to 499 that is a verdict, not ${status}.`,
      );
    }
    this.code = code;
    this.status = status;
    this.facts = facts;
  }

  /** True across copies of this module: an agent and a library of its own may each bring one. */
  static is(value: unknown): value is Rejection {
    return typeof value === 'object' && value !== null && BRAND in value;
  }
}
