import { type Input, OPERATIONS, type OperationName, type Output } from '@agent-reach/core';

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

/** Runs any operation of the table. */
export type Invoke = <K extends OperationName>(
  name: K,
  input: Input<K>,
  options?: InvokeOptions,
) => Promise<Output<K>>;

type Path<K extends OperationName> = (typeof OPERATIONS)[K]['path'];

/** The field that a path takes, `never` if it takes none. */
type PathField<P extends string> = P extends `${string}{${infer Field}}${string}` ? Field : never;

/** An input may be left out when none of its fields is required. */
type Fields<T> = object extends T
  ? [fields?: T, options?: InvokeOptions]
  : [fields: T, options?: InvokeOptions];

type Parameters<K extends OperationName> = [PathField<Path<K>>] extends [never]
  ? Fields<Input<K>>
  : [id: string, ...Fields<Omit<Input<K>, PathField<Path<K>>>>];

type Verb<K extends OperationName> = (...parameters: Parameters<K>) => Promise<Output<K>>;

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
export function groupOf<N extends Noun>(noun: N, invoke: Invoke): Group<N> {
  const verbs: Record<string, unknown> = {};
  for (const name of Object.keys(OPERATIONS) as OperationName[]) {
    const [owner, verb = ''] = name.split('.');
    if (owner === noun) verbs[verb] = verbOf(name, invoke);
  }
  return verbs as Group<N>;
}

function verbOf(name: OperationName, invoke: Invoke) {
  const field = /\{(\w+)\}/.exec(OPERATIONS[name].path)?.[1];
  // The public types are exact; inside, one function serves operations of every shape.
  const anyInvoke = invoke as (name: string, input: object, options: unknown) => Promise<unknown>;
  if (field === undefined) {
    return (fields: object = {}, options?: InvokeOptions) => anyInvoke(name, fields, options);
  }
  return (id: string, fields: object = {}, options?: InvokeOptions) =>
    anyInvoke(name, { ...fields, [field]: id }, options);
}
