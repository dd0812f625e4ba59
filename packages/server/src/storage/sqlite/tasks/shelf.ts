import { isReady } from '../../moves/move.ts';
import type { Shelf } from '../../moves/shelf.ts';
import { SELECT_TASK, type Stored } from '../../moves/stored.ts';
import type { Database } from '../database.ts';
import { writeLine } from './history.ts';
import { recount } from './lanes.ts';
import { saveTask, taskAt, taskOf } from './stored.ts';

/** The tables, to the moves that all drivers make alike: each word is a statement at once. */
export function shelfOn(db: Database): Shelf {
  return {
    save: (task) => saveTask(db, task),
    writeLine: (task, line) => writeLine(db, task, line),
    recount: (lane, from, to) => recount(db, lane, from, to),
    turnOf: (tenant, chain) => turnOf(db, tenant, chain),
    turnAfter: (tenant, chain) => taskOf(db, BLOCKED, tenant, chain),
  };
}

/** The task of a chain that has its turn. */
export function turnOf(db: Database, tenant: string, chain: string): Stored | undefined {
  return taskOf(db, TURN, tenant, chain);
}

/**
 * Of tasks that got their turn in the course of a move, those that have it at its end: the same move
 * may have ended them as well.
 */
export function stillReady(db: Database, next: readonly Stored[]): Stored[] {
  return next.map(({ seq }) => taskAt(db, seq)).filter(isReady);
}

// The conditions are those of the indexes, to the letter: else SQLite would not take them.
const TURN = `
  ${SELECT_TASK} FROM tasks
  WHERE tenant = ? AND chain = ? AND chain IS NOT NULL
    AND (state IN ('queued', 'waiting', 'delivered', 'running')
      OR (state = 'dead' AND on_dead IS NOT 'skip'))`;

const BLOCKED = `
  ${SELECT_TASK} FROM tasks
  WHERE tenant = ? AND chain = ? AND state = 'blocked'
  ORDER BY coalesce(chain_seq, 0), seq LIMIT 1`;
