import type { ErrorCode } from '@agent-reach/core';
import type { Clock, MonotonicMs } from '@agent-reach/core/kernel';
import { Bulkhead } from './bulkhead.ts';
import type { Circuits } from './circuits.ts';
import { NO_RUNS, OutcomeWindow, speaksFor, type Tally } from './outcomes.ts';
import { RetryBudgets } from './retry-budget.ts';

/** The name of an agent on the board. */
export function agentKey(tenant: string, agentId: string): string {
  return `${tenant}/${agentId}`;
}

/** The name of an endpoint on the board. */
export function endpointKey(tenant: string, agentId: string, instanceId: string): string {
  return `${tenant}/${agentId}/${instanceId}`;
}

/** What the gateway itself has seen of one endpoint. */
export interface EndpointView {
  /** Requests sent and not yet answered. */
  inflight: number;
  /** Calls that wait here for a place at it. */
  waiting: number;
  /** A typical answer time, milliseconds; undefined until one came. */
  typicalMs: number | undefined;
  /** Last time it answered anything at all, wall clock. */
  answeredAt: number | undefined;
  /** When a run at it last ended well; undefined: none has. */
  succeededAt: MonotonicMs | undefined;
  /** Until when it said itself that it takes no more work; 0: it did not. */
  busyUntil: MonotonicMs;
}

interface Entry extends EndpointView {
  /** How its last runs ended; undefined: none has. */
  outcomes: OutcomeWindow | undefined;
}

const UNSEEN: Readonly<Entry> = {
  inflight: 0,
  waiting: 0,
  typicalMs: undefined,
  answeredAt: undefined,
  succeededAt: undefined,
  busyUntil: 0,
  outcomes: undefined,
};

/** However long an endpoint wants to be left alone, it is asked again after that. */
const BUSY_MAX_MS = 60_000;

/** How far one answer moves `typicalMs`: about the last twenty count. */
const SMOOTHING = 0.1;

/**
 * More endpoints than one gateway probes. A call that leaves just after its endpoint was dropped
 * makes an entry that nobody drops again; without a bound, those would add up for ever.
 */
const ENDPOINTS_MAX = 100_000;

/**
 * The scoreboard: what is measured of each endpoint, kept where everybody may read it and only
 * those who send may write it. In memory, one entry an endpoint, dropped when the endpoint goes.
 */
export class Board {
  readonly #views = new Map<string, Entry>();
  /** Tasks that wait for an agent, by `tenant/agent`: as last read, moved along by nobody. */
  #waiting: ReadonlyMap<string, number> = new Map();
  readonly #clock: Clock;

  /** Which capabilities of which endpoints are left alone for now. */
  readonly circuits: Circuits;
  /** How many repeats each agent can bear. */
  readonly retries = new RetryBudgets();
  /** How many are at each at once. */
  readonly bulkhead: Bulkhead;

  constructor(clock: Clock, circuits: Circuits) {
    this.#clock = clock;
    this.circuits = circuits;
    this.bulkhead = new Bulkhead(clock);
  }

  /** What is known of an endpoint. The object is live: read it, do not keep it. */
  of(endpoint: string): Readonly<EndpointView> {
    return this.#views.get(endpoint) ?? UNSEEN;
  }

  /** Notes that a request leaves; the returned function notes how it came back, once. */
  begin(endpoint: string): (answered: boolean) => void {
    const view = this.#entry(endpoint);
    const startedAt = this.#clock.monotonic();
    view.inflight += 1;
    let open = true;
    return (answered) => {
      if (!open) return;
      open = false;
      view.inflight -= 1;
      if (!answered) return;
      const ms = this.#clock.monotonic() - startedAt;
      view.typicalMs =
        view.typicalMs === undefined ? ms : view.typicalMs + SMOOTHING * (ms - view.typicalMs);
      view.answeredAt = this.#clock.now();
    };
  }

  /** Notes that somebody waits for a place; the returned function notes that he waits no more. */
  awaits(endpoint: string): () => void {
    const view = this.#entry(endpoint);
    view.waiting += 1;
    return () => {
      view.waiting -= 1;
    };
  }

  /** Notes how a run at an endpoint ended: with this error, or with none; slow: past its declared time. */
  ended(endpoint: string, code: ErrorCode | undefined, isSlow = false): void {
    const isGood = speaksFor(code);
    if (isGood === undefined) return;
    const view = this.#entry(endpoint);
    view.outcomes ??= new OutcomeWindow();
    const now = this.#clock.monotonic();
    if (isGood) view.succeededAt = now;
    view.outcomes.note(now, { isGood, isSlow });
  }

  /** Notes that an endpoint said itself for how long it takes no more; a minute at most is believed. */
  refused(endpoint: string, forMs: number): void {
    const until = this.#clock.monotonic() + Math.min(BUSY_MAX_MS, forMs);
    const view = this.#entry(endpoint);
    view.busyUntil = Math.max(view.busyUntil, until);
  }

  /** How the runs of the last five minutes ended. */
  outcomes(endpoint: string): Readonly<Tally> {
    return this.#views.get(endpoint)?.outcomes?.tally(this.#clock.monotonic()) ?? NO_RUNS;
  }

  /** Takes in how many tasks wait for each agent. */
  readWaiting(waiting: ReadonlyMap<string, number>): void {
    this.#waiting = waiting;
  }

  /** Tasks that wait for an agent. */
  waitingOf(at: { tenant: string; agentId: string }): number {
    return this.#waiting.get(agentKey(at.tenant, at.agentId)) ?? 0;
  }

  /** Forgets an endpoint that went away. */
  drop(endpoint: string): void {
    this.#views.delete(endpoint);
    this.circuits.drop(endpoint);
  }

  #entry(endpoint: string): Entry {
    let view = this.#views.get(endpoint);
    if (view === undefined) {
      if (this.#views.size >= ENDPOINTS_MAX) this.#forgetOldest();
      view = { ...UNSEEN };
      this.#views.set(endpoint, view);
    }
    return view;
  }

  #forgetOldest(): void {
    const [oldest] = this.#views.keys();
    if (oldest !== undefined) this.#views.delete(oldest);
  }
}
