import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import {
  type ByeReason,
  byeText,
  eventText,
  failureText,
  ReachError,
  type StreamEvent,
  type TextStream,
} from '@agent-reach/core';
import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import type { FastifyReply } from 'fastify';

/** What streams need of the door. */
export interface StreamPorts {
  clock: Clock;
  random: Random;
  log: Log;
  streams: OpenStreams;
}

/** Proxies cut a connection that is silent for a minute, most of them. */
const PING_MS = 15_000;
/** A reader that takes nothing for so long is gone, or as good as gone. */
const STUCK_MS = 30_000;
/** After this a reader comes anew: so that the readers spread over gateways that came later. */
const AGE_MS = 3_600_000;
const AGE_JITTER = 0.1;
/** When a reader whose connection is gone comes again: not all of them at once. */
const RETRY_MIN_MS = 2_000;
const RETRY_MAX_MS = 5_000;

type Why = ByeReason | 'stuck';

/** Every stream of a listener, so that they end when it stops. */
export class OpenStreams {
  readonly #open = new Set<AbortController>();
  #isStopping = false;

  /** Aborted when the stream is to end, with the reason. */
  open(): AbortController {
    const ending = new AbortController();
    if (this.#isStopping) ending.abort('stopping' satisfies Why);
    this.#open.add(ending);
    return ending;
  }

  close(ending: AbortController): void {
    this.#open.delete(ending);
  }

  /** Ends all, and each that is opened later. */
  stop(): void {
    this.#isStopping = true;
    for (const ending of this.#open) ending.abort('stopping' satisfies Why);
  }
}

/** An answer that goes on: until its reader leaves, or the stream is ended here. */
export async function sendStream(
  kind: 'events' | 'text',
  from: (signal: AbortSignal) => Promise<unknown>,
  { reply, gone }: { reply: FastifyReply; gone: AbortSignal },
  ports: StreamPorts,
): Promise<FastifyReply> {
  const ending = ports.streams.open();
  try {
    const output = await from(AbortSignal.any([gone, ending.signal]));
    if (kind === 'text') await sendText(reply, output as TextStream, ending, ports);
    else await sendEvents(reply, output as Events, ending, ports);
    return reply;
  } finally {
    ports.streams.close(ending);
    // Whatever was kept for it is let go, even if nothing of it was ever read.
    ending.abort('ended' satisfies Why);
  }
}

type Events = AsyncIterable<StreamEvent<{ type: string }>>;

/**
 * Writes events as they come, as fast as the reader takes them: the next one is asked for when the
 * last one has left, so what waits is bounded where it is made, and nothing is gathered here.
 */
async function sendEvents(
  reply: FastifyReply,
  events: Events,
  ending: AbortController,
  ports: StreamPorts,
): Promise<void> {
  const raw = begin(reply, {
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  });
  const { clock, random } = ports;
  const retryMs = Math.round(RETRY_MIN_MS + random.next() * (RETRY_MAX_MS - RETRY_MIN_MS));
  const ageMs = AGE_MS * (1 - AGE_JITTER + 2 * AGE_JITTER * random.next());
  using timers = new DisposableStack();
  timers.use(clock.timer(ageMs, () => ending.abort('max-age' satisfies Why)));
  timers.use(pings(raw, clock));
  raw.write(`retry: ${retryMs}\n\n`);
  try {
    for await (const event of events) {
      if (!(await written(raw, eventText(event), ending, clock))) break;
    }
    const { aborted, reason } = ending.signal;
    if (reason === 'stuck') raw.destroy();
    else raw.end(byeText(aborted ? (reason as ByeReason) : 'ended', retryMs));
  } catch (thrown) {
    const error = ReachError.from(thrown);
    if (error.code === 'internal') ports.log.error({ err: thrown }, 'a stream failed');
    raw.end(failureText(error));
  }
}

/** Writes a body piece by piece. One that breaks off is cut, so that nobody takes it for whole. */
async function sendText(
  reply: FastifyReply,
  { type, parts }: TextStream,
  ending: AbortController,
  ports: StreamPorts,
): Promise<void> {
  const pieces = parts[Symbol.asyncIterator]();
  // What fails at once is a problem like any other.
  let piece = await pieces.next();
  const raw = begin(reply, { 'content-type': type });
  try {
    for (; piece.done !== true; piece = await pieces.next()) {
      if (!(await written(raw, piece.value, ending, ports.clock))) break;
    }
    if (ending.signal.aborted || raw.destroyed) raw.destroy();
    else raw.end();
  } catch (thrown) {
    const error = ReachError.from(thrown);
    // Whoever may read it no longer is no failure of ours.
    if (error.status < 500) ports.log.info({ code: error.code }, 'a body was cut off');
    else ports.log.error({ err: thrown }, 'a body broke off');
    raw.destroy();
  } finally {
    await pieces.return?.();
  }
}

function begin(reply: FastifyReply, headers: Record<string, string>): ServerResponse {
  const told = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  // Its connection is used for nothing else, and a stop need not wait until it is idle.
  const own = { 'cache-control': 'no-store', connection: 'close' };
  reply.raw.writeHead(200, { ...told, ...own, ...headers });
  return reply.raw;
}

function pings(raw: ServerResponse, clock: Clock): Disposable {
  let timer: Disposable;
  const later = () => {
    timer = clock.timer(PING_MS, () => {
      // Whoever takes nothing needs no sign of life, but time.
      if (!raw.writableNeedDrain) raw.write(': ping\n\n');
      later();
    });
  };
  later();
  return { [Symbol.dispose]: () => timer[Symbol.dispose]() };
}

/** Whether the reader has room for more; false: he is gone, is stuck, or the stream is to end. */
async function written(
  raw: ServerResponse,
  text: string,
  ending: AbortController,
  clock: Clock,
): Promise<boolean> {
  const { signal } = ending;
  if (raw.destroyed || signal.aborted) return false;
  if (raw.write(text)) return true;
  using _ = clock.timer(STUCK_MS, () => ending.abort('stuck' satisfies Why));
  const gone = new AbortController();
  const leave = () => gone.abort();
  raw.once('close', leave);
  try {
    await once(raw, 'drain', { signal: AbortSignal.any([signal, gone.signal]) });
    return true;
  } catch {
    return false;
  } finally {
    raw.off('close', leave);
  }
}
