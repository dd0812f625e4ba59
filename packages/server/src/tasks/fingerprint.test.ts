import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fingerprintOf, foldReason } from './fingerprint.ts';

test('ids, numbers and quoted values are folded away, words are not', () => {
  for (const [reason, folded] of [
    ['no connection to db-7', 'no connection to *'],
    ['row 17 of 200 is broken', 'row * of * is broken'],
    ['10.0.0.1:5432 refused at 2026-11-30T05:00:00.123Z', '* refused at *'],
    ['no table "sales_eu" and no `x`', 'no table * and no *'],
    ["the agent's answer to 'a b' is empty", "the agent's answer to * is empty"],
    ['没有表「销售」，第３行', '没有表*，第*行'],
    ['第3行没有地区', '第*行没有地区'],
    ['tsk_01k2 waited 3.5 s, 12%', '* waited * s, *%'],
    ['plain words stay', 'plain words stay'],
  ] as const) {
    assert.equal(foldReason(reason), folded);
  }
});

test('a fingerprint tells ways of failing apart, not cases', () => {
  const of = (cause: string, reason: string) => fingerprintOf({ cause, reason });

  assert.match(of('attempts-spent', 'x'), /^[0-9a-f]{12}$/);
  assert.equal(of('attempts-spent', 'no row 1'), of('attempts-spent', 'no row 22'));
  assert.notEqual(of('attempts-spent', 'no row 1'), of('killed', 'no row 1'));
  assert.notEqual(of('attempts-spent', 'no row 1'), of('attempts-spent', 'no column 1'));
});

test('half a pair at the cut, and a reason of nothing but dashes, are folded quickly', () => {
  assert.ok(foldReason(`${'a '.repeat(99)}b😀`).isWellFormed());
  assert.equal(foldReason('-'.repeat(2_048)).length, 200);
});
