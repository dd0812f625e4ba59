import { ReachError, type TaskView } from '@agent-reach/core';
import type { Reach } from '@agent-reach/sdk';
import { EXIT, UsageError } from '../failure.ts';
import { readCount } from '../input.ts';
import { bar, LiveLine } from '../render/live.ts';
import { plain } from '../render/plain.ts';
import type { Session } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';
import { given, type Use } from '../use.ts';

const RATE = 10;
const PAGE = 1_000;

/**
 * `reach dead-letters redrive`: at a pace, because what failed together would fail together again
 * if it came back all at once. Those that are chosen are found before the first runs, so that one
 * that dies again is not run in a circle.
 */
export async function redriveDeadLetters(use: Use, session: Session): Promise<number> {
  const perSecond = readCount(use.text('rate'), '--rate') ?? RATE;
  if (perSecond < 1) throw new UsageError('--rate 0: write a whole number from 1 on.');
  using going = untilStopped(session.world);
  // Awaited here: what goes on is disposed when this function returns.
  return await session.withReach(async (reach) => {
    const ids = await chosen(use, reach);
    const outcomes = await redriveAll(ids, {
      use,
      session,
      reach,
      signal: going.signal,
      perSecond,
    });
    session.answer({ redriven: outcomes.redriven, refused: outcomes.refused }, () => {
      return outcomes.redriven.map((id) => `${plain(id)} runs again\n`).join('');
    });
    if (ids.length === 0) session.note('No task is parked that is meant.');
    const isWhole = outcomes.redriven.length === ids.length;
    return isWhole ? EXIT.ok : EXIT.failed;
  });
}

async function chosen(use: Use, reach: Reach): Promise<string[]> {
  const named = use.rest(0);
  const filter = given({
    agent: use.text('agent'),
    task_type: use.text('type'),
    cause: use.text('cause'),
  });
  const selects = Object.keys(filter).length > 0 || use.on('all');
  if (named.length > 0 && selects) throw new UsageError('Name tasks, or select them by flags.');
  if (named.length > 0) return [...named];
  if (!selects) throw new UsageError('Name the tasks, or say --agent, --type, --cause or --all.');
  const most = readCount(use.text('limit'), '--limit') ?? Number.POSITIVE_INFINITY;
  const ids: string[] = [];
  for (let cursor: number | undefined; ids.length < most; ) {
    const input = { ...filter, limit: PAGE, ...given({ cursor }) };
    const page = await reach.deadLetters.list(input);
    ids.push(...page.tasks.map(({ task_id: id }: TaskView) => id));
    cursor = page.cursor;
    if (cursor === undefined) break;
  }
  return ids.slice(0, most);
}

interface Redriving {
  use: Use;
  session: Session;
  reach: Reach;
  signal: AbortSignal;
  perSecond: number;
}

async function redriveAll(
  ids: readonly string[],
  { use, session, reach, signal, perSecond }: Redriving,
): Promise<{ redriven: string[]; refused: { task_id: string; code: string }[] }> {
  using line = new LiveLine(session.world.err, !session.isJson);
  const fields = given({ reason: use.text('reason') });
  const redriven: string[] = [];
  const refused: { task_id: string; code: string }[] = [];
  for (const [i, id] of ids.entries()) {
    if (i > 0) await session.clock.sleep(1_000 / perSecond, signal).catch(() => {}); // Looked at next.
    if (signal.aborted) break;
    try {
      await reach.deadLetters.redrive(id, fields);
      redriven.push(id);
    } catch (error) {
      if (!ReachError.is(error) || error.code === 'connect-failed') throw error;
      line.clear();
      session.note(`reach: ${id}: ${error.code}: ${error.message}`);
      refused.push({ task_id: id, code: error.code });
    }
    const done = i + 1;
    line.show(`${bar((100 * done) / ids.length)} ${done} of ${ids.length}`);
  }
  return { redriven, refused };
}
