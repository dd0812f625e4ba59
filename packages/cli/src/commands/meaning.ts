import type {
  MeaningCandidate,
  MeaningView,
  NamedOnlyBy,
  RouteAnswer,
  RouteOption,
} from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import type { Page } from '../render/page.ts';
import { type Column, facts, table } from '../render/table.ts';
import { percent } from '../render/percent.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';

/** `reach routes choose`: which option was meant, or none of them. */
export async function choose(use: Use, session: Session): Promise<void> {
  const capability = use.operand(1);
  const isNone = use.on('none');
  if ((capability === undefined) !== isNone) {
    throw new UsageError('routes choose: name the capability that was meant, or say --none.');
  }
  const answer = await session.ask('routes.choose', {
    route_id: use.required(0),
    ...given({
      capability,
      none: isNone || undefined,
      intent: use.text('intent'),
      agent_id: use.text('as'),
    }),
  });
  session.answer(answer, () => `${LEARNED[answer.learned]}: ${answer.detail}\n`);
}

const LEARNED = { counts: 'learned', waits: 'noted', not: 'not learned' } as const;

/** What a decision asked back, and how the intent was read; nothing where neither is there. */
export function meaningParts(
  { options = [], meaning, route_id: routeId }: RouteAnswer,
  page: Page,
): string[] {
  const asked =
    options.length === 0
      ? []
      : [table(options, OPTION_COLUMNS, page) + next(routeId, options, page)];
  return meaning === undefined ? asked : [...asked, ...reading(meaning, page)];
}

/** Whoever reads a terminal is told what to do; whoever reads lines wants rows alone. */
function next(routeId: string, [first]: readonly RouteOption[], page: Page): string {
  if (page.width === undefined || first === undefined) return '';
  const line = `Say which: reach routes choose ${routeId} ${first.capability}, or --none`;
  return `${page.paint('dim', line)}\n`;
}

function reading(meaning: MeaningView, page: Page): string[] {
  const { right, among, route_from: routeFrom, ask_from: askFrom } = meaning;
  const head = facts(
    [
      ['read as', meaning.reason],
      ['right', bound(right, 'routed', routeFrom)],
      ['own labels', ownFit(meaning)],
      ['among 3', bound(among, 'asked', askFrom)],
      ['words', meaning.words.join(' ')],
      ['unknown', percent(meaning.unknown)],
      ['compared', `${meaning.compared} descriptions, by ${meaning.legs.join(' and ')}`],
      ['by name', namedOnly(meaning)],
    ],
    page,
  );
  if (meaning.candidates.length === 0) return [head];
  return [head, table(meaning.candidates, columnsFor(meaning), page)];
}

/** What no meaning leads to, and why. */
function namedOnly({ named_only: name, named_only_by: by }: MeaningView): string | undefined {
  return name === undefined || by === undefined ? name : `${name}: ${RESTRAINTS[by]}`;
}

const RESTRAINTS: Record<NamedOnlyBy, string> = {
  sensitive: 'it is sensitive',
  pin: 'it is pinned',
  operator: 'an operator set its strategy',
  manifest: 'its manifest sets its strategy',
};

const OPTION_COLUMNS: Column<RouteOption>[] = [
  { title: 'OPTION', of: (row) => row.capability },
  { title: 'NAME', of: (row) => row.display_name },
  { title: 'ALONE HAS', of: (row) => row.differs.join(' '), flexible: true },
  { title: 'NOT FOR', of: (row) => row.not_for.join('; '), flexible: true },
  { title: 'DESCRIPTION', of: (row) => row.description, flexible: true },
];

function columnsFor({ legs }: MeaningView): Column<MeaningCandidate>[] {
  const number = (title: string, of: (row: MeaningCandidate) => number | undefined) =>
    ({ title, of: (row) => of(row)?.toFixed(2), align: 'right' }) as Column<MeaningCandidate>;
  return [
    { title: 'CAPABILITY', of: (row) => row.capability, flexible: true },
    number('SCORE', (row) => row.score),
    ...legs.map((leg) => number(leg.toUpperCase(), (row) => row.legs[leg])),
    number('COVERS', (row) => row.coverage),
    number('PARAMS', (row) => row.schema),
    number('NOT FOR', (row) => row.boundary),
  ];
}

/** Nothing was measured where the best could not be right at all. */
function bound(part: number, what: string, from: number): string | undefined {
  return part === 0 ? undefined : `${percent(part)}, ${what} from ${percent(from)}`;
}

/** What labels of one's own made of the probability. */
function ownFit({ own_fit: fit }: MeaningView): string | undefined {
  if (fit === undefined) return undefined;
  const { own, shipped, labels, version, detail } = fit;
  const from = `${labels} of the policy calibration, version ${version}`;
  const said = detail === undefined ? '' : ` (${detail})`;
  if (own === undefined) return `${from}, not used${said}`;
  return `${from}: ${percent(own)}, as it ships ${percent(shipped)}${said}`;
}
