import type {
  AttemptRecord,
  Capability,
  Provider,
  ReachError,
  RouteStrategy,
} from '@agent-reach/core';
import type { Presented } from '../policy/confirmations/confirm.ts';
import type { Clock, EpochMs, MonotonicMs } from '@agent-reach/core/kernel';
import type { Admission } from '../policy/admit.ts';
import type { Declared } from '../resilience/stand-in.ts';
import type { RouteLimits } from '../routing/decide.ts';
import type { Decision } from '../routing/decision.ts';
import { barsFor, type StandIn } from '../routing/fallbacks.ts';
import type { Order } from './order.ts';

/** What one run of the road has come to so far: written by its steps, read by its record. */
export interface Run {
  readonly admission: Admission;
  readonly routeId: string;
  readonly at: EpochMs;
  readonly startedAt: MonotonicMs;
  /** Somebody came for it and has not spoken yet: its time is no work of ours. */
  isHeld: boolean;
  /** When the answer to the last attempt came; what comes after is the way back. */
  answeredAt: MonotonicMs | undefined;
  /** How long it stood in a queue before it began. */
  queueMs: number;
  /** How long it waited since: in line for a place, and before a repetition. */
  waitedMs: number;
  agentMs: number;
  attempts: AttemptRecord[];
  decision: Decision | undefined;
  provider: Provider | undefined;
  capability: string | undefined;
  /** What those on whom it was decided declare, fallbacks too: by its record they may declare otherwise. */
  seen: Capability[];
  strategy: RouteStrategy | undefined;
  score: number;
  warnings: string[];
  /** Set once something stands in for what was asked for. */
  fallback: RunFallback | undefined;
  /** The confirmation that its request came with. */
  presented: Presented | undefined;
  /** The one that was used up for it, and the digest of what it covers: a task's is not known any more. */
  confirmed: { id: string; digest: string | undefined } | undefined;
  /** The one that it is answered it needs. */
  asked: string | undefined;
  /** Set when it is one delivery of a task. */
  delivery: RunDelivery | undefined;
}

/** That what was asked for could not be reached, and `capability` stands in for it. */
export interface RunFallback {
  asked: string;
  /** What its caller would have been told; undefined: it is long since a key was bound to this. */
  cause: ReachError | undefined;
  /** Effects of those who offer what was asked for: it outdoes none of them. */
  effects: readonly Declared[];
  /** Who declares that it may. */
  from: StandIn['from'];
  /** Attempts at others before it. */
  sentBefore: number;
}

/** What a delivery of a task adds to a run. */
export interface RunDelivery {
  taskId: string;
  /** Which run of the task it is, from 1. */
  attempt: number;
  /** With which its holder may speak for the task. */
  lease: string;
  /** How long without a word, milliseconds from when it was given. */
  leaseMs: number;
}

/** A run that has just been admitted. `began` is when its request arrived. */
export function beginRun(
  admission: Admission,
  routeId: string,
  began: { at: EpochMs; startedAt: MonotonicMs },
): Run {
  return {
    admission,
    routeId,
    ...began,
    isHeld: false,
    answeredAt: undefined,
    queueMs: 0,
    waitedMs: 0,
    agentMs: 0,
    attempts: [],
    decision: undefined,
    provider: undefined,
    capability: undefined,
    seen: [],
    strategy: undefined,
    score: 0,
    warnings: [],
    fallback: undefined,
    presented: undefined,
    confirmed: undefined,
    asked: undefined,
    delivery: undefined,
  };
}

/** What stored work stands in for; that it does was told when it was submitted. */
export function fallbackIn({ fallback }: Pick<Order, 'fallback'>): RunFallback | undefined {
  if (fallback === undefined) return undefined;
  const { of: asked, effects } = fallback;
  return { asked, effects, cause: undefined, from: 'request', sentBefore: 0 };
}

/** Whom a run may not go to, where it stands in for something. */
export function barsOf({ fallback }: Pick<Run, 'fallback'>): RouteLimits['bars'] {
  return fallback === undefined ? undefined : barsFor(fallback.effects);
}

/**
 * Where the time of a run went, milliseconds to a tenth. Its parts add up to the total: matching is all
 * that was neither waiting nor an agent's. What stands in a queue before it begins comes on top.
 */
export function timingOf(run: Run, clock: Clock) {
  const end = clock.monotonic();
  const total = end - run.startedAt;
  const until = run.answeredAt ?? (run.isHeld ? run.startedAt : end);
  const match = Math.max(0, until - run.startedAt - run.agentMs - run.waitedMs);
  const back = run.answeredAt === undefined ? 0 : end - run.answeredAt;
  return {
    match_ms: tenth(match),
    queue_ms: tenth(run.queueMs + run.waitedMs),
    agent_ms: tenth(run.agentMs),
    return_ms: tenth(back),
    total_ms: tenth(total),
  };
}

/** Milliseconds to a tenth: finer is noise. */
export function tenth(ms: number): number {
  return Math.round(ms * 10) / 10;
}
