import {
  type Clock,
  FetchFailure,
  type FetchFailureKind,
  type FetchRequest,
  type FetchResponse,
} from '@agent-reach/core/kernel';
import type { Dispatcher } from 'undici';

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

const NO_BODY = new Uint8Array(0);

/**
 * One request and its answer, and every way it can end; as undici's handler, the cheapest of its
 * interfaces. Settles once: by the answer, a failure, its own timer or the caller's signal,
 * whatever comes first.
 *
 * `sent` turns true when undici is about to write the first byte (`onRequestStart`): there is no
 * later moment at which it is still certain that nothing has left.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<FetchResponse>;
  readonly #request: FetchRequest;
  readonly #timer: Disposable;
  #resolve!: (response: FetchResponse) => void;
  #reject!: (failure: FetchFailure) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #status = 0;
  #headers: Record<string, string> = {};
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(request: FetchRequest, clock: Clock) {
    this.#request = request;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // One timer over everything, since undici's pause while a body is read slowly.
    this.#timer = clock.timer(request.timeoutMs, () => {
      this.fail('timeout', `No whole answer within ${request.timeoutMs} ms.`);
    });
    const { signal } = request;
    if (signal?.aborted === true) this.handleEvent();
    else signal?.addEventListener('abort', this);
  }

  get settled(): boolean {
    return this.#settled;
  }

  /** Ends the exchange without an answer, unless it has ended. Closes the connection if it has one. */
  fail(kind: FetchFailureKind, message: string, cause?: unknown): void {
    this.failWith(new FetchFailure(kind, this.#controller !== undefined, message, cause));
  }

  /** As `fail`, with a failure that knows itself what was sent. */
  failWith(failure: FetchFailure): void {
    if (!this.#settle()) return;
    this.#chunks = [];
    this.#reject(failure);
    this.#controller?.abort(failure);
  }

  /** The caller's signal. The exchange itself is the listener: a function more a call adds up. */
  handleEvent(): void {
    this.fail('aborted', 'The caller went away.', this.#request.signal?.reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Throwing drops the request before a byte of it is written, and keeps the connection, which an
    // abort would close. A second start would be a repetition, which is not ours to decide.
    if (this.#settled || this.#controller !== undefined) throw new Error('not to be sent');
    this.#controller = controller;
  }

  /** Comes again for each interim answer (103 Early Hints) before the one that counts. */
  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    this.#status = status;
    this.#headers = joined(headers);
    const { method, responseBytesMax } = this.#request;
    if (method === 'HEAD' || status === 304) return; // They tell the length of a body they do not have.
    if (Number(this.#headers['content-length'] ?? 0) > responseBytesMax) this.#failTooLarge();
  }

  onResponseData(_controller: unknown, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#request.responseBytesMax) this.#failTooLarge();
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    const chunks = this.#chunks;
    const body = chunks.length > 1 ? Buffer.concat(chunks, this.#bytes) : (chunks[0] ?? NO_BODY);
    this.#resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (error instanceof FetchFailure) this.failWith(error);
    else this.fail(kindOf(error), `The exchange broke: ${error.message}.`, error);
  }

  #failTooLarge(): void {
    const { responseBytesMax } = this.#request;
    this.fail('too-large', `The answer is larger than ${responseBytesMax} bytes.`);
  }

  /** True once: from then on nothing reaches the caller, and nothing is held for it. */
  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#timer[Symbol.dispose]();
    this.#request.signal?.removeEventListener('abort', this);
    return true;
  }
}

/** undici's own list of headers, with the repeated ones joined in place. */
function joined(headers: Headers): Record<string, string> {
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (Array.isArray(value)) headers[name] = value.join(', ');
  }
  return headers as Record<string, string>;
}

/** What undici's codes mean here. All others are breaks of the connection or of the protocol. */
const KINDS: Readonly<Record<string, FetchFailureKind>> = {
  // A header or a path that cannot be written: the kind for what nobody could send.
  UND_ERR_INVALID_ARG: 'bad-url',
  UND_ERR_NOT_SUPPORTED: 'bad-url',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
};

function kindOf(error: Error & { code?: string }): FetchFailureKind {
  return KINDS[error.code ?? ''] ?? 'reset';
}
