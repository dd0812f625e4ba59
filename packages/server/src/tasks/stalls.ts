import type { EpochMs } from '@agent-reach/core/kernel';
import type { TaskRow } from '../storage/spi/tasks.ts';
import type { TaskRoom } from './room.ts';
import { orderOrNone } from './work.ts';

/**
 * Alive is not advancing: a holder may keep its lease and hang all the same. A running task is
 * stalled when neither its receipt nor a word of progress is younger than its `stall_after`.
 */
export function stalledSince(row: TaskRow, room: TaskRoom): EpochMs | undefined {
  if (row.state !== 'running') return undefined;
  const afterMs = orderOrNone(row)?.stallMs ?? room.options.stallMs;
  // Receipt and progress move it, a lease that is merely kept does not.
  const isStalled = afterMs > 0 && room.clock.now() - row.updatedAt >= afterMs;
  return isStalled ? row.updatedAt : undefined;
}

/** Running tasks looked at for one tenant; who has more learns of the others by asking. */
const LOOK_MAX = 5_000;
const PAGE = 500;

/** Stalls that were told of, so that each is told once. */
export type StallMemory = Set<string>;

/** Looks for stalled tasks of every tenant that has any in hand, and tells of each once. */
export async function sweepStalls(memory: StallMemory, room: TaskRoom): Promise<void> {
  const tenants = new Set<string>();
  for (const queue of room.book.all()) if (queue.held > 0) tenants.add(queue.tenant);
  const stalled = new Set<string>();
  for (const tenant of tenants) {
    for await (const row of running(tenant, room)) {
      const since = stalledSince(row, room);
      if (since === undefined) continue;
      const name = `${row.tenant}/${row.taskId}/${row.epoch}/${since}`;
      stalled.add(name);
      if (!memory.has(name)) tell(row, since, room);
    }
  }
  memory.clear();
  for (const name of stalled) memory.add(name);
}

function tell(row: TaskRow, since: EpochMs, room: TaskRoom): void {
  const { progress } = row;
  room.log.warn(
    {
      task: row.taskId,
      trace_id: row.traceId,
      agent: row.agentId,
      holder: row.holder,
      quiet_ms: room.clock.now() - since,
      ...(progress === undefined ? {} : { percent: progress.percent, note: progress.note }),
    },
    'a task makes no progress',
  );
}

async function* running(tenant: string, room: TaskRoom): AsyncGenerator<TaskRow> {
  let before: number | undefined;
  for (let seen = 0; seen < LOOK_MAX; seen += PAGE) {
    const from = before === undefined ? {} : { before };
    const rows = await room.store.list({ tenant, states: ['running'], limit: PAGE, ...from });
    yield* rows;
    if (rows.length < PAGE) return;
    before = rows.at(-1)?.seq;
  }
}
