import { type Deadline, FetchFailure, invariant } from '@agent-reach/core/kernel';
import { HEADERS } from '@agent-reach/core';
import { Agent as Pools } from 'undici';
import { type ExchangeReply, exchange } from './exchange.ts';
import type { WireRequest } from './wire.ts';

/** A request and how long it may take. */
export interface GatewayRequest extends WireRequest {
  headers: Record<string, string>;
  deadline: Deadline;
  /** Aborted by the deadline or by the caller. */
  signal: AbortSignal;
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

/**
 * The gateways that a client may use, all equal. Stays with the one that worked last and
 * moves on only when a connection was provably not made: then nothing ran, and asking another is no
 * retry.
 */
export class Gateways {
  readonly #endpoints: readonly URL[];
  readonly #pools = new Pools({
    connections: CONNECTIONS_MAX,
    connect: { timeout: CONNECT_MS },
    allowH2: false,
  });
  #preferred = 0;

  /**
   * @param endpoints At least one `http://` or `https://` URL; a path is put before every request.
   */
  constructor(endpoints: readonly string[]) {
    if (endpoints.length === 0) throw new TypeError('Reach needs at least one endpoint.');
    this.#endpoints = endpoints.map(readEndpoint);
  }

  /** Where requests go now. */
  get endpoint(): string {
    return this.#at(this.#preferred).href;
  }

  /** Rejects with the `FetchFailure` of the last gateway tried. */
  async send(request: GatewayRequest): Promise<ExchangeReply> {
    const first = this.#preferred;
    let failure: FetchFailure | undefined;
    for (let step = 0; step < this.#endpoints.length; step++) {
      const index = (first + step) % this.#endpoints.length;
      try {
        const reply = await this.#sendTo(this.#at(index), request);
        this.#preferred = index;
        return reply;
      } catch (error) {
        if (!(error instanceof FetchFailure) || !isUnmade(error)) throw error;
        failure = error;
      }
    }
    invariant(failure !== undefined, 'there is at least one endpoint');
    throw failure;
  }

  /** Ends every connection; requests that still run fail. */
  async close(): Promise<void> {
    await this.#pools.destroy();
  }

  #sendTo(endpoint: URL, request: GatewayRequest): Promise<ExchangeReply> {
    const leftMs = request.deadline.remainingMs();
    const toldMs = Math.floor(leftMs - Math.min(MARGIN_MS_MAX, leftMs / 10));
    const deadlineMs = Math.min(Math.max(1, toldMs), DEADLINE_MS_MAX);
    return exchange(this.#pools, {
      origin: endpoint.origin,
      method: request.method,
      path: endpoint.pathname.replace(/\/$/, '') + request.path,
      headers: { ...request.headers, [HEADERS.deadlineMs]: String(deadlineMs) },
      body: request.body,
      signal: request.signal,
    });
  }

  #at(index: number): URL {
    const endpoint = this.#endpoints[index];
    invariant(endpoint !== undefined, 'the index is within the endpoints');
    return endpoint;
  }
}

function isUnmade({ kind, sent }: FetchFailure): boolean {
  return !sent && (kind === 'connect' || kind === 'resolve');
}

function readEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError(`The endpoint "${text}" is not an http:// or https:// URL.`);
}
