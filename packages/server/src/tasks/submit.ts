import { type Asker, ReachError, type TaskRequest, type TaskTicket } from '@agent-reach/core';
import { breathe } from '@agent-reach/core/kernel';
import { keyFor, taskUnderKey } from '../pipeline/order.ts';
import type { Candidate } from '../pipeline/plan.ts';
import { recordRefusal, recordSubmission } from '../pipeline/record-task.ts';
import { tellPlanned } from '../pipeline/watch.ts';
import type { NewTask, SubmitOutcome, TaskRow } from '../storage/spi/tasks.ts';
import { type QueueName, retryAfterMs } from './book.ts';
import { inOrderOfQueues } from './choose.ts';
import { bindDraft } from './confirm.ts';
import { divert, LOW_PRIORITY_MAX } from './divert.ts';
import { type Draft, draftOf, orderText } from './draft.ts';
import { levelReason, markLevel } from './levels.ts';
import { logTask, told } from './news.ts';
import { closeGaps, noteGaps } from './order-gaps.ts';
import { paid, unpay } from './pay.ts';
import { get } from './read.ts';
import type { TaskRoom } from './room.ts';
import { ticketAgain, ticketOf } from './ticket.ts';
import { taskNotFound } from './words.ts';

/** A draft on its way into the store: the queues that may take it, the next one first. */
interface Pending {
  place: number;
  draft: Draft;
  /** Agents still to be asked; none: the unbound queue. */
  queues: (Candidate | undefined)[];
  at: number;
}

/** Rows of a bulk that are drafted in one go: some milliseconds in which nobody else is served. */
const BREATH = 32;

/** What became of one submission. */
export type Submitted = { ticket: TaskTicket } | { error: ReachError };

/**
 * Submits one task; throws what a bulk would say of it. With `wait` the request is held until the
 * task is over, and its ticket then carries the result; else it says where to go on waiting.
 */
export async function submit(
  request: TaskRequest,
  asker: Asker,
  room: TaskRoom,
): Promise<TaskTicket> {
  const [outcome] = await submitMany([request], asker, room);
  if (outcome === undefined || 'error' in outcome) {
    throw outcome?.error ?? new ReachError('internal', 'A submission ended nowhere.');
  }
  const { ticket } = outcome;
  const { wait = 0 } = request;
  if (wait === 0 || ticket.confirmation !== undefined) return ticket;
  const task = await get({ task_id: ticket.task_id, wait }, asker, room);
  const { status, position = 0, eta_ms = 0, eta_p90_ms = 0, cause, reason, result, resume } = task;
  return {
    ...ticket,
    status,
    position,
    eta_ms,
    eta_p90_ms,
    ...(cause === undefined ? {} : { cause }),
    ...(reason === undefined ? {} : { reason }),
    ...(result === undefined ? {} : { result }),
    ...(resume === undefined ? {} : { resume }),
  };
}

/**
 * Submits tasks, each by itself, in their order. Whoever is full is passed over while another
 * candidate is left: 503 only when all are.
 */
export async function submitMany(
  requests: readonly TaskRequest[],
  asker: Asker,
  room: TaskRoom,
): Promise<Submitted[]> {
  const results: Submitted[] = [];
  const drafts: { place: number; draft: Draft }[] = [];
  const at = room.road.clock.now();
  for (const [place, request] of requests.entries()) {
    if (place % BREATH === BREATH - 1) await breathe();
    try {
      const draft = await draftOf(request, asker, room);
      if ('repeats' in draft) {
        results[place] = await again(draft.repeats, asker.tenant, room);
        continue;
      }
      drafts.push({ place, draft });
    } catch (thrown) {
      results[place] = { error: ReachError.from(thrown) };
    }
  }
  await noteGaps(
    drafts.map(({ draft }) => draft),
    room,
  );
  let pending: Pending[] = [];
  for (const one of drafts) {
    try {
      divert(one.draft, room);
      demandQueue(one.draft, room);
      const asked = await bindDraft(one.draft, asker, room);
      if (asked !== undefined) {
        results[one.place] = { ticket: asked };
        continue;
      }
      pending.push({ ...one, queues: queuesFor(one.draft, room), at });
    } catch (thrown) {
      await unpay(one.draft, room);
      results[one.place] = { error: ReachError.from(thrown) };
    }
  }
  const stored: TaskRow[] = [];
  try {
    while (pending.length > 0) {
      const [now, later] = inStep(pending);
      const left = await storeRound(now, { results, stored }, room);
      // As they came: a chain is in the order of its submissions.
      pending = [...left, ...later].sort((a, b) => a.place - b.place);
    }
  } catch (thrown) {
    // A store that failed has said nothing of what it took: whoever comes again is not to pay twice.
    await Promise.all(drafts.map(({ draft }) => unpay(draft, room)));
    throw thrown;
  }
  await closeGaps(stored, room);
  return results;
}

/**
 * Whom a round may try to store without breaking an order: of a chain's tasks those that meet the
 * same bound as its first. If the queue of one is full, that of those after it in the round is too,
 * so none of them goes before one that must try elsewhere.
 */
function inStep(pending: readonly Pending[]): [now: Pending[], later: Pending[]] {
  const leaders = new Map<string, string>();
  const stopped = new Set<string>();
  const now: Pending[] = [];
  const later: Pending[] = [];
  for (const one of pending) {
    const { chain, priority } = one.draft;
    if (chain === undefined) {
      now.push(one);
      continue;
    }
    const { agentId, taskType } = queueName(one.draft, one.queues[0]);
    const bound = JSON.stringify([agentId ?? null, agentId ?? taskType, priority === 10]);
    const leader = leaders.get(chain) ?? bound;
    leaders.set(chain, leader);
    if (leader !== bound) stopped.add(chain);
    (stopped.has(chain) ? later : now).push(one);
  }
  return [now, later];
}

/** One try for each that is left; answers those whose queue was full and who have another one. */
async function storeRound(
  pending: readonly Pending[],
  { results, stored }: { results: Submitted[]; stored: TaskRow[] },
  room: TaskRoom,
): Promise<Pending[]> {
  const { pendingMax, reservePercent } = room.options;
  const outcomes = await room.store.submit({
    tasks: pending.map((one) => newTask(one, room)),
    pendingMax,
    reserve: Math.ceil((pendingMax * reservePercent) / 100),
    now: room.now(),
  });
  const left: Pending[] = [];
  await Promise.all(
    pending.map(async (one, i) => {
      const outcome = outcomes[i];
      if (outcome === undefined) throw new ReachError('internal', 'The store lost a submission.');
      if (outcome.outcome === 'busy' && one.queues.length > 1) {
        left.push(passOn(one, room));
        return;
      }
      if (outcome.outcome === 'accepted') stored.push(outcome.row);
      try {
        results[one.place] = { ticket: await conclude(one, outcome, room) };
      } catch (thrown) {
        const error = ReachError.from(thrown);
        const { admission, plan } = one.draft;
        recordRefusal(admission, error, plan, room.road);
        results[one.place] = { error };
      }
    }),
  );
  return left;
}

/** Each name that nobody offers is a queue of its own, and anybody can make up names. */
function demandQueue({ plan, admission }: Draft, room: TaskRoom): void {
  if (plan.candidates.some(({ slots }) => slots > 0)) return;
  const { tenant } = admission;
  const { unboundQueuesMax } = room.options;
  const queue = room.book.of({ tenant, agentId: undefined, taskType: plan.capability });
  if (queue.pending > 0 || room.book.unbound(tenant).length < unboundQueuesMax) return;
  throw new ReachError(
    'agent-busy',
    `Tasks wait for ${unboundQueuesMax} capabilities that nobody offers, the most that may. Nothing was stored.`,
    { capability: plan.capability, limit: unboundQueuesMax, retry_after_ms: 30_000 },
  );
}

/** The queues of a draft in the order of choice; where nobody is there, the unbound one. */
function queuesFor(draft: Draft, room: TaskRoom): (Candidate | undefined)[] {
  const { plan, admission } = draft;
  const ordered = inOrderOfQueues(plan, admission.tenant, room);
  const queues = ordered.length === 0 ? [undefined] : ordered;
  const first = queueName(draft, queues[0]);
  tellPlanned(admission, plan, first.agentId, room.road);
  // Noted at once, so that the rows of a bulk share; the store's next reading puts it right.
  room.book.move(first, { pending: 1 });
  if (ordered.length === 0) draft.warnings.push(unboundWarning(draft));
  calm(draft, first, room);
  return queues;
}

/** The next queue for a draft whose first one was full. */
function passOn(one: Pending, room: TaskRoom): Pending {
  const queues = one.queues.slice(1);
  room.book.move(queueName(one.draft, one.queues[0]), { pending: -1 });
  room.book.move(queueName(one.draft, queues[0]), { pending: 1 });
  return { ...one, queues };
}

function queueName({ admission, plan }: Draft, candidate: Candidate | undefined): QueueName {
  return { tenant: admission.tenant, agentId: candidate?.agentId, taskType: plan.capability };
}

function unboundWarning({ plan }: Draft): string {
  const why = plan.absence ?? `Nobody offers ${plan.capability}.`;
  return `${why} The task waits unbound, and goes to the first who registers for it.`;
}

const LOW_DELAY_MS = 5_000;

/** In a queue near its end, what is not urgent waits, and its submitter is told. */
function calm(draft: Draft, queue: QueueName, room: TaskRoom): void {
  const standing = markLevel(queue, room);
  if (standing.level !== 'danger' || draft.priority > LOW_PRIORITY_MAX) return;
  draft.delayMs = Math.max(
    draft.delayMs,
    Math.round(LOW_DELAY_MS * (0.8 + 0.4 * room.road.random.next())),
  );
  draft.degraded ??= { by: standing.by };
  draft.warnings.push(
    `The queue ${levelReason(standing, room)}. A task of priority ${draft.priority} starts ${draft.delayMs} ms later.`,
  );
}

function newTask({ draft, queues }: Pending, room: TaskRoom): NewTask {
  const { admission, plan, taskId } = draft;
  const [bound] = queues;
  const key = draft.isShort ? undefined : keyFor(admission, taskId, plan.capability, room.road);
  return {
    tenant: admission.tenant,
    taskId,
    taskType: plan.capability,
    kind: 'task',
    fingerprint: draft.fingerprint,
    principal: admission.principal,
    traceId: admission.trace.traceId,
    ...(draft.parentId === undefined ? {} : { parentId: draft.parentId }),
    ...(bound === undefined ? {} : { agentId: bound.agentId }),
    ...(bound?.group === undefined ? {} : { group: bound.group }),
    ...(bound?.home === undefined ? {} : { home: bound.home }),
    ...(bound?.effect === undefined ? {} : { effect: bound.effect }),
    priority: draft.priority,
    ...(draft.chain === undefined ? {} : { chain: draft.chain }),
    ...(draft.chainSeq === undefined ? {} : { chainSeq: draft.chainSeq }),
    ...(draft.onDead === undefined ? {} : { onDead: draft.onDead }),
    attemptsMax: draft.attemptsMax,
    selector: orderText(draft),
    payload: draft.payload,
    ...(draft.delayMs === 0 ? {} : { delayMs: draft.delayMs }),
    deadlineMs: draft.deadlineMs,
    ...(key === undefined ? {} : { key }),
  };
}

async function conclude(
  { draft, queues, at }: Pending,
  outcome: SubmitOutcome,
  room: TaskRoom,
): Promise<TaskTicket> {
  const queue = queueName(draft, queues[0]);
  const isAccepted = outcome.outcome === 'accepted';
  if (!isAccepted) room.book.move(queue, { pending: -1 });
  const settled = isAccepted ? paid(draft, room) : unpay(draft, room);
  // Who is refused may come again at once, and finds what was given back.
  if (!isAccepted) await settled;
  switch (outcome.outcome) {
    case 'accepted': {
      const { row, ahead } = outcome;
      told(row, 'pending', room); // Counted when its queue was chosen.
      logTask('a task was accepted', row, room, toldOf(draft));
      const { agentId, taskId } = row;
      const { admission, plan, isShort, fallback, confirmation } = draft;
      const line = { taskId, plan, agentId, fallback, confirmation, at };
      const written = recordSubmission(admission, line, room.road);
      // Whoever may lose a task may lose its line: waiting for it would be waiting for the disk.
      if (!isShort) await written;
      return ticketOf(
        row,
        { ahead, replayed: false, order: draft, warnings: draft.warnings },
        room,
      );
    }
    case 'same':
      return ticketAgain(outcome.row, room);
    case 'conflict':
      throw new ReachError(
        'task-conflict',
        `Task ${draft.taskId} was submitted with other content. Use a new id for a new task.`,
        { task_id: draft.taskId },
      );
    case 'key-held': {
      const taskId = taskUnderKey(draft.admission, outcome.record);
      if (taskId === undefined) throw new ReachError('internal', 'A key is held by nobody.');
      const repeated = await again(taskId, draft.admission.tenant, room);
      if ('error' in repeated) throw repeated.error;
      return repeated.ticket;
    }
    case 'parent-cancelled':
      throw new ReachError(
        'task-conflict',
        `Task ${outcome.parent.taskId}, the parent, was cancelled: it gets no children.`,
        { task_id: outcome.parent.taskId },
      );
    case 'busy':
      throw busy(draft, queue, outcome.pending, room);
  }
}

/** What the log is told of a task that is taken otherwise than asked for. */
function toldOf({ degraded, fallback }: Draft): Record<string, unknown> {
  if (degraded === undefined) return {};
  return { degraded: degraded.by, ...(fallback === undefined ? {} : { asked: fallback.of }) };
}

async function again(taskId: string, tenant: string, room: TaskRoom): Promise<Submitted> {
  const row = await room.store.get({ tenant, taskId });
  if (row === undefined) return { error: taskNotFound(taskId) };
  return { ticket: await ticketAgain(row, room) };
}

/** 503: everybody who could take it is full. */
function busy(draft: Draft, queue: QueueName, pending: number, room: TaskRoom): ReachError {
  const { pendingMax } = room.options;
  const slots = draft.plan.candidates.find((c) => c.agentId === queue.agentId)?.slots ?? 1;
  const load = { slots, chance: room.road.random.next() };
  const names = draft.plan.candidates.map(({ agentId }) => agentId);
  const who =
    queue.agentId === undefined ? `Nobody is there for ${queue.taskType}, and` : 'Agent Busy:';
  return new ReachError(
    'agent-busy',
    `${who} ${pending} tasks wait${names.length > 1 ? ` for each of ${names.slice(0, 5).join(', ')}` : ''}, and ${pendingMax} is the most. Nothing was stored.`,
    {
      ...(queue.agentId === undefined ? {} : { agent: queue.agentId }),
      capability: queue.taskType,
      limit: pendingMax,
      size: pending,
      retry_after_ms: retryAfterMs({ ...room.book.of(queue), pending }, pendingMax, load),
    },
  );
}
