import type { Output } from '@agent-reach/core';
import { readCount } from '../input.ts';
import type { Page } from '../render/page.ts';
import { type Column, table } from '../render/table.ts';
import { momentOf, showTask, taskColumns, value } from '../render/task.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** `reach dead-letters list`: what is wrong how often, then the tasks. */
export async function listDeadLetters(use: Use, session: Session): Promise<void> {
  const data = await session.ask('dead-letters.list', {
    ...given({
      agent: use.text('agent'),
      task_type: use.text('type'),
      cause: use.text('cause'),
      limit: readCount(use.text('limit'), '--limit'),
    }),
  });
  const { causes, tasks } = data;
  // In a pipe one kind of line: the causes are a summary for people, and in `--json`.
  if (session.page.width === undefined || causes.length === 0) {
    session.list(data, tasks, taskColumns(session));
    return;
  }
  session.answer(data, (page) => {
    return `${table(causes, CAUSES, page)}\n${table(tasks, taskColumns(session), page)}`;
  });
}

const CAUSES: Column<Output<'dead-letters.list'>['causes'][number]>[] = [
  { title: 'COUNT', of: (row) => row.count, align: 'right' },
  { title: 'TYPE', of: (row) => row.task_type },
  { title: 'CAUSE', of: (row) => row.cause },
  { title: 'REASON', of: (row) => row.reason, flexible: true },
];

/** `reach dead-letters show`. */
export async function showDeadLetter(use: Use, session: Session): Promise<void> {
  const data = await session.ask('dead-letters.get', { task_id: use.required(0) });
  session.answer(data, (page) => show(data, session, page));
}

function show(data: Output<'dead-letters.get'>, session: Session, page: Page): string {
  const { task, faults, orphans } = data;
  const broken = faults.map((fault) => `  ${page.paint('red', '✗')} ${lineOf(fault)}\n`).join('');
  const late = orphans.map(({ at, epoch, result }) => {
    return value(`late result of ${momentOf(at, session)} (epoch ${epoch})`, result, page);
  });
  const head = broken === '' ? '' : `breaks the present schema\n${broken}`;
  return showTask(task, session, page) + head + late.join('');
}

function lineOf({ pointer, detail }: { pointer: string; detail: string }): string {
  return `${pointer} ${detail}`;
}
