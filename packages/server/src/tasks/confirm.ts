import { ReachError, type TaskTicket } from '@agent-reach/core';
import { confirmWork, wordOn } from '../pipeline/confirm-work.ts';
import { recordAsked, recordRefusal } from '../pipeline/record-task.ts';
import type { Draft } from './draft.ts';
import type { TaskRoom } from './room.ts';
import { durabilityOf } from './two-stores.ts';

/**
 * Asks for the word that a draft needs, or uses up the one that it came with: right before it is
 * stored. Answers what its submitter is told where nothing is stored; undefined: it may be. A full
 * queue after that costs the word: nobody may use one twice to find out.
 */
export async function confirmDraft(draft: Draft, room: TaskRoom): Promise<TaskTicket | undefined> {
  const { admission, plan, taskId, fallback, warnings } = draft;
  const { tenant } = admission;
  const demand = wordOn(tenant, plan, room.road);
  if (demand === undefined) return undefined;
  const { givenId } = draft;
  // What was stored already is not stored again: the store tells the same from another one.
  if (givenId !== undefined && (await room.store.get({ tenant, taskId: givenId })) !== undefined) {
    return undefined;
  }
  const work = { plan, demand, isFallback: fallback !== undefined, taskId: givenId };
  try {
    const word = await confirmWork(admission, work, room.road);
    if ('confirmation' in word) {
      draft.confirmation = word.confirmation;
      return undefined;
    }
    const { needs } = word;
    await recordAsked(admission, { plan, confirmation: needs.id }, room.road);
    return {
      task_id: taskId,
      status: 'needs_confirmation',
      confirmation: needs,
      position: 0,
      eta_ms: -1,
      eta_p90_ms: -1,
      durability: durabilityOf(taskId),
      trace_id: admission.trace.traceId,
      replayed: false,
      warnings,
    };
  } catch (thrown) {
    const error = ReachError.from(thrown);
    recordRefusal(admission, error, plan, room.road);
    throw error;
  }
}
