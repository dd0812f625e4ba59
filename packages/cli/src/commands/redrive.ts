import { type Input, type Output, ReachError } from '@agent-reach/core';
import type { Reach } from '@agent-reach/sdk';
import { EXIT, UsageError } from '../failure.ts';
import { readCount, readParams } from '../input.ts';
import { LiveLine } from '../render/live.ts';
import { plain } from '../render/plain.ts';
import { type Column, table } from '../render/table.ts';
import { showTask } from '../render/task.ts';
import type { Session } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';
import { given, type Use } from '../use.ts';
import { filterOf } from './dead-letters.ts';

const RATE = 10;
const RATE_MAX = 100;
/** A batch is what this long takes: the line moves on, and Ctrl-C leaves little half done. */
const BATCH_S = 2;
const BATCH_MAX = 100;
const TIMEOUT_MS = 30_000;

type Batch = Output<'dead-letters.redrive-many'>;
type Would = NonNullable<Batch['would']>[number];

/**
 * `reach dead-letters redrive`: at a pace, because what failed together would fail together again
 * if it came back all at once. The gateway does a batch at a time and remembers nothing; this goes
 * on from its cursor, and if it is stopped the rest stays parked.
 */
export async function redriveDeadLetters(use: Use, session: Session): Promise<number> {
  if (use.has('payload')) return redriveMended(use, session);
  const plan = planOf(use);
  using going = untilStopped(session.world);
  // Awaited here: what goes on is disposed when this function returns.
  return await session.withReach(async (reach) => {
    const done = await redriveAll(plan, { session, reach, signal: going.signal });
    const isEmpty = [done.redriven, done.refused, done.would ?? []].every((one) => !one.length);
    session.answer(done, (page) => {
      if (done.would !== undefined) return table(done.would, WOULD, page);
      return done.redriven.map((id) => `${plain(id)} runs again\n`).join('');
    });
    if (isEmpty) session.note('No task is parked that is meant.');
    const fits = done.would?.every(({ fits: does }) => does) ?? true;
    return !isEmpty && fits && done.refused.length === 0 && !going.signal.aborted
      ? EXIT.ok
      : EXIT.failed;
  });
}

const WOULD: Column<Would>[] = [
  { title: 'TASK', of: (one) => one.task_id },
  { title: 'TYPE', of: (one) => one.task_type, flexible: true },
  { title: 'FITS', of: (one) => (one.fits ? 'yes' : 'no') },
  { title: 'WOULD TAKE IT', of: (one) => one.candidates.join(' ') || 'nobody now', flexible: true },
  {
    title: 'WHY NOT',
    of: ({ faults, absence }) =>
      faults.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; ') || absence,
    flexible: true,
  },
];

/** One task with another payload: held to the schema first, and undone by nobody. */
async function redriveMended(use: Use, session: Session): Promise<number> {
  const [id, ...others] = use.rest(0);
  if (id === undefined || others.length > 0) {
    throw new UsageError('--payload is for one task: name it.');
  }
  if (use.on('dryRun')) {
    throw new UsageError('--dry-run tries no payload: `edit` it first, which runs nothing.');
  }
  const task = await session.ask('dead-letters.redrive', {
    task_id: id,
    payload: await readParams(use.text('payload'), [], session.world),
    ...given({ reason: use.text('reason') }),
  });
  session.answer(task, (page) => showTask(task, session, page));
  return EXIT.ok;
}

type Fields = Input<'dead-letters.redrive-many'>;

interface Plan {
  /** Named in batches, or one selection that is gone through. */
  selections: Pick<Fields, 'ids' | 'agent' | 'task_type' | 'cause' | 'fingerprint' | 'all'>[];
  fields: Pick<Fields, 'dry_run' | 'reason' | 'rate'>;
  pauseMs: number;
  batch: number;
  most: number;
}

function planOf(use: Use): Plan {
  const rate = readCount(use.text('rate'), '--rate') ?? RATE;
  if (rate < 1 || rate > RATE_MAX) {
    throw new UsageError(`--rate ${rate}: write a whole number from 1 to ${RATE_MAX}.`);
  }
  const named = use.rest(0);
  const filter = filterOf(use);
  const selects = Object.keys(filter).length > 0 || use.on('all');
  if (named.length > 0 && selects) throw new UsageError('Name tasks, or select them by flags.');
  if (named.length === 0 && !selects) {
    throw new UsageError(
      'Name the tasks, or say --agent, --type, --cause, --fingerprint or --all.',
    );
  }
  const isDry = use.on('dryRun');
  const batch = isDry ? BATCH_MAX : Math.min(BATCH_MAX, rate * BATCH_S);
  const all = use.on('all') ? { all: true } : {};
  return {
    selections: named.length === 0 ? [{ ...filter, ...all }] : inBatches(named, batch),
    fields: { rate, ...given({ dry_run: isDry || undefined, reason: use.text('reason') }) },
    pauseMs: isDry ? 0 : 1_000 / rate,
    batch,
    most: readCount(use.text('limit'), '--limit') ?? Number.POSITIVE_INFINITY,
  };
}

function inBatches(ids: readonly string[], size: number): { ids: string[] }[] {
  const count = Math.ceil(ids.length / size);
  return Array.from({ length: count }, (_, i) => ({ ids: ids.slice(i * size, (i + 1) * size) }));
}

async function redriveAll(
  { selections, fields, pauseMs, batch, most }: Plan,
  { session, reach, signal }: { session: Session; reach: Reach; signal: AbortSignal },
): Promise<Batch> {
  using line = new LiveLine(session.world.err, !session.isJson);
  const done: Batch = { redriven: [], refused: [], ...(fields.dry_run ? { would: [] } : {}) };
  const count = () => done.redriven.length + done.refused.length + (done.would?.length ?? 0);
  let isFirst = true;
  for (const selection of selections) {
    let cursor: number | undefined;
    do {
      if (!isFirst) await session.clock.sleep(pauseMs, signal).catch(() => {}); // Looked at next.
      isFirst = false;
      const limit = Math.min(batch, most - count());
      if (signal.aborted || limit < 1) return done;
      const input = { ...selection, ...fields, limit, ...given({ cursor }) };
      const answer = await ask(input, { reach, signal });
      if (answer === undefined) return done;
      for (const { task_id: id, code, detail } of answer.refused) {
        line.clear();
        session.note(`reach: ${id}: ${code}: ${detail}`);
      }
      done.redriven.push(...answer.redriven);
      done.refused.push(...answer.refused);
      done.would?.push(...(answer.would ?? []));
      line.show(`${done.redriven.length} run again, ${done.refused.length} refused`);
      ({ cursor } = answer);
    } while (cursor !== undefined);
  }
  return done;
}

/** One batch; undefined when the user stopped it: what was done of it is done. */
async function ask(
  input: Fields,
  { reach, signal }: { reach: Reach; signal: AbortSignal },
): Promise<Batch | undefined> {
  try {
    return await reach.invoke('dead-letters.redrive-many', input, {
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    if (signal.aborted && ReachError.is(error)) return undefined;
    throw error;
  }
}
