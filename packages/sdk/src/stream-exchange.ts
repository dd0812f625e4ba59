import { ReachError } from '@agent-reach/core';
import type { Agent } from 'undici';
import type { ExchangeRequest } from './exchange.ts';

/** Three pings of the gateway that did not come: the connection is gone, whoever has not said so. */
const SILENCE_MS = 45_000;
/** A gateway that does not begin to answer in this time is left for another. */
const BEGIN_MS = 10_000;
/** A refusal is short; what is longer is no word of ours. */
const TEXT_CHARS_MAX = 65_536;

/** An answer whose body is still to come. */
export interface StreamReply {
  status: number;
  /** In seconds, as the header says. */
  retryAfter: string | undefined;
  /** The whole body, of an answer that is no stream. */
  text(): Promise<string>;
  /** The body as it comes. Throws when it breaks off. */
  pieces(): AsyncGenerator<string>;
  /** Lets the connection go, wherever it stands. */
  close(): void;
}

/** Sends one request and answers once its head is there. Throws `connect-failed`. */
export async function openExchange(pools: Agent, request: ExchangeRequest): Promise<StreamReply> {
  const { origin, method, path, headers, signal } = request;
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  const timeouts = { headersTimeout: BEGIN_MS, bodyTimeout: SILENCE_MS };
  try {
    const reply = await pools.request({
      origin,
      method,
      path,
      headers,
      signal: until,
      ...timeouts,
    });
    const { statusCode: status, body } = reply;
    const retryAfter = reply.headers['retry-after'];
    body.on('error', () => {}); // Told to whoever reads; nobody may be reading.
    const pieces = async function* () {
      const decoder = new TextDecoder();
      for await (const chunk of body) yield decoder.decode(chunk as Buffer, { stream: true });
    };
    return {
      status,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      async text() {
        let text = '';
        for await (const piece of pieces()) {
          text += piece;
          if (text.length > TEXT_CHARS_MAX) break;
        }
        return text;
      },
      pieces,
      close: () => over.abort(),
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ReachError('connect-failed', `${origin} opened no stream: ${why}.`, {}, error);
  }
}
