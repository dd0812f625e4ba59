import type { ReachError } from '@agent-reach/core';

/** One attempt to reach one endpoint: everything the other side may know. */
export interface Attempt {
  tenant: string;
  requestId: string;
  caller: string;
  agentId: string;
  instanceId: string;
  addrVersion: string;
  /** Of the fence under which it is sent all the same, because nobody else is there. */
  fenceEpoch?: number | undefined;
  baseUrl: string;
  capability: string;
  params: unknown;
  /** 1 for the first. */
  number: number;
  /** What the agent is told it has. */
  agentMs: number;
  /** When the gateway stops waiting. */
  gatewayMs: number;
  traceparent: string;
  callToken: string;
  idempotencyKey?: string | undefined;
  onBehalfOf?: string | undefined;
  userStamp?: string | undefined;
  sourceId?: string | undefined;
  /** The confirmation under which it is done, or prepared. */
  confirmation?: string | undefined;
  /** It is to be prepared and not done yet. Only for those that have an address. */
  isPreparation?: boolean | undefined;
  /** Set when it is one delivery of a task: it may be answered later, under the lease. */
  task?: AttemptTask | undefined;
  signal?: AbortSignal | undefined;
}

/** What the other side may know of the task it is given. */
export interface AttemptTask {
  taskId: string;
  lease: string;
  leaseMs: number;
  /** Until the task itself fails, milliseconds; undefined: never. */
  deadlineMs: number | undefined;
}

/**
 * How an attempt ended. `status` is the target's own, 0 when none came. `isReceipt`: a task was
 * taken, and its result comes later. `unreadable`: a result came, and this is the head of its text,
 * escaped.
 */
export type AttemptOutcome =
  | { ok: true; status: number; result: unknown; isReceipt?: true }
  | { ok: false; status: number; error: ReachError; unreadable?: string };

/** A way out to endpoints of one protocol. Never throws for what the other side does. */
export type Link = (attempt: Attempt) => Promise<AttemptOutcome>;
