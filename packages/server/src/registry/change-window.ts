import type { MonotonicMs } from '@agent-reach/core/kernel';

/** Changes that come within this time are told together. */
export const WINDOW_MS = 250;
/** The same, while much changes: a fleet that restarts costs each reader one message a second. */
export const CHURN_WINDOW_MS = 1_000;
/** Much changes when more was told than so often within so long. */
export const CHURN_FLUSHES = 20;
const CHURN_MS = 10_000;

/** When the next changes are told. */
export interface ChangeWindow {
  /** When changes were told last. */
  lastAt: MonotonicMs;
  /** When what waits is told; undefined: nothing waits. */
  dueAt: MonotonicMs | undefined;
  /** When changes were told, as far back as `CHURN_MS`. */
  told: readonly MonotonicMs[];
}

/** A window in which nothing has happened yet. */
export const CALM: ChangeWindow = {
  lastAt: Number.NEGATIVE_INFINITY,
  dueAt: undefined,
  told: [],
};

/** How long changes are gathered now. */
export function windowMs({ told }: ChangeWindow, now: MonotonicMs): number {
  const recent = told.filter((at) => now - at < CHURN_MS).length;
  return recent > CHURN_FLUSHES ? CHURN_WINDOW_MS : WINDOW_MS;
}

/**
 * Something changed. After a calm it is told at once; else it opens a window, which what comes later
 * does not extend: nothing waits longer than one window, however much goes on.
 */
export function changed(window: ChangeWindow, now: MonotonicMs): ChangeWindow {
  if (window.dueAt !== undefined) return window;
  const widthMs = windowMs(window, now);
  const isCalm = now - window.lastAt >= widthMs;
  return { ...window, dueAt: isCalm ? now : now + widthMs };
}

/** What waited was told. `isNews` false: all of it had undone itself, and nobody was told. */
export function told(window: ChangeWindow, now: MonotonicMs, isNews: boolean): ChangeWindow {
  if (!isNews) return { ...window, dueAt: undefined };
  const recent = window.told.filter((at) => now - at < CHURN_MS);
  return { lastAt: now, dueAt: undefined, told: [...recent, now] };
}
