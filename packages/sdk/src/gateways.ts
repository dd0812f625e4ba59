import { fromProblem, HEADERS, ReachError } from '@agent-reach/core';
import { type Deadline, FetchFailure, fullJitterMs } from '@agent-reach/core/kernel';
import { Agent as Pools } from 'undici';
import { Course, type CourseOptions, type GatewayReply } from './course.ts';
import { type Credentials, type Prover, proverOf } from './credentials.ts';
import { type Endpoint, Endpoints } from './endpoints.ts';
import { type ExchangeReply, type ExchangeRequest, exchange } from './exchange.ts';
import { look, pathUnder } from './look.ts';
import type { Ports } from './ports.ts';
import { openExchange, type StreamReply } from './stream-exchange.ts';
import { Vigil } from './vigil.ts';
import type { WireRequest } from './wire.ts';

/** A request and how long it may take. */
export interface GatewayRequest extends WireRequest, CourseOptions {
  headers: Record<string, string>;
  deadline: Deadline;
  /** Aborted by the deadline or by the caller. */
  signal: AbortSignal;
  /** Its sender would rather ask another gateway than wait for one that is frozen. */
  mayLeave: boolean;
}

/** A stream that is to be opened. */
export type OpenRequest = Pick<GatewayRequest, 'method' | 'path' | 'headers' | 'signal'>;

/** What was opened, and at whom. */
export interface OpenReply extends StreamReply {
  isOnlyOne: boolean;
  /** It broke, or its gateway stops: the next one is opened elsewhere, where there is another. */
  failed(): void;
}

/** A gateway that does not answer a SYN in this time is left for the next one. */
const CONNECT_MS = 1_000;
/** More connections would only move the queue from here into the gateway. */
const CONNECTIONS_MAX = 128;
/** The longest that `Reach-Deadline-Ms` can say. */
const DEADLINE_MS_MAX = 3_600_000;
/**
 * What the gateway is told less than is left: a tenth, at most this. Its own timeout says which
 * agent was slow and whether it ran; with equal clocks ours would win the race and know nothing.
 */
const MARGIN_MS_MAX = 50;
/** How often a repeat asks again while the first one may still be at work. */
const IN_PROGRESS_RULE = { baseMs: 250, maxMs: 1_000 };
/** How often a request is signed again for a gateway that has just started. */
const SIGNED_MAX = 3;
/**
 * By these a gateway speaks of itself: it stops, it is full, its store is away. `draining`,
 * `agent-busy` and `no-reachable-agent` are about agents, of whom another gateway says the same.
 */
const OWN_REFUSALS: ReadonlySet<ReachError['code']> = new Set([
  'overloaded',
  'store-unavailable',
  'storage-full',
]);

/** The gateways that a client may use, all equal: one that fails is left for another. */
export class Gateways {
  readonly #endpoints: Endpoints;
  readonly #ports: Ports;
  readonly #prove: Prover;
  readonly #vigil: Vigil;
  /** Who is being looked at. */
  readonly #looks = new Set<Endpoint>();
  readonly #pools = new Pools({
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_MS },
    allowH2: false,
  });
  /** A stream holds its connection: they are not taken from those of the requests. */
  readonly #streamPools = new Pools({ connect: { timeout: CONNECT_MS }, allowH2: false });
  /** A look that queued behind the requests it is about would find every busy gateway silent. */
  readonly #lookPools = new Pools({ connections: 1, allowH2: false });

  /** @param endpoints See `Endpoints`. */
  constructor(endpoints: string | readonly string[], ports: Ports, credentials?: Credentials) {
    this.#endpoints = new Endpoints(endpoints, ports);
    this.#ports = ports;
    this.#prove = proverOf(credentials, ports);
    this.#vigil = new Vigil(ports.clock, (endpoint) => void this.#look(endpoint));
  }

  /** Where requests go now. */
  get endpoint(): string {
    return this.#endpoints.first.url.href;
  }

  /** Rejects with `Unanswered` only. */
  async send(request: GatewayRequest): Promise<GatewayReply> {
    for (const endpoint of this.#endpoints.due()) void this.#look(endpoint);
    const course = new Course(this.#endpoints.inTurn(), request);
    for (let at = course.next(); at !== undefined; at = course.next()) {
      try {
        const reply = await this.#ask(at, request, course);
        if (!isOwnRefusal(reply)) return course.answered(reply);
        course.refused(reply);
      } catch (error) {
        if (!(error instanceof FetchFailure)) throw error;
        course.failed(at, error);
      }
    }
    return course.end();
  }

  /** Ends every connection; requests that still run fail. */
  async close(): Promise<void> {
    const all = [this.#pools, this.#streamPools, this.#lookPools];
    await Promise.all(all.map((pools) => pools.destroy()));
  }

  /**
   * Opens a stream at the first gateway that does not fail. Throws `connect-failed` when all do; what
   * the last one refuses is its answer.
   */
  async open(request: OpenRequest): Promise<OpenReply> {
    for (const endpoint of this.#endpoints.due()) void this.#look(endpoint);
    let last: OpenReply | undefined;
    let broken: unknown;
    for (const endpoint of this.#endpoints.inTurn()) {
      const since = this.#ports.clock.monotonic();
      const failed = () => this.#endpoints.noteFailure(endpoint, this.#ports.clock.monotonic());
      const message = this.#unboundedTo(endpoint, request);
      try {
        const opened = await openExchange(this.#streamPools, message);
        const reply = { ...opened, isOnlyOne: this.#endpoints.isOnlyOne, failed };
        if (reply.status < 500) {
          this.#endpoints.noteAnswer(endpoint, since);
          return reply;
        }
        last = reply;
      } catch (error) {
        if (request.signal.aborted) throw error;
        broken = error;
      }
      this.#endpoints.noteFailure(endpoint, since);
    }
    if (last !== undefined) return last;
    throw ReachError.from(broken);
  }

  /** Its answer; to a repeat, not before the first request is no longer at work. */
  async #ask(endpoint: Endpoint, request: GatewayRequest, course: Course): Promise<ExchangeReply> {
    const { clock, random } = this.#ports;
    for (let asked = 1; ; asked++) {
      const since = clock.monotonic();
      const isLate = request.signal.aborted;
      let reply: ExchangeReply;
      try {
        reply = await this.#exchange(endpoint, request);
      } catch (error) {
        if (!isLate && isItsFault(error as FetchFailure, request)) {
          this.#endpoints.noteFailure(endpoint, since);
        }
        throw error;
      }
      if (isOwnRefusal(reply)) this.#endpoints.noteFailure(endpoint, since);
      else this.#endpoints.noteAnswer(endpoint, since);
      const anewMs = asked <= SIGNED_MAX ? untilSignedAnewMs(reply) : undefined;
      if (anewMs !== undefined) {
        await clock.sleep(anewMs, request.signal).catch(() => {});
        if (request.signal.aborted) return reply;
        continue;
      }
      if (!course.isRepeat || !isInProgress(reply)) return reply;
      const pauseMs = fullJitterMs(IN_PROGRESS_RULE, asked, random);
      await clock.sleep(pauseMs, request.signal).catch(() => {}); // The next question says so.
    }
  }

  #exchange(endpoint: Endpoint, request: GatewayRequest): Promise<ExchangeReply> {
    if (request.mayLeave && !this.#endpoints.isOnlyOne) return this.#guarded(endpoint, request);
    return exchange(this.#pools, this.#messageTo(endpoint, request, request.signal));
  }

  /** An exchange that is left when its endpoint turns out to be frozen. */
  async #guarded(endpoint: Endpoint, request: GatewayRequest): Promise<ExchangeReply> {
    using wait = this.#vigil.wait(endpoint, request.signal);
    try {
      const reply = await exchange(this.#pools, this.#messageTo(endpoint, request, wait.signal));
      wait.answered();
      return reply;
    } catch (error) {
      if (!wait.isSilent) throw error;
      const { sent } = error as FetchFailure;
      throw new FetchFailure('timeout', sent, 'it gives no sign of life', error);
    }
  }

  #messageTo(endpoint: Endpoint, request: GatewayRequest, signal: AbortSignal): ExchangeRequest {
    const { deadline, headers } = request;
    const leftMs = deadline.remainingMs();
    const toldMs = Math.floor(leftMs - Math.min(MARGIN_MS_MAX, leftMs / 10));
    const deadlineMs = Math.min(Math.max(1, toldMs), DEADLINE_MS_MAX);
    const bounded = { ...headers, [HEADERS.deadlineMs]: String(deadlineMs) };
    return this.#unboundedTo(endpoint, { ...request, headers: bounded, signal });
  }

  /** A request as one gateway gets it. */
  #unboundedTo(
    { url }: Endpoint,
    { method, path, headers: bare, body, signal }: OpenRequest & { body?: string | undefined },
  ): ExchangeRequest {
    const message = { method, path: pathUnder(url, path), headers: bare, body };
    // Anew for each sending: a signature is good for one, and names the host that it goes to.
    const proof = this.#prove({ ...message, host: url.host });
    const headers = { ...message.headers, ...proof };
    return { ...message, headers, origin: url.origin, signal };
  }

  /**
   * Asks an endpoint whether it takes work, beside the requests: one that failed, so that no request
   * has to find out, and one that is silent, so that none waits in vain.
   */
  async #look(endpoint: Endpoint): Promise<void> {
    if (this.#looks.has(endpoint)) return;
    this.#looks.add(endpoint);
    const since = this.#ports.clock.monotonic();
    const seen = await look(endpoint.url, this.#lookPools, this.#ports.clock);
    this.#looks.delete(endpoint);
    if (seen === 'ready') this.#endpoints.noteAnswer(endpoint, since);
    else this.#endpoints.noteFailure(endpoint, since);
    if (seen === 'silent') this.#vigil.silent(endpoint);
  }
}

/** That the caller went away, or asked for too much, is not. */
function isItsFault({ kind }: FetchFailure, { deadline }: GatewayRequest): boolean {
  if (kind === 'aborted') return deadline.passed;
  return kind !== 'too-large' && kind !== 'bad-url';
}

function isOwnRefusal(reply: ExchangeReply): boolean {
  if (reply.status !== 503) return false;
  const problem = problemIn(reply);
  return problem !== undefined && problem.executed === 'no' && OWN_REFUSALS.has(problem.code);
}

/**
 * A gateway that forgot which signatures were used takes none from before its start; nothing ran. How
 * long until it takes a new one; undefined: it is another answer.
 */
function untilSignedAnewMs(reply: ExchangeReply): number | undefined {
  if (reply.status !== 401) return undefined;
  const problem = problemIn(reply);
  return problem?.code === 'replayed' && problem.retryable
    ? problem.facts.retry_after_ms
    : undefined;
}

function isInProgress(reply: ExchangeReply): boolean {
  return reply.status === 409 && problemIn(reply)?.code === 'idempotency-in-progress';
}

function problemIn({ text }: ExchangeReply): ReachError | undefined {
  try {
    return fromProblem(JSON.parse(text));
  } catch {
    return undefined; // A proxy's page.
  }
}
