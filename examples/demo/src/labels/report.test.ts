import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paintFor } from '../paint.ts';
import { lifeLine } from './life.ts';
import { report } from './report.ts';

const paint = paintFor(false, {});
const screen = { write: () => {}, columns: undefined, paint };
const counts = {
  submitted: 2_000,
  printedBy: new Map([
    ['printer-1', 1_400],
    ['printer-2', 600],
  ]),
  printed: 2_000,
  redelivered: ['t-1'],
  lost: [],
  double: [],
};
const facts = { printers: ['printer-1', 'printer-2'], killed: 'printer-2', seconds: 5.04 };

test('the counts stand below each other in both languages', () => {
  const stage = { print: () => {}, paint, screen };

  assert.deepEqual(report(counts, facts, { ...stage, language: 'en' }), [
    '  submitted          2000',
    '  done by printer-1  1400',
    '  done by printer-2   600  ← killed',
    '  begun again           1',
    '  lost                  0',
    '  double                0',
    '  seconds             5.0',
  ]);
  assert.deepEqual(report(counts, facts, { ...stage, language: 'zh' }), [
    '  已提交          2000',
    '  printer-1 完成  1400',
    '  printer-2 完成   600  ← 被杀',
    '  重新执行           1',
    '  丢失               0',
    '  重复               0',
    '  秒               5.0',
  ]);
});

test('what is lost or double is red', () => {
  const stage = { print: () => {}, paint: paintFor(true, {}), screen, language: 'en' } as const;

  const lines = report({ ...counts, lost: ['t-1'] }, facts, stage);

  assert.match(lines[4] ?? '', /lost +\x1b\[31m +1\x1b/);
  assert.match(lines[5] ?? '', /double +\x1b\[32m +0\x1b/);
});

test('a life is one line: what says nothing is left out', () => {
  const at = (s: number) => `2026-01-01T00:00:0${s.toFixed(3)}Z`;

  const line = lifeLine([
    { at: at(0), to: 'queued', cause: 'submitted' },
    { at: at(1), to: 'delivered', cause: 'claimed', holder: 'printer-2' },
    { at: at(1.1), to: 'running', cause: 'acked', holder: 'printer-2' },
    { at: at(4.1), to: 'waiting', cause: 'lease-lost', holder: 'printer-2' },
    { at: at(4.3), to: 'queued', cause: 'due' },
    { at: at(4.4), to: 'delivered', cause: 'claimed', holder: 'printer-1' },
    { at: at(4.4), to: 'running', cause: 'acked', holder: 'printer-1' },
    { at: at(4.5), to: 'succeeded', cause: 'completed', holder: 'printer-1' },
  ]);

  assert.equal(
    line,
    '0.0 s queued → 1.1 s running (printer-2) → 4.1 s lease-lost → 4.4 s running (printer-1) → 4.5 s succeeded',
  );
});
