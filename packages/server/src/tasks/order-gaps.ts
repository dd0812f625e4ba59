import type { HistoryRow, TaskRow } from '../storage/spi/tasks.ts';
import type { Draft } from './draft.ts';
import { logTask } from './news.ts';
import type { TaskRoom } from './room.ts';
import { type Gap, orderIn } from './work.ts';

// Design. A source that counts its tasks may see them arrive out of order: two connections, a
// retry. The one behind a gap is given a delay when it is stored; when the missing one comes, the
// delay is taken away again. The store knows nothing of gaps: it keeps places, moments and turns.
// All of this may be lost between two moves without harm: the task then runs when its delay is over.

/** Sources count from 0 or from 1: what is first has nothing before it. */
const FIRST_MAX = 1;
/** Who stands at one place of a chain: one, unless a source counts wrong. */
const SAME_PLACE_MAX = 10;

/** Notes of each draft whether the one before it is missing, and delays it if so. */
export async function noteGaps(drafts: readonly Draft[], room: TaskRoom): Promise<void> {
  if (room.options.gapWaitMs === 0) return;
  const together = new Set(drafts.map(placeName));
  for (const draft of drafts) {
    const { chain, chainSeq, admission, deadlineMs, delayMs } = draft;
    if (chain === undefined || chainSeq === undefined || chainSeq <= FIRST_MAX) continue;
    const missing = chainSeq - 1;
    if (together.has(placeName({ chain, chainSeq: missing }))) continue;
    const { tenant } = admission;
    if (await isTaken({ tenant, chain, chainSeq: missing }, room)) continue;
    const waitMs = Math.min(room.options.gapWaitMs, Math.floor(deadlineMs / 2));
    draft.gap = { missing, waitMs, delayMs };
    draft.delayMs = Math.max(delayMs, waitMs);
    draft.warnings.push(
      `order_seq ${missing} of source ${chain} has not come: this one waits up to ${waitMs} ms for it.`,
    );
  }
}

/**
 * After tasks were stored: lets go who waited for one of them. Also one of them whose missing one
 * was stored between the look and the storing.
 */
export async function closeGaps(rows: readonly TaskRow[], room: TaskRoom): Promise<void> {
  if (room.options.gapWaitMs === 0) return;
  const together = new Set(rows.map(placeName));
  for (const row of rows) {
    const { chain, chainSeq } = row;
    if (chain === undefined || chainSeq === undefined) continue;
    const isNextHere = together.has(placeName({ chain, chainSeq: chainSeq + 1 }));
    try {
      await closeGapsAt({ ...row, chain, chainSeq }, isNextHere, room);
    } catch (error) {
      // The task was accepted: whoever waits for it is let go when his time is over.
      room.log.error({ err: error, task: row.taskId }, 'a gap in an order could not be closed');
    }
  }
}

async function closeGapsAt(
  row: TaskRow & Place,
  isNextHere: boolean,
  room: TaskRoom,
): Promise<void> {
  const { tenant, chain, chainSeq } = row;
  const gap = gapOf(row);
  if (gap !== undefined && (await isTaken({ tenant, chain, chainSeq: gap.missing }, room))) {
    await letGo(row, gap, room);
  }
  if (isNextHere) return;
  for (const next of await standingAt({ tenant, chain, chainSeq: chainSeq + 1 }, room)) {
    const its = gapOf(next);
    if (its !== undefined) await letGo(next, its, room);
  }
}

/** The gap behind which a task was stored, if there was one. */
export function gapOf(row: TaskRow): Gap | undefined {
  if (row.chainSeq === undefined) return undefined;
  try {
    return orderIn(row).gap;
  } catch {
    return undefined; // A broken order ends its task when it is delivered.
  }
}

/** Says that a task ran, or runs, without the one before it; undefined: it did not. */
export async function gapWarning(
  row: TaskRow,
  history: readonly HistoryRow[],
  room: TaskRoom,
): Promise<string | undefined> {
  const gap = gapOf(row);
  const claimed = history.find(({ cause }) => cause === 'claimed');
  if (gap === undefined || claimed === undefined || row.chain === undefined) return undefined;
  if (history.some(({ cause }) => cause === 'hastened')) return undefined;
  const { tenant, chain } = row;
  const [before] = await room.store.list({ tenant, chain, chainSeq: gap.missing, limit: 1 });
  if (before !== undefined && wasThere(before, claimed.at)) return undefined;
  return `It ran without order_seq ${gap.missing} of source ${chain}, which had not come within ${gap.waitMs} ms.`;
}

/** Within one moment only what had ended by then went first. */
function wasThere({ createdAt, endedAt }: TaskRow, at: number): boolean {
  return createdAt < at || (endedAt !== undefined && endedAt <= at);
}

async function letGo(row: TaskRow, gap: Gap, room: TaskRoom): Promise<void> {
  const answer = await room.store.hasten({
    tenant: row.tenant,
    taskId: row.taskId,
    delayMs: Math.max(0, row.createdAt + gap.delayMs - room.clock.now()),
    reason: `order_seq ${gap.missing} has come`,
    now: room.now(),
  });
  if (answer.outcome === 'ok') logTask('a gap in an order was closed', answer.row, room);
}

interface Place {
  tenant: string;
  chain: string;
  chainSeq: number;
}

async function isTaken(place: Place, room: TaskRoom): Promise<boolean> {
  return (await room.store.list({ ...place, limit: 1 })).length > 0;
}

/** Those at a place whom nobody has had yet. */
async function standingAt(place: Place, room: TaskRoom): Promise<TaskRow[]> {
  const rows = await room.store.list({
    ...place,
    states: ['blocked', 'waiting'],
    limit: SAME_PLACE_MAX,
  });
  return rows.filter(({ deliveries, attempts }) => deliveries === 0 && attempts === 0);
}

function placeName({
  chain,
  chainSeq,
}: {
  chain?: string | undefined;
  chainSeq?: number | undefined;
}): string {
  return JSON.stringify([chain, chainSeq]);
}
