import type { ConfirmationView, NeedsConfirmation } from '@agent-reach/core';
import { readCount } from '../input.ts';
import { byWord } from '../render/looks.ts';
import { span } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { json } from '../render/plain.ts';
import { type Column, type Fact, facts } from '../render/table.ts';
import { momentOf } from '../render/task.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';
import { setPolicy } from './policies.ts';

/** `reach confirmations list`: what waits for somebody's word. */
export async function listConfirmations(use: Use, session: Session): Promise<void> {
  const limit = readCount(use.text('limit'), '--limit');
  const data = await session.ask('confirmations.list', given({ limit }));
  session.list(data, data.confirmations, columns(session));
}

/** `reach confirmations show`: exactly what would be done. */
export async function showConfirmation(use: Use, session: Session): Promise<void> {
  const view = await session.ask('confirmations.get', { id: use.required(0) });
  session.answer(view, (page) => shown(view, page));
}

/** `reach confirmations approve`, and what was approved. */
export async function approve(use: Use, session: Session): Promise<void> {
  const input = { id: use.required(0), ...given({ reason: use.text('reason') }) };
  const view = await session.ask('confirmations.approve', input);
  session.answer(view, (page) => shown(view, page));
}

/** `reach confirmations refuse`. */
export async function refuse(use: Use, session: Session): Promise<void> {
  const input = { id: use.required(0), ...given({ reason: use.text('reason') }) };
  const view = await session.ask('confirmations.refuse', input);
  session.answer(view, (page) => shown(view, page));
}

/** `reach confirmations set`: the whole document of rules. */
export const setRules = setPolicy('confirmations');

/** What a request is told that needs a word first, and how it goes on. */
export function showNeeds(needs: NeedsConfirmation, again: string, page: Page): string {
  const { id, by, preview, code, expires_in_ms: leftMs } = needs;
  const head: Fact[] = [
    ['confirmation', id],
    ['by', by],
    ['for', span(leftMs)],
  ];
  const how =
    by === 'human'
      ? `Somebody else approves it: reach confirmations approve ${id}\nThen: ${again} --confirmation ${id}`
      : `Then: ${again} --confirmation ${code ?? `${id}.CODE`}`;
  return `${facts([...head, ...previewFacts(preview)], page)}${paramsText(preview)}${how}\n`;
}

function shown(view: ConfirmationView, page: Page): string {
  const { preview } = view;
  const head: Fact[] = [
    ['confirmation', view.id],
    ['status', view.status, 'bold'],
    ['by', view.by],
    ['approvers', view.approvers?.join(', ')],
    ['decided by', view.decided_by],
    ['reason', view.reason],
    ['wrong tries', view.wrong_tries === 0 ? undefined : view.wrong_tries],
    ['asked at', view.created_at],
    ['until', view.expires_at],
  ];
  return `${facts([...head, ...previewFacts(preview)], page)}${paramsText(preview)}`;
}

function previewFacts(preview: ConfirmationView['preview']): Fact[] {
  return [
    ['asked by', preview.principal],
    ['on behalf of', preview.on_behalf_of],
    [preview.kind, preview.capability],
    ['agent', preview.agent],
    ['key', preview.idempotency_key],
    ['agent says', preview.says],
  ];
}

/** All of it, whatever it takes: what one does not see one does not approve. */
function paramsText({ params }: ConfirmationView['preview']): string {
  return `${json(params, true)}\n`;
}

function columns(session: Session): Column<ConfirmationView>[] {
  return [
    { title: 'CONFIRMATION', of: ({ id }) => id },
    { title: 'STATUS', of: ({ status }) => status, paint: byWord },
    { title: 'BY', of: ({ by }) => by },
    { title: 'ASKED BY', of: ({ principal }) => principal },
    { title: 'SINCE', of: (row) => momentOf(row.created_at, session) },
    { title: 'LEFT', of: (row) => span(row.expires_in_ms), align: 'right' },
    { title: 'WHAT', of: ({ preview }) => preview.capability },
    { title: 'WITH', of: ({ preview }) => JSON.stringify(preview.params), flexible: true },
  ];
}
