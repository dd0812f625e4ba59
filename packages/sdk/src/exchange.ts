import type { IncomingHttpHeaders } from 'node:http';
import { FetchFailure, type FetchFailureKind } from '@agent-reach/core/kernel';
import type { Dispatcher } from 'undici';

/** One request to one gateway. */
export interface ExchangeRequest {
  origin: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Aborting it gives the exchange up at once, wherever it stands. */
  signal: AbortSignal;
}

/** What came back, whatever its status. */
export interface ExchangeReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * The gateway's own bound of a result is 8 MiB; lists of agents with their schemas need more room.
 */
const REPLY_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Sends one request and reads the whole answer. Rejects with `FetchFailure` only, whose `sent` is
 * exact: undici's `dispatch` tells when the request is written to a connection, which its
 * friendlier methods do not, and a caller who does not know that cannot know what may be repeated.
 */
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<ExchangeReply> {
  const reading = new Reading(request.signal);
  if (!request.signal.aborted) {
    const { origin, method, path, headers, body } = request;
    // The caller's own deadline ends the wait; undici's coarser timers would only guess at it.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    dispatcher.dispatch(
      { origin, method, path, headers, body: body ?? null, ...timeouts },
      reading,
    );
  }
  return reading.reply;
}

/** Collects one answer as undici hands it over. */
class Reading implements Dispatcher.DispatchHandler {
  readonly reply: Promise<ExchangeReply>;
  readonly #resolve: (reply: ExchangeReply) => void;
  readonly #reject: (failure: FetchFailure) => void;
  readonly #signal: AbortSignal;
  readonly #giveUp = () => this.#fail('aborted', 'The wait was cut short.');
  #controller: Dispatcher.DispatchController | undefined;
  #sent = false;
  #over = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<ExchangeReply>();
    this.reply = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    if (signal.aborted) this.#giveUp();
    else signal.addEventListener('abort', this.#giveUp, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(new Error('given up before it was sent'));
    else this.#sent = true;
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > REPLY_BYTES_MAX) {
      this.#fail('too-large', `The answer is longer than ${REPLY_BYTES_MAX} bytes.`);
    } else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#finish();
    const text = Buffer.concat(this.#chunks).toString();
    this.#resolve({ status: this.#status, headers: this.#headers, text });
  }

  onResponseError(_: unknown, error: Error & { code?: string }): void {
    this.#fail(kindOf(error, this.#sent), error.message || String(error.code), error);
  }

  #fail(kind: FetchFailureKind, message: string, cause?: unknown): void {
    if (this.#over) return;
    this.#finish();
    this.#reject(new FetchFailure(kind, this.#sent, message, cause));
    this.#controller?.abort(new Error(message));
  }

  #finish(): void {
    this.#over = true;
    this.#signal.removeEventListener('abort', this.#giveUp);
  }
}

function kindOf({ code }: { code?: string }, sent: boolean): FetchFailureKind {
  if (sent) return 'reset';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'resolve';
  return code === 'UND_ERR_INVALID_ARG' ? 'bad-url' : 'connect';
}
