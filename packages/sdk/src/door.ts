import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReachError } from '@agent-reach/core';
import type { Clock, Log } from '@agent-reach/core/kernel';
import { type AgentAnswer, problemAnswer } from './answer.ts';
import { atMost } from './at-most.ts';

/** A request whose body is still to be read. */
export interface DoorRequest {
  method: string;
  /** Without the query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Path and query as sent. */
  target: string;
  /** Names and values in turn, as they came. */
  rawHeaders: readonly string[];
  /** The body, however often it is asked for. Throws `payload-too-large`, `cancelled`. */
  bytes(): Promise<Uint8Array>;
  /** Aborted when the connection ends before the answer. */
  gone: AbortSignal;
}

/** Answers a request. What it throws becomes a problem document. */
export type Respond = (request: DoorRequest) => Promise<AgentAnswer>;

/** A call's parameters are a message, not a file. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** How much of a body that is too long is thrown away so that its sender can read the refusal. */
const DISCARD_BYTES_MAX = 16 * BODY_BYTES_MAX;
/** Longer than the gateway keeps an idle connection: who sends must be the one who closes. */
const KEEP_ALIVE_MS = 75_000;
/** A request that takes longer to arrive is an attack or a broken network. */
const RECEIVE_MS = 30_000;
const CLOSE_GRACE_MS = 500;

/** The HTTP server of an agent: bytes in, bytes out. Never throws for what comes in. */
export class Door {
  readonly #server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: RECEIVE_MS,
    headersTimeout: RECEIVE_MS,
  });
  readonly #respond: Respond;
  readonly #log: Log;

  constructor(respond: Respond, log: Log) {
    this.#respond = respond;
    this.#log = log;
    this.#server.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        this.#log.error({ err: error }, 'an answer could not be written');
        response.destroy();
      });
    });
  }

  /** Opens the door; the port it got. Rejects when the address is taken. */
  async listen(host: string, port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen(port, host, resolve);
    await promise;
    this.#server.off('error', reject);
    this.#server.on('error', (error) => this.#log.error({ err: error }, 'the server stumbled'));
    return (this.#server.address() as AddressInfo).port;
  }

  /**
   * Takes no new connection, lets answers under way out for a moment, then ends every connection.
   */
  async close(clock: Clock): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await atMost(clock, CLOSE_GRACE_MS, closed);
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const [path = ''] = (request.url ?? '').split('?');
    const { method = '', headers, rawHeaders, url: target = '' } = request;
    let read: Promise<Uint8Array> | undefined;
    const bytes = () => (read ??= readBytes(request));
    const asked = { method, path, target, headers, rawHeaders, bytes, gone: gone.signal };
    let answer: AgentAnswer;
    try {
      answer = await this.#respond(asked);
    } catch (error) {
      answer = problemAnswer(ReachError.is(error) ? error : this.#internal(error));
    }
    if (response.destroyed) return;
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  /** A fault of this SDK, not of a handler. */
  #internal(error: unknown): ReachError {
    this.#log.error({ err: error }, 'the agent’s own wrapper failed');
    return new ReachError('agent-error', 'The agent failed; its log says why.', {}, error);
  }
}

async function readBytes(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
      else if (bytes > DISCARD_BYTES_MAX) break;
    }
  } catch (error) {
    throw new ReachError('cancelled', 'The body broke off.', { executed: 'no' }, error);
  }
  if (bytes > BODY_BYTES_MAX) {
    const detail = `The body is longer than ${BODY_BYTES_MAX} bytes.`;
    throw new ReachError('payload-too-large', detail, { limit: BODY_BYTES_MAX });
  }
  return Buffer.concat(chunks);
}
