/**
 * The two states of an instance, never folded into one. *Observed* belongs to the machine: what
 * the gateway measures. *Intent* belongs to people and agents: what somebody wants. An operator's
 * `disabled` survives heartbeats, re-registration and restarts.
 */
export const OBSERVED = ['new', 'up', 'degraded', 'suspect', 'unreachable', 'gone'] as const;
export type Observed = (typeof OBSERVED)[number];

export const INTENTS = ['enabled', 'draining', 'fenced', 'disabled'] as const;
export type Intent = (typeof INTENTS)[number];

/** Who set an intent: one that an operator set is lifted by an operator only. */
export const INTENT_OWNERS = ['agent', 'system', 'operator'] as const;
export type IntentOwner = (typeof INTENT_OWNERS)[number];

/** What can happen to an instance, as seen from the gateway. */
export type ObservedCause =
  | 'registered'
  | 'probe-passed'
  | 'probe-failed'
  | 'probe-failed-thrice'
  | 'address-reused'
  | 'spared'
  | 'call-unconnected'
  | 'score-low'
  | 'score-recovered'
  | 'lease-lapsed'
  | 'heartbeat';

/**
 * The legal moves of the observed state: `[from, cause, to]`. Whatever is not listed changes
 * nothing: so a new instance whose first probes fail stays new, which no route takes, and only one
 * that was once reached is given the benefit of the doubt. The reference page is drawn from here.
 */
export const OBSERVED_MOVES = [
  ['new', 'probe-passed', 'up'],
  ['new', 'probe-failed-thrice', 'unreachable'],
  ['new', 'address-reused', 'unreachable'],
  ['new', 'lease-lapsed', 'gone'],
  ['up', 'registered', 'new'],
  ['up', 'score-low', 'degraded'],
  ['up', 'probe-failed', 'suspect'],
  ['up', 'probe-failed-thrice', 'unreachable'],
  ['up', 'address-reused', 'unreachable'],
  ['up', 'call-unconnected', 'suspect'],
  ['up', 'lease-lapsed', 'gone'],
  ['degraded', 'registered', 'new'],
  ['degraded', 'score-recovered', 'up'],
  ['degraded', 'probe-failed', 'suspect'],
  ['degraded', 'probe-failed-thrice', 'unreachable'],
  ['degraded', 'address-reused', 'unreachable'],
  ['degraded', 'call-unconnected', 'suspect'],
  ['degraded', 'lease-lapsed', 'gone'],
  ['suspect', 'registered', 'new'],
  ['suspect', 'probe-passed', 'up'],
  ['suspect', 'spared', 'degraded'],
  ['suspect', 'probe-failed-thrice', 'unreachable'],
  ['suspect', 'address-reused', 'unreachable'],
  ['suspect', 'lease-lapsed', 'gone'],
  ['unreachable', 'registered', 'new'],
  ['unreachable', 'probe-passed', 'up'],
  ['unreachable', 'lease-lapsed', 'gone'],
  ['gone', 'registered', 'new'],
  ['gone', 'heartbeat', 'new'],
] as const satisfies readonly (readonly [Observed, ObservedCause, Observed])[];
