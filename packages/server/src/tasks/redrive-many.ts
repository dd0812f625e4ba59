import {
  type Asker,
  type Input,
  type Output,
  ReachError,
  validationFailed,
} from '@agent-reach/core';
import { planStored } from '../pipeline/plan-stored.ts';
import type { TaskName } from '../storage/spi/tasks.ts';
import { findDead, verdictOn } from './dead-letters.ts';
import { redrive } from './desk.ts';
import { queueOf } from './news.ts';
import { demandTask } from './read.ts';
import type { TaskRoom } from './room.ts';
import { type StoredTask, workOf } from './work.ts';

/** What failed together fails together again if it comes back all at once. */
const RATE = 10;
const BATCH_MAX = 100;
/** A request is held no longer: proxies cut what is silent for a minute. */
const HOLD_S = 20;

type Batch = Output<'dead-letters.redrive-many'>;

/**
 * Runs one batch of parked tasks again, at a pace. Nothing is remembered between two batches: each
 * redrive is one move of the store, whoever asks goes on from the cursor, and if he does not come
 * back the rest simply stays parked. Batches go from the newest to the oldest; within one the oldest
 * goes first. A task that dies again is behind the cursor: it is not run in a circle.
 */
export async function redriveMany(
  input: Input<'dead-letters.redrive-many'>,
  asker: Asker,
  room: TaskRoom,
): Promise<Batch> {
  const rate = input.rate ?? RATE;
  const most = Math.min(BATCH_MAX, input.dry_run === true ? BATCH_MAX : rate * HOLD_S);
  const limit = Math.min(input.limit ?? most, most);
  const batch = await batchOf(input, { tenant: asker.tenant, limit }, room);
  const more = batch.cursor === undefined ? {} : { cursor: batch.cursor };
  if (input.dry_run === true) {
    const { would, refused } = await rehearse(batch.names, room);
    return { redriven: [], refused, would, ...more };
  }
  const done: Batch = { redriven: [], refused: [] };
  for (const [i, name] of batch.names.entries()) {
    if (i > 0) await room.clock.sleep(1_000 / rate, asker.signal).catch(() => {}); // Looked at next.
    if (asker.signal.aborted || !room.watchers.isOpen) {
      // The same batch again: what was redriven is not parked any more.
      return { ...done, ...(batch.again === undefined ? {} : { cursor: batch.again }) };
    }
    try {
      demandRoom(await demandTask(name, room), room);
      const reason = input.reason === undefined ? {} : { reason: input.reason };
      await redrive({ task_id: name.taskId, ...reason }, asker, room);
      done.redriven.push(name.taskId);
    } catch (thrown) {
      done.refused.push(refusal(name, thrown));
    }
  }
  return { ...done, ...more };
}

async function batchOf(
  input: Input<'dead-letters.redrive-many'>,
  at: { tenant: string; limit: number },
  room: TaskRoom,
): Promise<{ names: TaskName[]; cursor?: number; again?: number }> {
  const { tenant } = at;
  const { ids, agent, task_type, cause, fingerprint } = input;
  const isFiltered = [agent, task_type, cause, fingerprint].some((one) => one !== undefined);
  const ways = [ids !== undefined, isFiltered || input.all === true].filter(Boolean).length;
  if (ways !== 1) {
    const detail = 'says which: ids alone, or any of agent, task_type, cause, fingerprint, or all';
    throw validationFailed('The request', [{ pointer: '#', detail }]);
  }
  if (ids !== undefined) {
    if (ids.length > at.limit) {
      const detail = `names ${ids.length} tasks; at this rate a batch is at most ${at.limit}`;
      throw validationFailed('The request', [{ pointer: '#/ids', detail }]);
    }
    return { names: [...new Set(ids)].map((taskId) => ({ tenant, taskId })) };
  }
  const { rows, cursor } = await findDead(input, { ...at, cursor: input.cursor }, room);
  const [newest] = rows;
  return {
    names: rows.toReversed(),
    ...(cursor === undefined ? {} : { cursor }),
    ...(newest === undefined ? {} : { again: newest.seq + 1 }),
  };
}

/** Backpressure holds for the desk as for everybody: what would overfill a queue stays parked. */
function demandRoom(task: StoredTask, room: TaskRoom): void {
  const limit = room.options.pendingMax;
  const { pending } = room.book.of(queueOf(task));
  if (pending < limit) return;
  const whose = task.agentId ?? `the unbound queue of ${task.taskType}`;
  throw new ReachError(
    'agent-busy',
    `${pending} tasks wait for ${whose}, and ${limit} is the most.`,
  );
}

function refusal({ taskId }: TaskName, thrown: unknown): Batch['refused'][number] {
  const { code, message, facts } = ReachError.from(thrown);
  const first = facts.errors?.[0];
  const where = first === undefined ? '' : ` ${first.pointer} ${first.detail}.`;
  return { task_id: taskId, code, detail: message.includes(where) ? message : message + where };
}

type Would = NonNullable<Batch['would']>[number];

/** What a batch would come to, without moving anything. */
async function rehearse(
  names: readonly TaskName[],
  room: TaskRoom,
): Promise<{ would: Would[]; refused: Batch['refused'] }> {
  const would: Would[] = [];
  const refused: Batch['refused'] = [];
  for (const name of names) {
    try {
      const task = await demandTask(name, room);
      if (task.state !== 'dead') {
        throw new ReachError('task-conflict', `Task ${task.taskId} is ${task.state}, not parked.`);
      }
      would.push(prospect(task, room));
    } catch (thrown) {
      refused.push(refusal(name, thrown));
    }
  }
  return { would, refused };
}

function prospect(task: StoredTask, room: TaskRoom): Would {
  const { taskId, taskType } = task;
  const { faults } = verdictOn(task, JSON.parse(task.payload), room);
  const about = { task_id: taskId, task_type: taskType, fits: faults.length === 0, faults };
  try {
    const plan = planStored(workOf(task, room), room.options.pushConcurrency, room.road);
    const there = plan.candidates.filter(({ slots }) => slots > 0);
    return {
      ...about,
      candidates: there.map(({ agentId }) => agentId),
      ...(plan.absence === undefined ? {} : { absence: plan.absence }),
    };
  } catch (error) {
    return { ...about, candidates: [], absence: ReachError.from(error).message };
  }
}
