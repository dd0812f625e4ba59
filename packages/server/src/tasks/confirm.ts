import { type Asker, type NeedsConfirmation, ReachError, type TaskTicket } from '@agent-reach/core';
import { confirmWork, wordOn, type WorkWord } from '../pipeline/confirm-work.ts';
import { recordAsked, recordRefusal } from '../pipeline/record-task.ts';
import type { Draft } from './draft.ts';
import { payFor, unpay } from './pay.ts';
import type { TaskRoom } from './room.ts';
import { durabilityOf } from './two-stores.ts';

/**
 * Binds a draft right before it is stored: asks for the word that it needs, or reserves what it costs
 * and then uses up the word that it came with, which a budget that refuses must not cost. Answers what
 * its submitter is told where nothing is to be stored; undefined: it may be. A full queue after that
 * costs the word: nobody may use one twice to find out.
 */
export async function bindDraft(
  draft: Draft,
  asker: Asker,
  room: TaskRoom,
): Promise<TaskTicket | undefined> {
  const word = await orRefused(draft, room, () => wordFor(draft, room));
  if (word !== undefined && 'needs' in word) return asked(draft, word.needs, room);
  await payFor(draft, asker, room);
  if (word === undefined) return undefined;
  try {
    const used = await orRefused(draft, room, word.use);
    if ('needs' in used) {
      await unpay(draft, room);
      return await asked(draft, used.needs, room);
    }
    draft.confirmation = used.confirmation;
    return undefined;
  } catch (thrown) {
    await unpay(draft, room);
    throw thrown;
  }
}

/** The word that a draft needs; undefined: none. */
async function wordFor(draft: Draft, room: TaskRoom): Promise<WorkWord | undefined> {
  const { admission, plan, givenId, fallback } = draft;
  const { tenant } = admission;
  const demand = wordOn(tenant, plan, room.road);
  if (demand === undefined) return undefined;
  // What was stored already is not stored again: the store tells the same from another one.
  if (givenId !== undefined && (await room.store.get({ tenant, taskId: givenId })) !== undefined) {
    return undefined;
  }
  const work = { plan, demand, isFallback: fallback !== undefined, taskId: givenId };
  return confirmWork(admission, work, room.road);
}

/** A refusal leaves its line in the audit. */
async function orRefused<T>(draft: Draft, room: TaskRoom, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = ReachError.from(thrown);
    recordRefusal(draft.admission, error, draft.plan, room.road);
    throw error;
  }
}

async function asked(
  draft: Draft,
  confirmation: NeedsConfirmation,
  room: TaskRoom,
): Promise<TaskTicket> {
  const { admission, plan, taskId, warnings } = draft;
  const line = { plan, confirmation: confirmation.id };
  await orRefused(draft, room, () => recordAsked(admission, line, room.road));
  return {
    task_id: taskId,
    status: 'needs_confirmation',
    confirmation,
    position: 0,
    eta_ms: -1,
    eta_p90_ms: -1,
    durability: durabilityOf(taskId),
    trace_id: admission.trace.traceId,
    replayed: false,
    warnings,
  };
}
