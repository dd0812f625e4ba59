import type { Stage } from '../show.ts';
import { pad, widthOf } from '../width.ts';
import type { Kind, Outcome } from './outcome.ts';
import { SHOP_TEXTS } from './texts.ts';
import type { Verdict } from './verdict.ts';

type Texts = (typeof SHOP_TEXTS)['en' | 'zh'];
/** Which questions a line of the table counts; without a `look` it is the title of those below it. */
interface Row {
  name: string;
  is: (one: Outcome) => boolean;
  look?: 'good' | 'bad' | 'plain';
}

const COLUMNS = ['zh', 'en'] as const;

/** The counts of a run by what was meant and by language. */
export function table(
  outcomes: readonly Outcome[],
  { sensitive }: Verdict,
  stage: Stage,
): string[] {
  const { paint, language } = stage;
  const texts = SHOP_TEXTS[language];
  const rows = rowsOf(texts);
  const width = Math.max(...rows.map(({ name }) => widthOf(name)), widthOf(texts.sensitive)) + 2;
  const cells = (values: readonly (string | number)[]) =>
    values.map((value) => pad(String(value), 6, 'start')).join('');
  const countOf = ({ is }: Row) => {
    const fit = outcomes.filter(is);
    const by = COLUMNS.map((one) => fit.filter(({ question }) => question.language === one).length);
    return [...by, fit.length];
  };
  const line = (row: Row) => {
    const counts = countOf(row);
    if (row.look === undefined) return `${pad(row.name, width)}${cells(counts)}`;
    const isBad = row.look === 'bad' && counts.some((count) => count > 0);
    const look = isBad ? 'red' : row.look === 'good' ? 'green' : 'dim';
    return `  ${pad(row.name, width - 2)}${paint(look, cells(counts))}`;
  };
  const money = paint(sensitive > 0 ? 'red' : 'green', pad(String(sensitive), 18, 'start'));
  return [
    paint('dim', `${pad('', width)}${cells([...COLUMNS, texts.all])}`),
    ...rows.map(line),
    `${pad(texts.sensitive, width)}${money}`,
  ];
}

function rowsOf(texts: Texts): Row[] {
  const title = (name: string, kind: Kind): Row => ({ name, is: (one) => one.kind === kind });
  const row = (kind: Kind, look: NonNullable<Row['look']>, by: Omit<Row, 'look'>): Row => {
    return { name: by.name, look, is: (one) => one.kind === kind && by.is(one) };
  };
  const asked = (isOffered: boolean) => (one: Outcome) =>
    one.end === 'asked' && one.isOffered === isOffered;
  const found = (isWanted: boolean) => (one: Outcome) =>
    one.end === 'reached' && one.isWanted === isWanted;
  const isReached = ({ end }: Outcome) => end === 'reached';
  const isAsked = ({ end }: Outcome) => end === 'asked';
  const isNone = ({ end }: Outcome) => end === 'none' || end === 'kept';
  return [
    title(texts.one, 'one'),
    row('one', 'good', { name: texts.right, is: found(true) }),
    row('one', 'plain', { name: texts.offered, is: asked(true) }),
    row('one', 'plain', { name: texts.without, is: asked(false) }),
    row('one', 'plain', { name: texts.none, is: isNone }),
    row('one', 'bad', { name: texts.wrong, is: found(false) }),
    title(texts.byName, 'by-name'),
    row('by-name', 'good', { name: texts.kept, is: ({ end }) => end === 'kept' }),
    row('by-name', 'plain', { name: texts.askedAll, is: isAsked }),
    row('by-name', 'plain', { name: texts.none, is: ({ end }) => end === 'none' }),
    row('by-name', 'bad', { name: texts.reached, is: found(true) }),
    row('by-name', 'bad', { name: texts.wrong, is: found(false) }),
    title(texts.several, 'several'),
    row('several', 'good', { name: texts.oneOffered, is: asked(true) }),
    row('several', 'plain', { name: texts.noneOffered, is: asked(false) }),
    row('several', 'plain', { name: texts.none, is: isNone }),
    row('several', 'bad', { name: texts.guessed, is: isReached }),
    title(texts.nobody, 'nobody'),
    row('nobody', 'good', { name: texts.honest, is: isNone }),
    row('nobody', 'plain', { name: texts.askedAll, is: isAsked }),
    row('nobody', 'bad', { name: texts.answered, is: isReached }),
    { name: texts.failed, is: ({ end }) => end === 'failed' },
  ];
}

/** Those that one should read, under titles. */
export function exceptions(outcomes: readonly Outcome[], stage: Stage): string[] {
  const texts = SHOP_TEXTS[stage.language];
  const list = (title: string, is: (one: Outcome) => boolean) => {
    const lines = outcomes.filter(is).map((one) => outcomeLine(one, stage));
    return lines.length === 0 ? [] : [stage.paint('yellow', title), ...lines];
  };
  const isMeant = ({ kind }: Outcome) => kind === 'one' || kind === 'several';
  return [
    ...list(texts.wrongTitle, (one) => one.end === 'reached' && !one.isWanted),
    ...list(texts.withoutTitle, (one) => {
      return isMeant(one) && one.end === 'asked' && !one.isOffered;
    }),
    ...list(texts.noneTitle, (one) => isMeant(one) && (one.end === 'none' || one.end === 'kept')),
    ...list(texts.failedTitle, ({ end }) => end === 'failed'),
  ];
}

/** What was asked, who was wanted, and what came of it. */
export function outcomeLine(one: Outcome, { paint, language }: Stage): string {
  const { text, wanted } = one.question;
  const who = wanted.length === 0 ? SHOP_TEXTS[language].nobodyWanted : wanted.join(' | ');
  return `  ${text}  ${paint('dim', who)}  ${gotOf(one)}`;
}

function gotOf(one: Outcome): string {
  switch (one.end) {
    case 'reached':
      return `→ ${one.capability} (${one.agent})`;
    case 'asked':
      return `? ${one.options.join(', ')}`;
    case 'kept':
      return '– NAMED_ONLY';
    case 'none':
      return '–';
    case 'failed':
      return `✗ ${one.code}`;
  }
}
