import assert from 'node:assert/strict';
import { test } from 'node:test';
import stringWidth from 'fast-string-width';
import { inColour, type Page, withoutColour } from './page.ts';
import { type Column, facts, table } from './table.ts';

interface Row {
  id: string;
  name: string;
  count?: number;
}

const COLUMNS: Column<Row>[] = [
  { title: 'ID', of: (row) => row.id },
  { title: 'NAME', of: (row) => row.name, flexible: true },
  { title: 'COUNT', of: (row) => row.count, align: 'right' },
];

const ROWS: Row[] = [
  { id: 'orders', name: '订单查询智能体', count: 7 },
  { id: 'logistics', name: 'Logistics', count: 1200 },
];

const terminal = (width: number): Page => ({ width, paint: withoutColour });
const pipe: Page = { width: undefined, paint: withoutColour };

test('Chinese and Latin cells end in the same column on a terminal', () => {
  assert.equal(
    table(ROWS, COLUMNS, terminal(80)),
    [
      'ID         NAME            COUNT',
      'orders     订单查询智能体      7',
      'logistics  Logistics        1200',
      '',
    ].join('\n'),
  );
});

test('a narrow terminal takes from the flexible column first and never gets a longer line', () => {
  const narrow = table(ROWS, COLUMNS, terminal(28));

  assert.match(narrow, /logistics {2}Logistics/);
  assert.match(narrow, /订单查询…/);
  for (let width = 4; width < 40; width++) {
    for (const line of table(ROWS, COLUMNS, terminal(width)).split('\n')) {
      assert.ok(stringWidth(line) <= width, `${width} columns: ${line}`);
    }
  }
});

test('a pipe gets fields between tabs, no titles, nothing cut, and an empty field for nothing', () => {
  assert.equal(
    table([...ROWS, { id: 'x', name: '' }], COLUMNS, pipe),
    'orders\t订单查询智能体\t7\nlogistics\tLogistics\t1200\nx\t\t\n',
  );
});

test('what came over the wire can neither paint, nor break a line, nor add a field', () => {
  const hostile = { id: '\u001b[31mred\u001b[0m\u0007', name: 'a\tb\nc\u202ed\u009b1m' };

  assert.equal(table([hostile], COLUMNS, pipe), 'red\ta b cd\t\n');
});

test('a painter gets the padded cell, so colour does not move columns', () => {
  const columns: Column<Row>[] = [
    { title: 'ID', of: (row) => row.id, paint: (cell, _row, page) => page.paint('red', cell) },
    { title: 'COUNT', of: (row) => row.count },
  ];

  const line = table(ROWS, columns, { width: 80, paint: inColour }).split('\n')[1];

  assert.equal(line, '\u001b[31morders   \u001b[39m  7');
});

test('facts align their labels on a terminal and leave out what is unknown', () => {
  const list = [['agent', 'orders'] as const, ['版本', 2] as const, ['owner', undefined] as const];

  assert.equal(
    facts(
      list.map(([a, b]) => [a, b]),
      terminal(80),
    ),
    'agent  orders\n版本   2\n',
  );
  assert.equal(
    facts(
      list.map(([a, b]) => [a, b]),
      pipe,
    ),
    'agent\torders\n版本\t2\n',
  );
});
