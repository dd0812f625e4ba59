import {
  type Input,
  type Operation,
  OPERATIONS,
  type OperationName,
  type Output,
  type StreamName,
  type UnaryName,
} from '@agent-reach/core';
import type { OpenStream, StreamOptions } from './streams.ts';

// Design. Every operation of the table is also a method: `agents.get` becomes `reach.agents.get`.
// What stands in the path comes first, everything else is one object:
//
//   reach.agents.list({ capability: 'track_shipment' })
//   reach.agents.get('orders')
//   reach.agents.drain('orders', { reason: 'rolling restart' })
//
// The types below read that rule off the table's paths; `groupOf` builds the methods by it.

/** What one use of an operation may set. */
export interface InvokeOptions {
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Runs any operation of the table that answers once. */
export type Invoke = <K extends UnaryName>(
  name: K,
  input: Input<K>,
  options?: InvokeOptions,
) => Promise<Output<K>>;

type Path<K extends OperationName> = (typeof OPERATIONS)[K]['path'];

/** The field that a path takes, `never` if it takes none. */
type PathField<P extends string> = P extends `${string}{${infer Field}}${string}` ? Field : never;

/** An input may be left out when none of its fields is required. */
type Fields<T, O> = object extends T ? [fields?: T, options?: O] : [fields: T, options?: O];

type Parameters<K extends OperationName, O> = [PathField<Path<K>>] extends [never]
  ? Fields<Input<K>, O>
  : [id: string, ...Fields<Omit<Input<K>, PathField<Path<K>>>, O>];

type Verb<K extends OperationName> =
  K extends StreamName<'events'>
    ? (...parameters: Parameters<K, StreamOptions>) => AsyncGenerator<Output<K>>
    : K extends StreamName<'text'>
      ? (...parameters: Parameters<K, StreamOptions>) => AsyncGenerator<string>
      : (...parameters: Parameters<K, InvokeOptions>) => Promise<Output<K>>;

/** The nouns of the table. */
export type Noun = OperationName extends infer K
  ? K extends `${infer N}.${string}`
    ? N
    : never
  : never;

/** The operations of one noun as methods. */
export type Group<N extends Noun> = {
  [K in Extract<OperationName, `${N}.${string}`> as K extends `${N}.${infer V}`
    ? V
    : never]: Verb<K>;
};

/** Builds the methods of one noun. */
export function groupOf<N extends Noun>(noun: N, invoke: Invoke, open?: OpenStream): Group<N> {
  const verbs: Record<string, unknown> = {};
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const [owner, verb = ''] = name.split('.');
    if (owner === noun) verbs[verb] = verbOf(name, runnerOf(name, invoke, open));
  }
  return verbs as Group<N>;
}

type Run = (name: string, input: object, options: unknown) => unknown;

/** The public types are exact; inside, one function serves operations of every shape. */
function runnerOf(name: OperationName, invoke: Invoke, open: OpenStream | undefined): Run {
  const { stream }: Operation = OPERATIONS[name];
  return (stream === undefined || open === undefined ? invoke : open[stream]) as Run;
}

function verbOf(name: OperationName, anyInvoke: Run) {
  const field = /\{(\w+)\}/.exec(OPERATIONS[name].path)?.[1];
  if (field === undefined) {
    return (fields: object = {}, options?: InvokeOptions) => anyInvoke(name, fields, options);
  }
  return (id: string, fields: object = {}, options?: InvokeOptions) =>
    anyInvoke(name, { ...fields, [field]: id }, options);
}
