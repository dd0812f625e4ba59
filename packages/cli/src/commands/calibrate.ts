import type { Ends, LocalCalibration, MisrouteBudget, Rate } from '@agent-reach/core';
import { readSource } from '../input.ts';
import type { Page } from '../render/page.ts';
import { percent } from '../render/percent.ts';
import { type Column, facts, table } from '../render/table.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';
import { PATIENCE_MS, readUtterances } from './evaluate.ts';
import { putPolicy } from './policies.ts';

/** `reach routes calibrate`: what labels of one's own make of the probability; `--apply` keeps it. */
export async function calibrate(use: Use, session: Session): Promise<void> {
  const source = use.required(0);
  const utterances = readUtterances(await readSource(source, session.world), source);
  const budget = use.text('budget') as MisrouteBudget | undefined;
  const input = { utterances, ...given({ budget, apply: use.on('apply') || undefined }) };
  // It reads all of them twice.
  const answer = await session.withReach((reach) =>
    reach.invoke('routes.calibrate', input, { timeoutMs: 2 * PATIENCE_MS }),
  );
  session.answer(answer, (page) => pageOf(answer, page));
  session.warn(answer.warnings);
  if (!session.isJson) session.note(nextOf(answer, source));
}

/** `reach calibration remove`: what ships decides again. */
export async function removeCalibration(use: Use, session: Session): Promise<void> {
  await putPolicy({ policy: 'calibration', doc: {}, expected: undefined }, use, session);
}

function pageOf(answer: LocalCalibration, page: Page): string {
  const rates = RATES.map(([name, of]) => {
    return { name, before: of(answer.before), after: of(answer.after) };
  });
  const parts = [table(rates, RATE_COLUMNS, page), table(answer.cuts, CUTS, page)];
  if (page.width === undefined) return parts.join('\n');
  const head = facts(
    [
      ['utterances', answer.utterances],
      ['labels', `${answer.labels}, decided by a probability`],
      ['budget', `${answer.budget} of 100 routed wrong`],
      ['fit', `slope ${answer.slope.toFixed(2)}, shift ${answer.shift.toFixed(2)}`],
    ],
    page,
  );
  return [head, ...parts].join('\n');
}

/** What to do with it. */
function nextOf(
  { version, labels, before, after, budget }: LocalCalibration,
  source: string,
): string {
  if (version !== undefined) {
    return `In force as version ${version} of the policy calibration; reach calibration rollback takes it back.`;
  }
  if (labels === 0) return 'There is nothing to apply.';
  const isKept = after.misrouted.low <= Number(budget) / 100;
  if (isKept && after.routed_right.count > before.routed_right.count) {
    return `Better: reach routes calibrate ${source} --apply`;
  }
  if (isKept && after.misrouted.count < before.misrouted.count) {
    return `More careful: reach routes calibrate ${source} --apply`;
  }
  return `No better, so leave it: reach routes evaluate ${source} says what is taken for what.`;
}

const RATES: readonly (readonly [string, (ends: Ends) => Rate])[] = [
  ['routed right', ({ routed_right: rate }) => rate],
  ['misrouted', ({ misrouted }) => misrouted],
  ['asked', ({ asked }) => asked],
  ['none', ({ none }) => none],
];

const shown = ({ of, share, low, high }: Rate) =>
  of === 0 ? '–' : `${percent(share)} (${percent(low)} to ${percent(high)})`;

const RATE_COLUMNS: Column<{ name: string; before: Rate; after: Rate }>[] = [
  { title: 'RATE', of: ({ name }) => name },
  { title: 'AS IT SHIPS', of: ({ before }) => shown(before), align: 'right' },
  { title: 'BY OWN LABELS', of: ({ after }) => shown(after), align: 'right' },
  {
    title: 'OF',
    of: ({ before, after }) => `${before.count} → ${after.count} of ${after.of}`,
    align: 'right',
  },
];

const CUTS: Column<LocalCalibration['cuts'][number]>[] = [
  { title: 'BUDGET', of: ({ budget }) => `${budget} %` },
  { title: 'ROUTED FROM', of: (row) => percent(row.shipped), align: 'right' },
  { title: 'THEN FROM', of: (row) => percent(row.route_from), align: 'right' },
  { title: 'WHICH IS', of: ({ detail }) => detail, flexible: true },
];
