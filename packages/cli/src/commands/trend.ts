import type { Output } from '@agent-reach/core';
import { readCount } from '../input.ts';
import { byWord } from '../render/looks.ts';
import { sparkline } from '../render/sparkline.ts';
import { type Column, table } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

type Row = Output<'agents.reachability'>['instances'][number];

/** What the other columns need, about; a narrow terminal still gets a line that says something. */
const OTHERS_WIDTH = 44;
const WIDTH_MIN = 20;
/** In a pipe nobody says how wide it may be. */
const WIDTH_PIPE = 60;

/** `reach agents trend`: the scores of each instance as a line of bars. */
export async function showTrend(use: Use, session: Session): Promise<void> {
  const data = await session.ask('agents.reachability', {
    agent_name: use.required(0),
    ...given({
      instance_id: use.text('instance'),
      minutes: readCount(use.text('minutes'), '--minutes'),
    }),
  });
  session.answer(data, (page) => table(data.instances, columns(page.width), page));
}

function columns(pageWidth: number | undefined): Column<Row>[] {
  const isPlain = pageWidth === undefined;
  const width = isPlain ? WIDTH_PIPE : Math.max(WIDTH_MIN, pageWidth - OTHERS_WIDTH);
  return [
    { title: 'INSTANCE', of: (row) => row.instance_id },
    { title: 'OBSERVED', of: (row) => row.observed, paint: byWord },
    { title: 'SCORE', of: (row) => row.reachability.score, align: 'right' },
    { title: 'LOW', of: (row) => lowest(row), align: 'right' },
    { title: 'TREND', of: (row) => sparkline(row.scores, { width, isPlain }) },
  ];
}

function lowest({ scores }: Row): number | undefined {
  const known = scores.filter((score) => score !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}
