import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Output, ReachError } from '@agent-reach/core';
import { EXIT, UsageError } from '../failure.ts';
import { readJson, readParams } from '../input.ts';
import { showTask } from '../render/task.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/**
 * `reach dead-letters edit`: the payload in the user's editor, or a given one, and then the task is
 * redriven. The gateway holds it to the present schema first; what it refuses is kept in its file.
 */
export async function editDeadLetter(use: Use, session: Session): Promise<number> {
  const id = use.required(0);
  const said = use.text('payload');
  if (said !== undefined) {
    const payload = await readParams(said, [], session.world);
    const task = await redrive(id, payload, use, session);
    session.answer(task, (page) => showTask(task, session, page));
    return EXIT.ok;
  }
  return editByHand(id, use, session);
}

async function editByHand(id: string, use: Use, session: Session): Promise<number> {
  const { task, faults } = await session.ask('dead-letters.get', { task_id: id });
  for (const { pointer, detail } of faults) session.note(`${pointer} ${detail}`);
  const folder = await mkdtemp(join(tmpdir(), 'reach-'));
  const file = join(folder, 'payload.json');
  const before = `${JSON.stringify(task.payload ?? null, undefined, 2)}\n`;
  await writeFile(file, before, { mode: 0o600 });
  await session.world.edit(file);
  const after = await readFile(file, 'utf8');
  if (after === before) {
    await rm(folder, { recursive: true });
    session.note('Nothing was changed, so nothing is redriven.');
    return EXIT.failed;
  }
  const answer = await keeping(file, id, async () => {
    return redrive(id, readJson(after, 'The payload'), use, session);
  });
  await rm(folder, { recursive: true });
  session.answer(answer, (page) => showTask(answer, session, page));
  return EXIT.ok;
}

/** Says where the text is when it was not taken: nobody types it twice. */
async function keeping<T>(file: string, id: string, work: () => Promise<T>): Promise<T> {
  const where = ` The text is in ${file}: mend it, and \`reach dead-letters edit ${id} --payload @${file}\`.`;
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(error.message + where);
    if (!ReachError.is(error)) throw error;
    throw new ReachError(error.code, error.message + where, error.facts, error.cause);
  }
}

function redrive(
  id: string,
  payload: unknown,
  use: Use,
  session: Session,
): Promise<Output<'dead-letters.redrive'>> {
  const more = given({ reason: use.text('reason') });
  return session.ask('dead-letters.redrive', { task_id: id, payload, ...more });
}
