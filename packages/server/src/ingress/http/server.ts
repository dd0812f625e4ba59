import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Asker,
  demand,
  HEADERS,
  rateHeaders,
  type RateTold,
  OPERATIONS,
  type Operation,
  type OperationName,
  PROBLEM_TYPE,
  ReachError,
  type SignedMessage,
  toProblem,
} from '@agent-reach/core';
import {
  type Clock,
  invariant,
  type Log,
  type Random,
  type Service,
} from '@agent-reach/core/kernel';
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyHttpOptions,
} from 'fastify';
import { askerOf, messageOf } from './asker.ts';
import { type Proxies, readProxies } from './client-address.ts';
import { originOf } from './origin.ts';
import { demandPlain, type LenientBody, readBody, readBodyBut } from './read-body.ts';
import { readInput } from './read-input.ts';
import { OpenStreams, sendStream } from './stream.ts';
import { paced } from './paced.ts';
import { followTls, type TlsSource, withTls } from './tls.ts';

/** What an operation is given to: authentication, roles, handler and audit are behind it. */
export type Dispatch = (
  name: OperationName,
  input: Record<string, unknown>,
  asker: Omit<Asker, 'tenant' | 'principal'>,
  message: () => SignedMessage,
) => Promise<unknown>;

/** What the HTTP door needs. */
export interface HttpPorts {
  dispatch: Dispatch;
  clock: Clock;
  random: Random;
  log: Log;
  listeners: { host: string; port: number }[];
  bodyBytesMax: number;
  bodyDepthMax: number;
  requestTimeoutMs: number;
  /** Scheme and host under which clients reach the gateway; empty: what they say in `Host`. */
  publicUrl: string;
  /** Proxies that are believed, as CIDR blocks. */
  trustProxy: readonly string[];
  /** What the listeners show for TLS; absent: they speak without. */
  tls?: TlsSource | undefined;
  /** Whether an issuer's tokens are taken, of whom a 401 tells. */
  hasIssuer: boolean;
}

/** Where the door listens, once it does. */
export type HttpDoor = Service & { addresses(): string[] };

/** When to come back after a 503 that does not say. */
const RETRY_AFTER_MS = 1_000;
/** How long the last answers may take to get out before their connections are ended. */
const CLOSE_GRACE_MS = 500;

/**
 * The HTTP door: one server a listener, each with a route for every operation of the table.
 *
 * It stops in this order: no new connection, then every handler to its end, whether its caller is
 * still there or not (a write that was begun is ended and kept), then every connection. Those that
 * never sent a whole request are ended too: nothing else would, and one of them would hold the
 * process for ever.
 */
export function httpDoor(ports: HttpPorts): HttpDoor {
  let servers: FastifyInstance[] = [];
  let following = new DisposableStack();
  const running = new Running();
  const dispatch = running.through(ports.dispatch);
  const stop = async () => {
    const closing = servers;
    servers = [];
    following.dispose();
    following = new DisposableStack();
    running.isOpen = false;
    const closed = Promise.all(closing.map((server) => server.close()));
    await running.ended();
    await Promise.race([closed, ports.clock.sleep(CLOSE_GRACE_MS)]);
    for (const { server } of closing) server.closeAllConnections();
    await closed;
  };
  return {
    async start() {
      running.isOpen = true;
      for (const { host, port } of ports.listeners) {
        const server = buildServer({ ...ports, dispatch });
        servers.push(server);
        if (ports.tls !== undefined) following.use(followTls(server, ports.tls));
        try {
          await server.listen({ host, port });
        } catch (error) {
          await stop();
          throw listenError(error, host, port);
        }
      }
    },
    stop,
    addresses: () =>
      servers.map((server) => {
        const scheme = ports.tls === undefined ? 'http' : 'https';
        return `${scheme}://${placeOf(server.server.address() as AddressInfo)}`;
      }),
  };
}

/**
 * Counts what runs behind the door, so that stopping can wait for it. A number and no set: a set
 * that is added to and taken from at every call holds on to calls that are long over (its old
 * tables do, until the whole heap is collected), and that cost a tenth of a call.
 */
class Running {
  /** While false, nothing more is begun: for requests on connections that were open already. */
  isOpen = true;
  #count = 0;
  #ended: PromiseWithResolvers<void> | undefined;

  /** The same dispatch, counted. */
  through(dispatch: Dispatch): Dispatch {
    return async (name, input, asker, message) => {
      if (!this.isOpen) throw stopping();
      this.#count += 1;
      try {
        return await dispatch(name, input, asker, message);
      } finally {
        this.#count -= 1;
        if (this.#count === 0) this.#ended?.resolve();
      }
    };
  }

  async ended(): Promise<void> {
    if (this.#count === 0) return;
    this.#ended ??= Promise.withResolvers();
    await this.#ended.promise;
    this.#ended = undefined;
  }
}

function stopping(): ReachError {
  return new ReachError('overloaded', 'The gateway is stopping.', { retry_after_ms: 1_000 });
}

function placeOf({ address, port, family }: AddressInfo): string {
  return `${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function listenError(error: unknown, host: string, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const why = code === 'EACCES' ? 'may not be used by this user' : 'is in use by another process';
  return new ReachError(
    'internal',
    `${host}:${port} ${why}. Stop it, or set another port (--port, --agent-port).`,
    {},
    error,
  );
}

/** One Fastify with its traps off: no coercion, no removal, no forgiving parser, no request log. */
export function buildServer(ports: HttpPorts): FastifyInstance {
  const options: FastifyHttpOptions<Server> = {
    logger: false,
    bodyLimit: ports.bodyBytesMax,
    requestTimeout: ports.requestTimeoutMs,
    http: paced(ports.requestTimeoutMs),
    forceCloseConnections: 'idle',
    // Its body would be no problem document; the door refuses by itself.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 256 },
    // The seeds write /api/v1 in places; it is the same door.
    rewriteUrl: (request) => {
      const url = request.url ?? '/';
      return url.startsWith('/api/v1/') ? url.slice(4) : url;
    },
  };
  const server = fastify(withTls(options, ports.tls));
  let isClosing = false;
  const streams = new OpenStreams();
  server.addHook('preClose', (done) => {
    isClosing = true;
    streams.stop();
    done();
  });
  // An answer that was under way when the server began to close leaves nothing open behind it.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (isClosing) reply.header('connection', 'close');
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  server.setErrorHandler((error, request, reply) =>
    sendProblem(reply, toReachError(error, request.headers['content-length'], ports), ports),
  );
  server.setNotFoundHandler((request, reply) => sendProblem(reply, notServed(request), ports));
  const proxies = readProxies(ports.trustProxy);
  invariant(proxies !== undefined, 'the option holds networks alone');
  for (const [name, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    addRoute(server, name, operation, { ...ports, proxies, streams });
  }
  return server;
}

/** What a route needs, with what was read from it once. */
type RoutePorts = HttpPorts & { proxies: Proxies; streams: OpenStreams };

function addRoute(
  server: FastifyInstance,
  name: OperationName,
  operation: Operation,
  ports: RoutePorts,
): void {
  server.route({
    method: operation.method,
    url: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    handler: async (request, reply) => {
      const { value: body, unsafe } = bodyOf(request, operation, ports.bodyDepthMax);
      const input = readInput(operation, {
        path: request.params as Record<string, string>,
        query: request.query as Record<string, unknown>,
        body,
      });
      demand(operation.input, input, 'The request');
      const asker = askerOf(request, reply, ports);
      const message = () => messageOf(request);
      if (operation.stream !== undefined) {
        const from = (signal: AbortSignal) =>
          ports.dispatch(name, input, { ...asker, signal }, message);
        return sendStream(operation.stream, from, { reply, gone: asker.signal }, ports);
      }
      try {
        const from = unsafe ? { ...asker, unsafe } : asker;
        const output = await ports.dispatch(name, input, from, message);
        tellRates(reply, asker.told.rates ?? []);
        return sendOutput(reply, operation, output);
      } catch (error) {
        // What he kept is told him of a failure, too, beside what he did not.
        const missed = ReachError.is(error) ? (error.facts.rate_limits ?? []) : [];
        tellRates(reply, [...(asker.told.rates ?? []), ...missed]);
        throw error;
      }
    },
  });
}

function bodyOf(
  request: FastifyRequest,
  { unsafeField }: Operation,
  depthMax: number,
): LenientBody {
  const body = request.body as Buffer | undefined | null;
  if (body === undefined || body === null || body.length === 0) return { value: undefined };
  demandPlain(request.headers['content-encoding']);
  const type = request.headers['content-type'];
  return unsafeField === undefined
    ? { value: readBody(body, type, depthMax) }
    : readBodyBut(unsafeField, body, type, depthMax);
}

const METADATA = OPERATIONS['system.resource-metadata'].path;

function tellWait(reply: FastifyReply, waitMs: number): void {
  reply.header(HEADERS.retryAfter, String(Math.ceil(waitMs / 1000)));
}

function tellRates(reply: FastifyReply, told: readonly RateTold[]): void {
  if (told.length === 0) return;
  const { policy, limit } = rateHeaders(told);
  reply.header(HEADERS.rateLimitPolicy, policy).header(HEADERS.rateLimit, limit);
}

/** What of an output the headers and the status say as well. */
interface Told {
  status?: unknown;
  replayed?: unknown;
  degraded_to?: unknown;
  panic?: unknown;
  degrade?: { retry_after_ms?: unknown } | undefined;
  resume?: unknown;
}

function sendOutput(reply: FastifyReply, operation: Operation, output: unknown): FastifyReply {
  const told = output as Told | undefined;
  if (told?.replayed === true) reply.header(HEADERS.replayed, 'true');
  if (told?.degraded_to !== undefined) reply.header(HEADERS.degraded, 'fallback');
  else if (told?.panic === true) reply.header(HEADERS.degraded, 'panic');
  if (told?.degrade !== undefined) {
    reply.header(HEADERS.degraded, 'budget');
    const { retry_after_ms: waitMs } = told.degrade;
    if (typeof waitMs === 'number') tellWait(reply, waitMs);
  }
  if (told?.status === 'needs_confirmation' || told?.status === 'accepted') reply.code(202);
  // Whoever waits for an end is told where to go on waiting: still processing.
  if (typeof told?.resume === 'string') reply.code(202).header('location', told.resume);
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(operation.bare === true ? output : { code: 0, data: output }));
}

function sendProblem(
  reply: FastifyReply,
  error: ReachError,
  { hasIssuer, publicUrl }: HttpPorts,
): FastifyReply {
  const { request_id: requestId, trace_id: traceId } = error.facts;
  // Whoever refused did not always say when: a second is soon, and not at once.
  const mayComeBack = error.status === 503 && error.retryable;
  const waitMs = error.facts.retry_after_ms ?? (mayComeBack ? RETRY_AFTER_MS : undefined);
  if (waitMs !== undefined) tellWait(reply, waitMs);
  if (error.status === 401) {
    const at = hasIssuer
      ? ` resource_metadata="${originOf(reply.request, publicUrl)}${METADATA}"`
      : '';
    reply.header('www-authenticate', `Bearer${at}`);
  }
  if (error.facts['replayed'] === true) reply.header(HEADERS.replayed, 'true');
  const about = {
    ...(typeof requestId === 'string' ? { request_id: requestId } : {}),
    ...(typeof traceId === 'string' ? { trace_id: traceId } : {}),
  };
  return reply
    .code(error.status)
    .header('content-type', PROBLEM_TYPE)
    .header('cache-control', 'no-store')
    .send(JSON.stringify(toProblem(error, about)));
}

/** Fastify's own refusals, in the words of the one table. */
function toReachError(error: unknown, length: string | undefined, ports: HttpPorts): ReachError {
  if (ReachError.is(error)) return error;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const size = /^\d{1,15}$/.test(length ?? '') ? { size: Number(length) } : {};
    return new ReachError('payload-too-large', `The body is over ${ports.bodyBytesMax} bytes.`, {
      limit: ports.bodyBytesMax,
      ...size,
    });
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ReachError('unsupported-media-type', 'This content type is not read here.');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ReachError(
      'validation-failed',
      `The request cannot be read (${code ?? statusCode}).`,
    );
  }
  ports.log.error({ err: error }, 'a request failed');
  return ReachError.from(error);
}

function notServed(request: FastifyRequest): ReachError {
  const path = request.url.split('?')[0] ?? '/';
  const methods = (['GET', 'POST', 'PUT', 'DELETE'] as const).filter(
    (method) =>
      method !== request.method && request.server.findRoute({ method, url: path }) !== null,
  );
  const hint = methods.length > 0 ? ` ${methods.join(', ')} is.` : '';
  return new ReachError(
    'not-found',
    `${request.method} ${path.slice(0, 200)} is not served.${hint}`,
  );
}
