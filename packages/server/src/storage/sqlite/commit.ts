import type { Database } from './database.ts';
import { perform, type Request } from './operations.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/**
 * Group commit: runs the moves, in order, in one transaction, so that they share one sync of the
 * disk. One outcome a move; when this returns, what succeeded is durable.
 *
 * If anything fails, everything is undone and each move is run again in a transaction of its own:
 * the one at fault fails alone. That is slow, rare, and needs no savepoint on the good road. It is
 * right even when SQLite, on a full disk, gave up the whole transaction by itself.
 */
export function commit(db: Database, moves: readonly Request[]): Outcome[] {
  const alone = (move: Request) => outcomeOf(() => db.atomically(() => perform(db, move)));
  if (moves.length === 1) return moves.map(alone);
  try {
    return db.atomically(() => moves.map((move) => ({ value: perform(db, move) })));
  } catch {
    // Said again, and answered, by the move that fails alone.
    return moves.map(alone);
  }
}
