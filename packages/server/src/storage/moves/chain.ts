import { isTaskEnd } from '@agent-reach/core/task-states';
import type { Stored } from './stored.ts';

/**
 * Chains. A chain has no row of its own: its tasks' states are all there is, and a unique index
 * holds that one of them has its turn. So whatever ends that one frees the chain.
 */
export function hasTurn({ state, onDead }: Pick<Stored, 'state' | 'onDead'>): boolean {
  if (state === 'dead') return onDead !== 'skip';
  return state !== 'blocked' && !isTaskEnd(state);
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

/** Whether `a` is before `b` in their chain. */
export function goesBefore(
  a: Pick<Stored, 'chainSeq' | 'seq'>,
  b: Pick<Stored, 'chainSeq' | 'seq'>,
): boolean {
  const ahead = (a.chainSeq ?? 0) - (b.chainSeq ?? 0);
  return ahead < 0 || (ahead === 0 && a.seq < b.seq);
}
