import type { Output } from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import { readCount, readParams } from '../input.ts';
import { changeLine, changesOf } from '../render/changes.ts';
import type { Page } from '../render/page.ts';
import { json, plain } from '../render/plain.ts';
import { type Column, facts, table } from '../render/table.ts';
import { momentOf, showTask, taskColumns, value } from '../render/task.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

type Letter = Output<'dead-letters.get'>;
type Edited = Output<'dead-letters.edit'>;
type Group = NonNullable<Output<'dead-letters.list'>['groups']>[number];

/** Which parked tasks the flags mean. */
export function filterOf(use: Use) {
  return given({
    agent: use.text('agent'),
    task_type: use.text('type'),
    cause: use.text('cause'),
    fingerprint: use.text('fingerprint'),
  });
}

/** `reach dead-letters list`: in which ways they went wrong how often, then the tasks. */
export async function listDeadLetters(use: Use, session: Session): Promise<void> {
  const data = await session.ask('dead-letters.list', {
    ...filterOf(use),
    ...given({ limit: readCount(use.text('limit'), '--limit') }),
  });
  const { groups = [], tasks } = data;
  // In a pipe one kind of line: the groups are a summary for people, and in `--json`.
  if (session.page.width === undefined || groups.length === 0) {
    session.list(data, tasks, taskColumns(session));
    return;
  }
  session.answer(data, (page) => {
    return `${table(groups, groupColumns(session), page)}\n${table(tasks, taskColumns(session), page)}`;
  });
}

function groupColumns(session: Session): Column<Group>[] {
  return [
    { title: 'COUNT', of: (group) => group.count, align: 'right' },
    { title: 'FINGERPRINT', of: (group) => group.fingerprint },
    { title: 'CAUSE', of: (group) => group.cause },
    { title: 'REASON', of: (group) => group.reason, flexible: true },
    { title: 'AGENTS', of: (group) => group.agents.join(' '), flexible: true },
    { title: 'LAST', of: (group) => momentOf(group.last_at, session) },
    { title: 'EXAMPLE', of: (group) => group.example },
  ];
}

/** `reach dead-letters show`: all that helps to decide; with `--payload` the payload alone. */
export async function showDeadLetter(use: Use, session: Session): Promise<void> {
  const edits = readCount(use.text('edits'), '--edits');
  const data = await session.ask('dead-letters.get', {
    task_id: use.required(0),
    ...given({ edits }),
  });
  if (use.on('payload')) {
    const { payload } = data.task;
    session.answer(payload, () => `${json(payload, true)}\n`);
    return;
  }
  session.answer(data, (page) => show(data, session, page));
}

function show(data: Letter, session: Session, page: Page): string {
  const { task, edits, orphans } = data;
  const late = orphans.map(({ at, epoch, result }) => {
    return value(`late result of ${momentOf(at, session)} (epoch ${epoch})`, result, page);
  });
  const changed = edits.map((edit) => showEdit(edit, session, page));
  const version = facts([['version', data.version]], page);
  const faults = showFaults(data.faults, page);
  return [showTask(task, session, page), version, faults, ...changed, ...late].join('');
}

function showFaults(faults: Letter['faults'], page: Page): string {
  if (faults.length === 0) return '';
  const lines = faults.map(({ pointer, detail }) => {
    return `  ${page.paint('red', '✗')} ${plain(`${pointer} ${detail}`)}\n`;
  });
  return `breaks the present schema\n${lines.join('')}`;
}

function showEdit(edit: Letter['edits'][number], session: Session, page: Page): string {
  const { at, by, reason, before, after, version } = edit;
  const why = reason === undefined ? '' : `: ${reason}`;
  const head = plain(`edit ${version} of ${momentOf(at, session)} by ${by}${why}`);
  const lines = changesOf(before, after).map((one) => `  ${changeLine(one, page)}\n`);
  return `${page.paint('dim', head)}\n${lines.join('')}`;
}

/** `reach dead-letters edit`: another payload, held to the present schema; the task stays parked. */
export async function editDeadLetter(use: Use, session: Session): Promise<void> {
  const said = use.text('payload');
  if (said === undefined) {
    throw new UsageError('Give the payload with --payload: a JSON text, @file or -.');
  }
  const data = await session.ask('dead-letters.edit', {
    task_id: use.required(0),
    payload: await readParams(said, [], session.world),
    ...given({
      version: readCount(use.text('version'), '--version'),
      reason: use.text('reason'),
    }),
  });
  tell(data, session);
}

/** `reach dead-letters undo`: the payload as it was before the last edit. */
export async function undoDeadLetter(use: Use, session: Session): Promise<void> {
  const id = use.required(0);
  const reason = given({ reason: use.text('reason') });
  tell(await session.ask('dead-letters.undo', { task_id: id, ...reason }), session);
}

function tell(data: Edited, session: Session): void {
  session.warn(data.warnings);
  session.answer(data, (page) => {
    return showTask(data.task, session, page) + showFaults(data.faults, page);
  });
  const id = plain(data.task.task_id);
  if (!session.isJson) {
    session.note(`${id} stays parked. Run it with \`reach dead-letters redrive ${id}\`.`);
  }
}

/** `reach dead-letters skip`: the ordered tasks behind it go on without it. */
export async function skipDeadLetter(use: Use, session: Session): Promise<void> {
  const reason = given({ reason: use.text('reason') });
  const task = await session.ask('dead-letters.skip', { task_id: use.required(0), ...reason });
  session.answer(task, (page) => showTask(task, session, page));
}
