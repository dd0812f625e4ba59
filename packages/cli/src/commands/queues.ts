import type { Output } from '@agent-reach/core';
import { byWord } from '../render/looks.ts';
import { span } from '../render/moments.ts';
import type { Column } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

type Queue = Output<'queues.list'>['queues'][number];

/** `reach queues list`: one line a queue, the fullest first. */
export async function listQueues(use: Use, session: Session): Promise<void> {
  const data = await session.ask('queues.list', given({ agent: use.text('agent') }));
  session.list(data, data.queues, COLUMNS);
}

const COLUMNS: Column<Queue>[] = [
  { title: 'QUEUE', of: ({ agent, task_type: type }) => agent ?? `? ${type}`, flexible: true },
  { title: 'LEVEL', of: ({ level }) => level, paint: byWord },
  { title: 'BY', of: ({ level_by: by, away }) => (away === true ? 'agent away' : (by ?? '')) },
  { title: 'PENDING', of: ({ pending, limit }) => `${pending}/${limit}`, align: 'right' },
  { title: 'QUEUED', of: ({ queued }) => queued, align: 'right' },
  { title: 'WAITING', of: ({ waiting }) => waiting, align: 'right' },
  { title: 'BLOCKED', of: ({ blocked }) => blocked, align: 'right' },
  { title: 'RUNNING', of: ({ delivered, running }) => delivered + running, align: 'right' },
  { title: 'DEAD', of: ({ dead }) => dead, align: 'right' },
  { title: 'OLDEST', of: ({ oldest_wait_ms: ms }) => spanOf(ms), align: 'right' },
  { title: 'RUN P50', of: ({ run_p50_ms: ms }) => spanOf(ms), align: 'right' },
  { title: 'REACHED', of: ({ reach_rate: rate }) => percent(rate), align: 'right' },
];

function spanOf(ms: number | undefined): string {
  return ms === undefined ? '' : span(ms);
}

function percent(rate: number | undefined): string {
  return rate === undefined ? '' : `${Math.round(rate * 1_000) / 10} %`;
}
