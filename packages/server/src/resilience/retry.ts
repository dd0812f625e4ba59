import type { Effect, Executed } from '@agent-reach/core';

/**
 * Whether work may be sent once more: the one retry rule of the house.
 *
 * A read, or an idempotent write under a key, may be repeated unless the target gave its final
 * verdict. A plain write, and a capability that declares nothing, only when it provably did not
 * run. Nothing is repeated on `yes`.
 */
export function mayRepeat(effect: Effect | undefined, keyed: boolean, executed: Executed): boolean {
  if (executed === 'yes') return false;
  if (executed === 'no') return true;
  return effect === 'read' || (effect === 'idempotent_write' && keyed);
}
