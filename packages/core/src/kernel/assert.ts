/**
 * Ends the work at hand when something that cannot be is. An invariant that fails is a fault of
 * this program, never of its input: expected failures are `ReachError`s.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** A broken promise of the program to itself. Never caught to carry on, only to be reported. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}
