import { FetchFailure, invariant } from '@agent-reach/core/kernel';
import type { Endpoint } from './endpoints.ts';
import type { ExchangeReply } from './exchange.ts';

// Design. Gateways of one store are equal, so a request may go to any of them. What may go to a
// second one after a first is the one rule of retries, read from the sender's side:
//
//   never sent                       another gateway, at once: that is no retry
//   refused by the gateway itself    another one, if one is well: nothing ran
//   sent, and the connection broke   another one, if the request may be repeated; else the sender
//                                    is told that nobody knows
//   no answer until the deadline     nothing: the time is over
//
// Each endpoint is asked once, one whose connection broke once more after all others. So a request
// costs at most two messages an endpoint, all within its one deadline.

/** A gateway's answer. */
export interface GatewayReply extends ExchangeReply {
  /** Whether it is about the second of two. Then its `executed: no` says nothing of the first. */
  isRepeat: boolean;
}

/** One endpoint that gave no answer, and why. */
export interface Try {
  endpoint: string;
  failure: FetchFailure;
}

/** No gateway answered. `sent`: one of them may have got the request. */
export class Unanswered extends FetchFailure {
  readonly tries: readonly Try[];

  constructor(tries: readonly Try[], isRepeat: boolean) {
    const last = tries.at(-1)?.failure;
    invariant(last !== undefined, 'there is at least one endpoint');
    super(last.kind, isRepeat || last.sent, last.message, last);
    this.tries = tries;
  }
}

/** What a course needs to know of its request. */
export interface CourseOptions {
  /** Sending it again does no harm (`mayRepeat`). */
  mayRepeat: boolean;
  /** It has been sent before, and nobody knows whether it was carried out. */
  isRepeat: boolean;
}

/** The way of one request from endpoint to endpoint, to an answer or to none. */
export class Course {
  readonly #queue: Endpoint[];
  readonly #mayRepeat: boolean;
  readonly #tries: Try[] = [];
  readonly #broken = new Set<Endpoint>();
  #refusal: ExchangeReply | undefined;
  #isRepeat: boolean;

  /** @param inTurn The endpoints, the first to ask first. */
  constructor(inTurn: readonly Endpoint[], { mayRepeat, isRepeat }: CourseOptions) {
    this.#queue = [...inTurn];
    this.#mayRepeat = mayRepeat;
    this.#isRepeat = isRepeat;
  }

  /** Whether the request may have been carried out before it is sent now. */
  get isRepeat(): boolean {
    return this.#isRepeat;
  }

  /** Whom to ask now; undefined: nobody is left. */
  next(): Endpoint | undefined {
    const endpoint = this.#queue.shift();
    // After a no, only those that are well are asked: the others would cost a wait.
    const isWorthIt = this.#refusal === undefined || endpoint?.failures === 0;
    return isWorthIt ? endpoint : undefined;
  }

  /** It answered that it takes no work now. */
  refused(reply: ExchangeReply): void {
    this.#refusal = reply;
  }

  /** It gave no answer. Throws `Unanswered` when that is the end of it. */
  failed(endpoint: Endpoint, failure: FetchFailure): void {
    this.#tries.push({ endpoint: endpoint.url.href, failure });
    const mayGoOn = !isFinal(failure) && (!failure.sent || this.#mayRepeat);
    if (!mayGoOn) throw new Unanswered(this.#tries, this.#isRepeat);
    if (!failure.sent) return;
    if (!this.#broken.has(endpoint)) this.#queue.push(endpoint);
    this.#broken.add(endpoint);
    this.#isRepeat = true;
  }

  answered(reply: ExchangeReply): GatewayReply {
    return { ...reply, isRepeat: this.#isRepeat };
  }

  /** What there is when nobody is left: a refusal, or nothing, which is thrown. */
  end(): GatewayReply {
    if (this.#refusal !== undefined) return this.answered(this.#refusal);
    throw new Unanswered(this.#tries, this.#isRepeat);
  }
}

/** Failures of the request or of the wait, which no other gateway would mend. */
function isFinal({ kind }: FetchFailure): boolean {
  return kind === 'aborted' || kind === 'too-large' || kind === 'bad-url';
}
