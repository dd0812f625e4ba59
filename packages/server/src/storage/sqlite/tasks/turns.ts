import type { Database } from '../database.ts';
import { type Stored, taskAt } from './stored.ts';

/**
 * Of tasks that got their turn in the course of a move, those that have it at its end: the same move
 * may have ended them as well.
 */
export function stillReady(db: Database, next: readonly Stored[]): Stored[] {
  return next
    .map(({ seq }) => taskAt(db, seq))
    .filter(({ state }) => state === 'queued' || state === 'waiting');
}
