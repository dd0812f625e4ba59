import type { Look, Page } from './page.ts';
import { plain } from './plain.ts';
import { fit, widthOf } from './width.ts';

/** One column of a table. */
export interface Column<Row> {
  title: string;
  of(row: Row): string | number | undefined;
  align?: 'right';
  /** Gives way first when the terminal is narrow. */
  flexible?: boolean;
  /** How a cell looks; receives it cut and padded. */
  paint?(cell: string, row: Row, page: Page): string;
}

const GAP = '  ';
const FLEXIBLE_WIDTH_MIN = 8;
const WIDTH_MIN = 3;

/**
 * Rows as lines, each with its line break. On a terminal: a title line, aligned columns, cut to its
 * width. Else one row a line, fields between tabs, no titles: what `cut`, `sort` and `awk` expect.
 */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  page: Page,
): string {
  const cells = rows.map((row) => columns.map((column) => plain(String(column.of(row) ?? ''))));
  if (page.width === undefined) return cells.map((line) => `${line.join('\t')}\n`).join('');
  const widths = fitWidths(columns, cells, page.width);
  const head = lineOf(columns, widths, (column, width) =>
    page.paint('dim', fit(column.title, width, column.align)),
  );
  const body = rows.map((row, at) =>
    lineOf(columns, widths, (column, width, i) => {
      const cell = fit(cells[at]?.[i] ?? '', width, column.align);
      return column.paint?.(cell, row, page) ?? cell;
    }),
  );
  return [head, ...body].map((line) => `${line}\n`).join('');
}

function lineOf<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
  cellOf: (column: Column<Row>, width: number, i: number) => string,
): string {
  const shown = columns.flatMap((column, i) => {
    const width = widths[i] ?? 0;
    return width === 0 ? [] : [cellOf(column, width, i)];
  });
  return shown.join(GAP).trimEnd();
}

/** The width of each column; 0 where the terminal has no room left for it. */
function fitWidths(
  columns: readonly Column<never>[],
  cells: readonly string[][],
  room: number,
): number[] {
  const widths = columns.map(({ title }, i) =>
    Math.max(widthOf(title), ...cells.map((line) => widthOf(line[i] ?? ''))),
  );
  shrink(widths, room, (i) => (columns[i]?.flexible === true ? FLEXIBLE_WIDTH_MIN : undefined));
  shrink(widths, room, () => WIDTH_MIN);
  for (let i = widths.length - 1; i > 0 && lengthOf(widths) > room; i--) widths[i] = 0;
  return widths;
}

/** Takes from the widest column as long as the line is too long. */
function shrink(widths: number[], room: number, minOf: (i: number) => number | undefined): void {
  for (let over = lengthOf(widths) - room; over > 0; over--) {
    let widest = -1;
    for (const [i, width] of widths.entries()) {
      const min = minOf(i);
      if (min !== undefined && width > min && width > (widths[widest] ?? 0)) widest = i;
    }
    const width = widths[widest];
    if (width === undefined) return;
    widths[widest] = width - 1;
  }
}

function lengthOf(widths: readonly number[]): number {
  const shown = widths.filter((width) => width > 0);
  return shown.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, shown.length - 1);
}

/** One fact of a thing, `undefined` where it is unknown. */
export type Fact = [
  label: string,
  value: string | number | boolean | undefined,
  look?: Look | undefined,
];

/** Facts as lines: labels aligned on a terminal, else label, tab, value. Unknown ones are left out. */
export function facts(list: readonly Fact[], page: Page): string {
  const known = list.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...known.map(([label]) => widthOf(label)));
  return known
    .map(([label, value, look]) => {
      const text = plain(String(value));
      if (page.width === undefined) return `${label}\t${text}\n`;
      const shown = look === undefined ? text : page.paint(look, text);
      return `${page.paint('dim', fit(label, width))}${GAP}${shown}\n`;
    })
    .join('');
}
