import type { AttemptRecord, Provider, RouteStrategy } from '@agent-reach/core';
import type { Clock, EpochMs, MonotonicMs } from '@agent-reach/core/kernel';
import type { Admission } from '../policy/admit.ts';
import type { Decision } from '../routing/decision.ts';

/** What one run of the road has come to so far: written by its steps, read by its record. */
export interface Run {
  readonly admission: Admission;
  readonly routeId: string;
  readonly at: EpochMs;
  readonly startedAt: MonotonicMs;
  /** When the first attempt left; what came before was matching. */
  sentAt: MonotonicMs | undefined;
  /** When the last answer came; what comes after is the way back. */
  answeredAt: MonotonicMs | undefined;
  /** Time spent waiting before a repetition. */
  queueMs: number;
  agentMs: number;
  attempts: AttemptRecord[];
  decision: Decision | undefined;
  provider: Provider | undefined;
  capability: string | undefined;
  strategy: RouteStrategy | undefined;
  score: number;
  warnings: string[];
  /** Set when it is one delivery of a task. */
  delivery: RunDelivery | undefined;
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
    sentAt: undefined,
    answeredAt: undefined,
    queueMs: 0,
    agentMs: 0,
    attempts: [],
    decision: undefined,
    provider: undefined,
    capability: undefined,
    strategy: undefined,
    score: 0,
    warnings: [],
    delivery: undefined,
  };
}

/** Where the time of a run went, milliseconds to a tenth. The four parts add up to the total. */
export function timingOf(run: Run, clock: Clock) {
  const end = clock.monotonic();
  const total = end - run.startedAt;
  const match = (run.sentAt ?? end) - run.startedAt;
  const back = run.answeredAt === undefined ? 0 : end - run.answeredAt;
  return {
    match_ms: tenth(match),
    queue_ms: tenth(run.queueMs),
    agent_ms: tenth(run.agentMs),
    return_ms: tenth(back),
    total_ms: tenth(total),
  };
}

/** Milliseconds to a tenth: finer is noise. */
export function tenth(ms: number): number {
  return Math.round(ms * 10) / 10;
}
