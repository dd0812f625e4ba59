import { type Asker, ReachError } from '@agent-reach/core';
import { recordRefusal } from '../pipeline/record-task.ts';
import { degradeIn, reserveWork, settleWork, tellBudgets } from '../pipeline/spent.ts';
import type { Draft } from './draft.ts';
import type { TaskRoom } from './room.ts';

/**
 * Reserves what a task costs, before it is stored: nothing is accepted that a budget has not enough
 * for. A task that is there already is free, whatever is left. A refusal leaves its line in the audit.
 */
export async function payFor(draft: Draft, asker: Asker, room: TaskRoom): Promise<void> {
  const { admission, plan, taskId } = draft;
  try {
    draft.hold = await reserveWork(admission, plan.capability, room.road);
  } catch (thrown) {
    const error = ReachError.from(thrown);
    const { tenant } = admission;
    const isSpent = degradeIn(error) !== undefined;
    if (isSpent && (await room.store.get({ tenant, taskId })) !== undefined) return;
    recordRefusal(admission, error, plan, room.road);
    throw error;
  }
  draft.warnings.push(...(draft.hold?.warnings ?? []));
  tellBudgets(draft.hold?.rates, asker);
}

/** The task is accepted: what was reserved for it is used. */
export function paid(draft: Draft, room: TaskRoom): Promise<void> {
  return settle(draft, true, room);
}

/** Gives back what is still reserved for a task that is not stored. */
export function unpay(draft: Draft, room: TaskRoom): Promise<void> {
  return settle(draft, false, room);
}

function settle(draft: Draft, isAccepted: boolean, room: TaskRoom): Promise<void> {
  const { hold } = draft;
  // At once: whatever fails from here on, it is settled once.
  draft.hold = undefined;
  return settleWork(hold, isAccepted, room.road);
}
