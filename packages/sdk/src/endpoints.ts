import {
  type BackoffRule,
  fullJitterMs,
  invariant,
  type MonotonicMs,
} from '@agent-reach/core/kernel';
import type { Ports } from './ports.ts';

/** One gateway's address, and how it did of late. */
export interface Endpoint {
  readonly url: URL;
  /** Times in a row that it failed, each counted once however many requests it hit; 0: it is well. */
  failures: number;
  failedAt: MonotonicMs;
  /** Until then it is not even looked at. */
  avoidedUntil: MonotonicMs;
}

/**
 * How long a gateway that failed is left alone. One that restarts is back within a second or two;
 * one that stays away is looked at every 5 s on average, which costs nobody anything, and waits no
 * longer than 10 s for its callers when it is back.
 */
const AVOID_RULE: BackoffRule = { baseMs: 500, maxMs: 10_000 };

/**
 * The endpoints of one client, in an order of its own: it begins at a random one, so that many
 * clients spread over all. The first that is well is used, so a client returns to its own when that
 * is well again, and load evens out after a restart.
 */
export class Endpoints {
  readonly #all: readonly Endpoint[];
  readonly #ports: Ports;
  /** How many are not well. */
  #failing = 0;

  /**
   * @param given `http://` or `https://` URLs, in one text with commas between or apart; a path is
   *   put before every request.
   */
  constructor(given: string | readonly string[], ports: Ports) {
    this.#ports = ports;
    const urls = readEndpoints(given);
    const home = urls.length === 1 ? 0 : ports.random.below(urls.length);
    this.#all = [...urls.slice(home), ...urls.slice(0, home)].map((url) => ({
      url,
      failures: 0,
      failedAt: Number.NEGATIVE_INFINITY,
      avoidedUntil: Number.NEGATIVE_INFINITY,
    }));
  }

  /**
   * In the order in which a request asks them. Those that failed come last, not never: when all
   * have failed, asking is how one learns that they are back.
   */
  inTurn(): Endpoint[] {
    const all = [...this.#all];
    if (this.#failing === 0) return all;
    // A stable sort: those that are well keep their order, the others come as they may be looked at.
    return all.sort((a, b) => dueAt(a) - dueAt(b));
  }

  /** Those that failed and have been left alone for long enough. */
  due(): Endpoint[] {
    if (this.#failing === 0) return [];
    const now = this.#ports.clock.monotonic();
    return this.#all.filter(({ failures, avoidedUntil }) => failures > 0 && avoidedUntil <= now);
  }

  get isOnlyOne(): boolean {
    return this.#all.length === 1;
  }

  /** The one that a request asks first. */
  get first(): Endpoint {
    const [first] = this.inTurn();
    invariant(first !== undefined, 'there is at least one endpoint');
    return first;
  }

  /**
   * It failed a request that began at `since`. Fifty requests that break at once are one failure:
   * those that began before it was known say nothing new.
   */
  noteFailure(endpoint: Endpoint, since: MonotonicMs): void {
    // The only one is asked whatever is known of it.
    if (this.isOnlyOne || since < endpoint.failedAt) return;
    const { clock, random } = this.#ports;
    if (endpoint.failures === 0) this.#failing++;
    endpoint.failures++;
    endpoint.failedAt = clock.monotonic();
    const waitMs = fullJitterMs(AVOID_RULE, endpoint.failures, random);
    endpoint.avoidedUntil = endpoint.failedAt + waitMs;
  }

  /** It answered a request that began at `since`; an answer to an older one says nothing of now. */
  noteAnswer(endpoint: Endpoint, since: MonotonicMs): void {
    if (endpoint.failures === 0 || since < endpoint.failedAt) return;
    endpoint.failures = 0;
    this.#failing--;
  }
}

function dueAt({ failures, avoidedUntil }: Endpoint): number {
  return failures === 0 ? Number.NEGATIVE_INFINITY : avoidedUntil;
}

function readEndpoints(given: string | readonly string[]): URL[] {
  const texts = (typeof given === 'string' ? [given] : given).flatMap((text) => text.split(','));
  if (texts.length === 0) throw new TypeError('Reach needs at least one endpoint.');
  const urls = texts.map((text) => readEndpoint(text.trim()));
  return [...new Map(urls.map((url) => [url.href, url])).values()];
}

function readEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new TypeError(`The endpoint "${text}" is not an http:// or https:// URL.`);
}
