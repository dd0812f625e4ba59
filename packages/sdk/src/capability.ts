import type { Effect, FindStrategy } from '@agent-reach/core';
import type { Deadline, Log } from '@agent-reach/core/kernel';
import type { Reach } from './reach.ts';

/** What a capability is, as its agent declares it. */
export interface CapabilitySpec {
  /** ASCII; callers name it. */
  name: string;
  /** One sentence. Routing by meaning reads it, so it says what is answered and from what. */
  description: string;
  displayName?: string | undefined;
  /** Other names that people say for it, the one it had before a rename for instance. */
  aliases?: readonly string[] | undefined;
  /** JSON Schema 2020-12 of the parameters; a TypeBox schema is one. The gateway checks it. */
  input?: object | undefined;
  /** JSON Schema 2020-12 of the result. */
  output?: object | undefined;
  /**
   * What running does to the world. Undeclared costs retries: only what provably did not run is
   * sent again.
   */
  effect?: Effect | undefined;
  /** How a write keeps one effect per key; a write that does not say is not admitted. */
  idempotency?: 'gateway' | 'key' | 'natural' | undefined;
  tags?: readonly string[] | Record<string, string> | undefined;
  /**
   * How long the handler may take. Longer makes every caller wait longer for a dead agent. Default
   * 2 000.
   */
  timeoutMs?: number | undefined;
  /** As much as a request may ask for instead of `timeoutMs`. Default: no more than that. */
  maxTimeoutMs?: number | undefined;
  maxQps?: number | undefined;
  /** Questions it is for, and those it is not for: they keep similar capabilities apart. */
  examples?: readonly string[] | undefined;
  notFor?: readonly string[] | undefined;
  /**
   * By what it is found beside its name, its display name and its aliases: tags and meaning (`auto`, the
   * default), nothing else (`exact`), or one of them. An operator may say otherwise.
   */
  strategy?: FindStrategy | undefined;
  /** Touches funds, returns, or changes orders: callers confirm before it runs. */
  sensitive?: boolean | undefined;
  /**
   * Looks at what is to be done, does none of it, and makes a code for it, where the gateway's rules
   * say `by: target`.
   */
  prepare?: Prepare | undefined;
  /** 0 to 100; chooses among equals. */
  priority?: number | undefined;
  version?: string | undefined;
  /**
   * Capabilities that may stand in, in this order, where this one cannot be reached. They take the
   * same parameters and do no more to the world.
   */
  fallback?: readonly string[] | undefined;
}

/** What is answered when something is prepared. */
export interface Prepared {
  /** 4 to 128 visible ASCII characters. The gateway keeps its hash alone. */
  code: string;
  /** What would be done, in a sentence for a person. */
  preview?: string | undefined;
  /** Less than what the rule says, if it should end sooner. */
  expires_in_ms?: number | undefined;
  /** True: the agent tells the code itself (a message to the card's owner), and the gateway to nobody. */
  out_of_band?: boolean | undefined;
}

/** Prepares a call. Must be harmless: it may be asked for any number of times and never come to more. */
export type Prepare = (params: never, ctx: Context) => Prepared | Promise<Prepared>;

/** What a handler may know beside its parameters. */
export interface Context {
  readonly capability: string;
  readonly requestId: string;
  readonly traceId: string;
  /** The span of the gateway's hop that led here. */
  readonly spanId: string;
  /** Which agent called; `anonymous` if it did not say. */
  readonly caller: string;
  readonly tenant: string;
  /** Present on keyed calls. A repeat under it within this process never reaches the handler. */
  readonly idempotencyKey: string | undefined;
  readonly deadline: Deadline;
  /**
   * Aborted when the answer can no longer be used: the deadline passed, the agent stops, or the
   * caller of a read went away.
   */
  readonly signal: AbortSignal;
  readonly userStamp: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly sourceId: string | undefined;
  /** The confirmation under which it is done, or prepared. */
  readonly confirmation: string | undefined;
  /** 1 for the first try of the gateway. */
  readonly attempt: number;
  /** For calls from here on. They carry deadline, trace, key and call token by themselves. */
  readonly reach: Reach;
  /** Every line carries the request and its trace. */
  readonly log: Log;
}

/** Does the work. Returns JSON, or throws: a `Rejection` for no, a `TryLater` for not now. */
export type Handler<Params, Result> = (params: Params, ctx: Context) => Result | Promise<Result>;

/** A capability that can be called. */
export interface Capability {
  spec: CapabilitySpec;
  handler: Handler<unknown, unknown>;
}

/** An agent has 2 s unless its capability says otherwise. */
export const CAPABILITY_TIMEOUT_MS = 2_000;
