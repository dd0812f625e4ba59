import type { Stage } from '../show.ts';
import { TEXTS } from '../texts.ts';
import { pad, widthOf } from '../width.ts';
import type { Tally } from './tally.ts';

/** What is told of a run beside its counts. */
export interface RunFacts {
  printers: readonly string[];
  killed: string;
  seconds: number;
}

/** The counts of a run as a small table. */
export function report(tally: Tally, facts: RunFacts, { paint, language }: Stage): string[] {
  const texts = TEXTS[language].labels;
  const good = (count: number) => (count === 0 ? 'green' : 'red');
  const rows = [
    { name: texts.submitted, value: String(tally.submitted) },
    ...facts.printers.map((printer) => ({
      name: texts.printedBy(printer),
      value: String(tally.printedBy.get(printer) ?? 0),
      ...(printer === facts.killed ? { remark: texts.killed } : {}),
    })),
    { name: texts.redelivered, value: String(tally.redelivered.length) },
    { name: texts.lost, value: String(tally.lost.length), look: good(tally.lost.length) },
    { name: texts.double, value: String(tally.double.length), look: good(tally.double.length) },
    { name: texts.seconds, value: facts.seconds.toFixed(1) },
  ] as const;
  const nameWidth = Math.max(...rows.map(({ name }) => widthOf(name)));
  const valueWidth = Math.max(...rows.map(({ value }) => value.length));
  return rows.map((row) => {
    const value = pad(row.value, valueWidth, 'start');
    const shown = 'look' in row ? paint(row.look, value) : value;
    const remark = 'remark' in row ? `  ${paint('yellow', row.remark)}` : '';
    return `  ${pad(row.name, nameWidth)}  ${shown}${remark}`;
  });
}
