import {
  EventReader,
  type Input,
  type Output,
  ReachError,
  type StreamName,
} from '@agent-reach/core';
import { fullJitterMs } from '@agent-reach/core/kernel';
import type { Gateways, OpenReply } from './gateways.ts';
import type { Ports } from './ports.ts';
import { fromReply, toRequest } from './wire.ts';

/** How a stream is read. */
export interface StreamOptions {
  /** Ends it; what is read from it then simply ends. */
  signal?: AbortSignal | undefined;
}

/** Opens the streams of the table. */
export interface OpenStream {
  events<K extends StreamName<'events'>>(
    name: K,
    input: Input<K>,
    options?: StreamOptions,
  ): AsyncGenerator<Output<K>>;
  text<K extends StreamName<'text'>>(
    name: K,
    input: Input<K>,
    options?: StreamOptions,
  ): AsyncGenerator<string>;
}

/** Waits before all gateways are asked once more. */
const BACKOFF = { baseMs: 500, maxMs: 30_000 };
/** The longest wait that a gateway may ask for. */
const RETRY_MS_MAX = 60_000;

/** What streams work with. */
export interface StreamPorts {
  gateways: Gateways;
  ports: Ports;
  /** What every request carries. */
  headers: () => Record<string, string>;
}

/**
 * Reads streams. One of events goes on when its connection breaks or its gateway stops: at another
 * gateway, from where it stood as far as that one knows. A first connection that nobody takes, and a
 * refusal that no waiting mends, are thrown.
 */
export function streamsOf(of: StreamPorts): OpenStream {
  return {
    events: (name, input, options = {}) => readEvents(name, input, options, of),
    text: (name, input, options = {}) => readText(name, input, options, of),
  };
}

async function* readEvents<K extends StreamName<'events'>>(
  name: K,
  input: Input<K>,
  { signal = new AbortController().signal }: StreamOptions,
  of: StreamPorts,
): AsyncGenerator<Output<K>> {
  const { clock, random } = of.ports;
  const place: Place = { lastId: undefined, isFirst: true, failures: 0 };
  while (!signal.aborted) {
    let waitMs: number | undefined;
    try {
      const reply = await openAt(name, input, { ...place, signal }, of);
      waitMs = yield* eventsIn<Output<K>>(reply, place);
    } catch (error) {
      if (signal.aborted) return;
      if (place.isFirst || !isPassing(error)) throw error;
      waitMs = error.facts.retry_after_ms;
    }
    if (signal.aborted) return;
    place.failures += 1;
    const pauseMs = waitMs ?? fullJitterMs(BACKOFF, place.failures, random);
    await clock.sleep(Math.min(pauseMs, RETRY_MS_MAX), signal).catch(() => {}); // The loop looks.
  }
}

/** Where a reader stands. */
interface Place {
  lastId: string | undefined;
  /** No gateway has answered yet. */
  isFirst: boolean;
  /** Connections in a row that brought nothing. */
  failures: number;
}

async function openAt<K extends StreamName>(
  name: K,
  input: Input<K>,
  { lastId, signal }: Pick<Place, 'lastId'> & { signal: AbortSignal },
  { gateways, headers }: StreamPorts,
): Promise<OpenReply> {
  const own = { ...headers(), accept: 'text/event-stream, application/problem+json' };
  const { method, path } = toRequest(name, input);
  const from = lastId === undefined ? {} : { 'last-event-id': lastId };
  const reply = await gateways.open({ method, path, headers: { ...own, ...from }, signal });
  if (reply.status === 200) return reply;
  const { status, retryAfter } = reply;
  fromReply(name, { status, retryAfter, text: await reply.text() });
  throw new ReachError('bad-response', `${name}: what answered ${status} is no stream.`);
}

/** The events of one connection; answers how long to wait for the next one. */
async function* eventsIn<T>(reply: OpenReply, place: Place): AsyncGenerator<T, number | undefined> {
  const reader = new EventReader();
  place.isFirst = false;
  try {
    for await (const piece of reply.pieces()) {
      for (const received of reader.read(piece)) {
        if (received.is === 'error') throw received.error;
        if (received.is === 'bye') {
          // Whoever stops is left where there is another; else it says when to come.
          reply.failed();
          return reply.isOnlyOne ? received.retryMs : undefined;
        }
        place.failures = 0;
        place.lastId = received.id ?? place.lastId;
        yield received.data as T;
      }
    }
  } catch (error) {
    if (ReachError.is(error) && error.code !== 'connect-failed') throw error;
  } finally {
    reply.close();
  }
  reply.failed();
  return undefined;
}

async function* readText<K extends StreamName<'text'>>(
  name: K,
  input: Input<K>,
  { signal = new AbortController().signal }: StreamOptions,
  of: StreamPorts,
): AsyncGenerator<string> {
  const reply = await openAt(name, input, { lastId: undefined, signal }, of);
  try {
    yield* reply.pieces();
  } catch (error) {
    if (ReachError.is(error)) throw error;
    throw new ReachError('bad-response', `${name} broke off before its end.`, {}, error);
  } finally {
    reply.close();
  }
}

/** A failure of the way, or of gateways that will be well again. */
function isPassing(error: unknown): error is ReachError {
  return ReachError.is(error) && (error.status >= 500 || error.retryable);
}
