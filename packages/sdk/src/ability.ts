import type { CapabilitySpec, Handler } from './capability.ts';

/** A handler that carries its own description. `agent.use` takes it. */
export type Ability<Params, Result> = Handler<Params, Result> & {
  readonly reachAbility: CapabilitySpec;
};

/**
 * Makes an existing function a capability: the twin of Python's `@reach_ability(name, description)`.
 * A function and not a decorator, because Node runs TypeScript by erasing types and decorators are
 * no types. The handler may be sync or async, and stays callable as it was.
 *
 *     export const queryOrder = reachAbility('query_order', 'Answers where an order is.', (p) => …);
 */
export function reachAbility<Params = Record<string, unknown>, Result = unknown>(
  name: string,
  description: string,
  handler: Handler<Params, Result>,
  more: Omit<CapabilitySpec, 'name' | 'description'> = {},
): Ability<Params, Result> {
  // A new function: the same handler may serve under two names.
  const ability: Handler<Params, Result> = (params, ctx) => handler(params, ctx);
  return Object.assign(ability, { reachAbility: { ...more, name, description } });
}
