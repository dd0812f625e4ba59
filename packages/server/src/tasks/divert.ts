import type { Candidate } from '../pipeline/plan.ts';
import { plansInstead } from '../pipeline/plan-instead.ts';
import { type Draft, selectorFor } from './draft.ts';
import { levelReason, markLevel, type Standing } from './levels.ts';
import type { TaskRoom } from './room.ts';
import type { Degraded } from './work.ts';

// Design. Which capability does a task is decided once, when it is submitted: then nothing has run,
// and its submitter can be told. From there on it is a task of the fallback. Where that one's agent
// goes away, it moves to another who offers the same and outdoes nobody, or waits unbound for one;
// it does not go back to what was asked for, which its submitter no longer expects and whose result
// may look otherwise. Who would rather have that cancels it and submits it anew.

/** Up to this a task is not urgent: where it would be in the way, it gives way. */
export const LOW_PRIORITY_MAX = 2;

/** Why a task should go elsewhere. */
interface Reason {
  by: Degraded['by'];
  /** A sentence of it. */
  says: string;
  /** Whether a queue takes it, for this reason. */
  takes: (candidate: Candidate, capability: string) => boolean;
}

/**
 * Turns a draft to a declared fallback: one that is not urgent where everybody who could do it is at
 * danger, to one who is not; any where nobody is there, to one who is and has room. Leaves it as it
 * is where nothing is declared, or nobody declared is better.
 */
export function divert(draft: Draft, room: TaskRoom): void {
  const { plan: asked, admission } = draft;
  const reason = reasonFor(draft, room);
  if (reason === undefined) return;
  const about = {
    selector: selectorFor(admission),
    requested: admission.envelope.fallback,
    limits: {
      path: admission.path,
      permits: admission.permits,
      slotsEach: room.options.pushConcurrency,
    },
  };
  for (const { plan, from, fallback } of plansInstead(asked, about, room.road)) {
    const { capability } = plan;
    const candidates = plan.candidates.filter((one) => reason.takes(one, capability));
    if (candidates.length === 0) continue;
    const who = from === 'request' ? 'the request' : 'its manifest';
    draft.plan = { ...plan, candidates };
    draft.fallback = fallback;
    draft.degraded = { by: reason.by };
    draft.warnings.push(
      `${reason.says} ${capability} does it instead of ${asked.capability}, as ${who} says.`,
      ...plan.warnings,
    );
    return;
  }
}

/** Why a draft should go elsewhere; undefined: it is well where it is. */
function reasonFor({ plan, priority, admission }: Draft, room: TaskRoom): Reason | undefined {
  const { tenant } = admission;
  const { capability, candidates, absence } = plan;
  const there = candidates.filter(({ slots }) => slots > 0);
  if (there.length === 0) {
    // Its source has a place there that is kept until its agent is back.
    if (candidates.some(({ isKept }) => isKept)) return undefined;
    const says = absence ?? `Nobody offers ${capability}.`;
    return { by: 'absence', says, takes: (one, other) => isOpen(one, other, tenant, room) };
  }
  if (priority > LOW_PRIORITY_MAX) return undefined;
  let first: { standing: Standing; agentId: string } | undefined;
  for (const { agentId } of there) {
    const standing = markLevel({ tenant, agentId, taskType: capability }, room, 1);
    if (standing.level !== 'danger') return undefined;
    first ??= { standing, agentId };
  }
  if (first === undefined) return undefined;
  const { standing, agentId } = first;
  return {
    by: standing.by,
    says: `The queue of ${agentId} ${levelReason(standing, room)}.`,
    takes: (one, other) =>
      isOpen(one, other, tenant, room) &&
      markLevel({ tenant, agentId: one.agentId, taskType: other }, room, 1).level !== 'danger',
  };
}

/** Whether somebody is there and has room: what would only have waited must not be refused. */
function isOpen(
  { agentId, slots }: Candidate,
  taskType: string,
  tenant: string,
  room: TaskRoom,
): boolean {
  const { pending } = room.book.of({ tenant, agentId, taskType });
  return slots > 0 && pending < room.options.pendingMax;
}
