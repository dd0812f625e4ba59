import type { TaskRequest } from '@agent-reach/core';

/** One request of a submitter. */
export interface PlannedRequest {
  body: TaskRequest & { task_id: string };
  /** The first try gives up after so long: its answer is lost, wherever it was. */
  impatientMs?: number;
}

/** What a submitter is to send. */
export interface SubmitPlan {
  /** The gateways' business listeners. Each client begins at another one, and goes on to the next
   * where one cannot be had. */
  urls: readonly string[];
  /** A client each: it sends one request after the other, in this order. */
  clients: readonly (readonly PlannedRequest[])[];
  /** A client waits so long between its requests. Default: not at all. */
  paceMs?: number;
  /** Repeats a request until it has an answer, or until it is accepted or refused for good. */
  insist?: 'answer' | 'acceptance';
}

/** `count` requests for tasks called `prefix-0` and on. */
export function requests(
  prefix: string,
  count: number,
  of: (n: number) => Omit<TaskRequest, 'task_id'>,
): PlannedRequest[] {
  return Array.from({ length: count }, (_, n) => ({
    body: { task_id: `${prefix}-${n}`, ...of(n) },
  }));
}

/** Deals requests out to so many clients. */
export function dealt(all: readonly PlannedRequest[], clients: number): PlannedRequest[][] {
  return Array.from({ length: clients }, (_, i) => all.filter((_, n) => n % clients === i));
}
