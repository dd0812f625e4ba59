import { advance, deniedOutcome, endedOutcome, receive, standingOf } from '../../moves/hold.ts';
import { orphanIn, resultIn, settleBy, verdictOf } from '../../moves/settle.ts';
import { SELECT_TASK, type Stored, toRow } from '../../moves/stored.ts';
import type { HolderOutcome, TasksStore } from '../../spi/tasks.ts';
import type { Transaction } from '../transaction.ts';
import { CHAINS_NAMED, passGates } from './chains.ts';
import { Results } from './results.ts';
import { TaskShelf } from './shelf.ts';
import { LOCK_NAMED, NAMED_TASKS, namesOf, tasksOf } from './stored.ts';

/** What a holder says of his task. */
export type Word =
  | { act: 'ack'; move: Parameters<TasksStore['ack']>[0] }
  | { act: 'progress'; move: Parameters<TasksStore['progress']>[0] }
  | { act: 'settle'; move: Parameters<TasksStore['settle']>[0] };

/**
 * Words of holders, heard one after the other. Their tasks are locked and read at once, with who
 * would get a turn that a verdict passes on; then what they changed is written.
 */
export async function speakAll(tx: Transaction, words: readonly Word[]): Promise<HolderOutcome[]> {
  const { shelf, now } = await lockTasks(tx, words);
  const results = new Results();
  const floor = { shelf, results, now };
  const outcomes = words.map((word): HolderOutcome => {
    const task = shelf.byName(word.move);
    if (task === undefined) return { outcome: 'unknown' };
    return word.act === 'settle' ? settle(floor, task, word.move) : speak(floor, task, word);
  });
  results.write(tx);
  shelf.write(tx);
  return results.tell(tx, outcomes);
}

/** Where words are heard. */
interface Floor {
  shelf: TaskShelf;
  results: Results;
  now: number;
}

async function lockTasks(
  tx: Transaction,
  words: readonly Word[],
): Promise<{ shelf: TaskShelf; now: number }> {
  const shelf = new TaskShelf();
  const settled = words.filter(({ act }) => act === 'settle');
  const ends = settled.length > 0 ? namesOf(settled.map(({ move }) => move)) : undefined;
  const [, tasks, next, now] = await Promise.all([
    ends && passGates(tx, CHAINS_NAMED, ends),
    tasksOf(tx, LOCK_NAMED, namesOf(words.map(({ move }) => move))),
    ends ? tasksOf(tx, NEXT_OF_NAMED, ends) : [],
    tx.clock(words[0]?.move.now ?? 'store'),
  ]);
  shelf.hold(tasks);
  shelf.hold(next);
  for (const { tenant, chain } of tasks) if (chain !== null) shelf.holdChain(tenant, chain);
  return { shelf, now };
}

/** Lets whoever holds the task do something to it; anybody else is told how he stands. */
function speak(
  { shelf, now }: Floor,
  task: Stored,
  word: Exclude<Word, { act: 'settle' }>,
): HolderOutcome {
  const standing = standingOf(task, word.move);
  if (standing === 'ended') return endedOutcome(task, undefined);
  if (standing !== 'holds') return deniedOutcome(task, standing);
  if (word.act === 'ack') receive(shelf, task, { ...word.move, now });
  else advance(shelf, task, { ...word.move, now });
  return { outcome: 'ok', row: toRow(task) };
}

function settle(
  { shelf, results, now }: Floor,
  task: Stored,
  move: Extract<Word, { act: 'settle' }>['move'],
): HolderOutcome {
  const { settlement, epoch } = move;
  const standing = standingOf(task, move);
  const cause = verdictOf(task, standing, settlement);
  if (cause === undefined) {
    const orphan = orphanIn(settlement, task, standing);
    if (orphan !== undefined) results.keepOrphan({ seq: task.seq, epoch, result: orphan, at: now });
    return standing === 'ended' ? endedOutcome(task, undefined) : deniedOutcome(task, standing);
  }
  const result = resultIn(settlement);
  if (result !== undefined) results.keep(task, result);
  return settleBy(shelf, task, { cause, standing, settlement, now });
}

/**
 * Of each chain that named tasks are of, the first that are blocked: as many as the names, for each
 * word may pass the turn on.
 */
const NEXT_OF_NAMED = `
  SELECT next.* FROM (
    SELECT tasks.tenant, tasks.chain, count(*) AS n
    FROM ${NAMED_TASKS} WHERE tasks.chain IS NOT NULL
    GROUP BY tasks.tenant, tasks.chain) AS wanted
  CROSS JOIN LATERAL (
    ${SELECT_TASK} FROM tasks
    WHERE tasks.tenant = wanted.tenant AND tasks.chain = wanted.chain AND state = 'blocked'
    ORDER BY coalesce(chain_seq, 0), seq LIMIT wanted.n FOR NO KEY UPDATE) AS next`;
