import type { Output } from '@agent-reach/core';
import { byWord } from '../render/looks.ts';
import { plain } from '../render/plain.ts';
import { type Column, table } from '../render/table.ts';
import { momentOf } from '../render/task.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';

type Place = Output<'orders.get'>['blocked'][number] & { place: string };

/** `reach orders get`: whose turn it is among the ordered tasks of a source, and who waits. */
export async function getOrder(use: Use, session: Session): Promise<void> {
  const data = await session.ask('orders.get', { source_id: use.required(0) });
  const places: Place[] = [
    ...(data.turn === undefined ? [] : [{ ...data.turn, place: 'turn' }]),
    ...data.blocked.map((one) => ({ ...one, place: 'behind' })),
    ...data.skipped.map((one) => ({ ...one, place: 'skipped' })),
  ];
  session.answer(data, (page) => {
    if (page.width === undefined) return table(places, columns(session), page);
    const says = data.says.map((sentence) => `${plain(sentence)}\n`).join('');
    return places.length === 0 ? says : `${says}\n${table(places, columns(session), page)}`;
  });
}

function columns(session: Session): Column<Place>[] {
  return [
    { title: 'PLACE', of: ({ place }) => place },
    { title: 'SEQ', of: (one) => one.order_seq, align: 'right' },
    { title: 'TASK', of: (one) => one.task_id },
    { title: 'STATUS', of: (one) => one.status, paint: byWord },
    { title: 'AGENT', of: (one) => one.agent ?? '', flexible: true },
    { title: 'SINCE', of: (one) => momentOf(one.since, session) },
    {
      title: 'WHY',
      of: ({ cause, reason }) => [cause, reason].filter(Boolean).join(': '),
      flexible: true,
    },
  ];
}
