import { isTaskEnd } from '@agent-reach/core/task-states';
import type { Database } from '../database.ts';
import { SELECT_TASK, type Stored, taskOf } from './stored.ts';

/**
 * Chains. A chain has no row and no lock of its own: its tasks' states are all there is, and a
 * unique index holds that one of them has its turn. So whatever ends that one frees the chain.
 */
export function hasTurn({ state, onDead }: Pick<Stored, 'state' | 'onDead'>): boolean {
  if (state === 'dead') return onDead !== 'skip';
  return state !== 'blocked' && !isTaskEnd(state);
}

/** The task of a chain that has its turn. */
export function turnOf(db: Database, tenant: string, chain: string): Stored | undefined {
  return taskOf(db, TURN, tenant, chain);
}

/** The first of the blocked ones. */
export function turnAfter(db: Database, tenant: string, chain: string | null): Stored | undefined {
  return chain === null ? undefined : taskOf(db, BLOCKED, tenant, chain);
}

/**
 * Whether one that goes before `holder` of a turn takes it from him: nobody can have begun, and
 * nobody who once held it can still speak for it.
 */
export function overtakes(task: Pick<Stored, 'chainSeq' | 'seq'>, holder: Stored): boolean {
  const isUntouched =
    (holder.state === 'queued' || holder.state === 'waiting') &&
    holder.deliveries === 0 &&
    holder.attempts === 0;
  return isUntouched && goesBefore(task, holder);
}

function goesBefore(a: Pick<Stored, 'chainSeq' | 'seq'>, b: Stored): boolean {
  return (
    (a.chainSeq ?? 0) - (b.chainSeq ?? 0) < 0 ||
    ((a.chainSeq ?? 0) === (b.chainSeq ?? 0) && a.seq < b.seq)
  );
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
