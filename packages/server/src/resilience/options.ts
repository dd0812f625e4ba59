import { duration, integer } from '@agent-reach/core/kernel';

/** When a breaker opens, and for how long. */
export const BREAKER_OPTIONS = {
  consecutive: integer({
    key: 'breaker.failures',
    default: 20,
    min: 1,
    max: 100_000,
    doc: 'Failures in a row after which a capability at one instance is left alone. Fewer spare callers, and shut off an instance for a hiccup.',
  }),
  samplesMin: integer({
    key: 'breaker.samples',
    default: 20,
    min: 1,
    max: 100_000,
    doc: 'Results within a minute below which shares of failures and slow answers say nothing. Fewer judge sooner, and by chance.',
  }),
  failurePercent: integer({
    key: 'breaker.failure.percent',
    default: 50,
    min: 1,
    max: 100,
    doc: 'More failures than this within a minute open the breaker, of a connector more than 20 at most. 100: only failures in a row do.',
  }),
  slowPercent: integer({
    key: 'breaker.slow.percent',
    default: 80,
    min: 1,
    max: 101,
    doc: 'So many answers within a minute that took over 0.9 of the declared timeout open the breaker. 101: slowness never does, and callers wait for a place that is about to fail.',
  }),
  openMs: duration({
    key: 'breaker.open',
    default: 10_000,
    min: 100,
    max: 3_600_000,
    doc: 'How long a breaker stays open the first time; twice as long with each trip that follows within a minute of calm. Longer finds out later that all is well again.',
  }),
  openMaxMs: duration({
    key: 'breaker.open.max',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    doc: 'The longest that a breaker stays open at a time.',
  }),
} as const;

/** How many calls are at one place at once, where its manifest does not say it. */
export const BULKHEAD_OPTIONS = {
  running: integer({
    key: 'bulkhead.running',
    default: 10,
    min: 1,
    max: 100_000,
    doc: 'Calls of one capability at one instance at once, where the manifest says no `max_concurrency`. More may drown an agent that says nothing; fewer leave it idle.',
  }),
  waiting: integer({
    key: 'bulkhead.waiting',
    default: 100,
    min: 0,
    max: 100_000,
    doc: 'Calls that may wait for such a place, or for one of those of `max_concurrency`; further ones get 503 `agent-busy`. Each holds a connection, and its wait counts against its deadline.',
  }),
} as const;

/** Settings that bound every attempt. */
export const RESILIENCE_OPTIONS = {
  callTimeoutMaxMs: duration({
    key: 'call.timeout.max',
    default: 60_000,
    min: 100,
    max: 3_600_000,
    doc: 'The longest a call may wait. A capability that needs longer is refused at registration: longer work is a task. Raising it keeps connections open longer.',
  }),
} as const;
