import type { Static } from 'typebox';
import type { Role } from './client.ts';
import type { ReachError } from './errors.ts';
import { AGENT_OPERATIONS } from './operations/agents.ts';
import { BUDGET_OPERATIONS } from './operations/budgets.ts';
import { CALL_OPERATIONS } from './operations/calls.ts';
import { CAPABILITY_OPERATIONS } from './operations/capabilities.ts';
import { CLIENT_OPERATIONS } from './operations/clients.ts';
import { CONFIRMATION_OPERATIONS } from './operations/confirmations.ts';
import { DEAD_LETTER_OPERATIONS } from './operations/dead-letters.ts';
import { ORDER_OPERATIONS } from './operations/orders.ts';
import { POLICY_OPERATIONS } from './operations/policies.ts';
import { QUEUE_OPERATIONS } from './operations/queues.ts';
import { ROUTE_OPERATIONS } from './operations/routes.ts';
import { SYSTEM_OPERATIONS } from './operations/system.ts';
import type { RateTold } from './rate.ts';
import { TASK_OPERATIONS } from './operations/tasks.ts';
import type { StreamEvent, TextStream } from './stream.ts';

/** The table of operations: the centre from which routes, types, clients and pages are made. */
export const OPERATIONS = {
  ...AGENT_OPERATIONS,
  ...CALL_OPERATIONS,
  ...ROUTE_OPERATIONS,
  ...TASK_OPERATIONS,
  ...DEAD_LETTER_OPERATIONS,
  ...ORDER_OPERATIONS,
  ...CAPABILITY_OPERATIONS,
  ...POLICY_OPERATIONS,
  ...BUDGET_OPERATIONS,
  ...CLIENT_OPERATIONS,
  ...CONFIRMATION_OPERATIONS,
  ...QUEUE_OPERATIONS,
  ...SYSTEM_OPERATIONS,
};

export type OperationName = keyof typeof OPERATIONS;
export type Input<K extends OperationName> = Static<(typeof OPERATIONS)[K]['input']>;
export type Output<K extends OperationName> = Static<(typeof OPERATIONS)[K]['output']>;

/** Operations whose answer goes on, and those that answer once. */
export type StreamName<Kind extends 'events' | 'text' = 'events' | 'text'> = {
  [K in OperationName]: (typeof OPERATIONS)[K] extends { stream: Kind } ? K : never;
}[OperationName];
export type UnaryName = Exclude<OperationName, StreamName>;

/** What a handler answers with. */
export type Answered<K extends OperationName> =
  K extends StreamName<'events'>
    ? AsyncIterable<StreamEvent<Output<K>>>
    : K extends StreamName<'text'>
      ? TextStream
      : Output<K>;

/** In whose name a client speaks, once its key has shown which one it is. */
export interface ClientStanding {
  /** The agent that it is bound to: it speaks for this one and for no other. */
  actsAs: string | undefined;
  /** It may change what is its own, and nothing of others in its tenant. */
  onlyOwn: boolean;
  role: Role | undefined;
}

/** Who asks and how the question came: what a handler may know beside its input. */
export interface Asker {
  tenant: string;
  /** The client's id, or in open mode what the request calls itself, else `anonymous`. */
  principal: string;
  /** What the client's key lets it be; absent where nobody is asked who he is. */
  client?: ClientStanding | undefined;
  /** Address of the other end of the connection. */
  peer: string;
  /** Scheme and host under which the gateway was asked; absent where no door asked. */
  origin?: string | undefined;
  /** Request headers, lower-case names. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborted when the asker goes away. */
  signal: AbortSignal;
  /** What could not be read safely in the field that the operation takes all the same. */
  unsafe?: ReachError | undefined;
  /** What the head of the answer shall say, written by whoever knows it. */
  told?: { rates?: readonly RateTold[] };
}

export type Handler<K extends OperationName> = (
  input: Input<K>,
  asker: Asker,
) => Promise<Answered<K>> | Answered<K>;

/** A handler for every operation: a missing one does not compile. */
export type Handlers = { [K in OperationName]: Handler<K> };

/** A room's share of the handlers, by the nouns it answers for. */
export type HandlersOf<Noun extends string> = {
  [K in Extract<OperationName, `${Noun}.${string}`>]: Handler<K>;
};
