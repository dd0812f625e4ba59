import assert from 'node:assert/strict';
import test from 'node:test';
import { Budget, BudgetSpent } from './budget.ts';
import { budgeted, judgePattern } from './pattern.ts';

function faultOf(source: string): string {
  const verdict = judgePattern(source);
  return verdict.usable ? 'usable' : verdict.fault;
}

function matches(source: string, text: string): boolean {
  const budget = new Budget();
  budget.fill(1_000_000);
  return budgeted(source, budget).test(text);
}

test('look-around and back-references are refused, and the author is told where and why', () => {
  assert.match(faultOf('^(?=.*x)'), /^has look-around \("\(\?=" at 1\)/);
  assert.match(faultOf('a(?!b)'), /"\(\?!" at 1/);
  assert.match(faultOf('(?<=a)b'), /"\(\?<=" at 0/);
  assert.match(faultOf('(?<!a)b'), /"\(\?<!" at 0/);
  assert.match(faultOf('(a)\\1'), /^has a back-reference \("\\1" at 3\)/);
  assert.match(faultOf('(?<n>a)\\k<n>'), /^has a back-reference/);
  assert.equal(faultOf('\\(\\?=\\\\1'), 'usable');
});

test('what is no regular expression is refused', () => {
  for (const source of ['(', '[z-a]', 'a**', '\\', 'x{2,1}', '\\p{Nope}']) {
    assert.match(faultOf(source), /^is not a regular expression that RE2 reads: /, source);
  }
});

test('the spellings of ECMA-262 are understood', () => {
  assert.ok(matches('^[\\u4e00-\\u9fff]+$', '订单'));
  assert.ok(matches('^\\u{1F600}$', '😀'));
  assert.ok(matches('^\\p{Script=Han}+$', '订单'));
  assert.ok(!matches('^\\P{sc=Han}+$', '订单'));
  assert.ok(matches('^(?<year>\\d{4})/\\d\\d$', '2026/01'));
  assert.ok(!matches('^a$', 'a\n'));
  assert.ok(matches('b', 'abc'), 'a pattern is not anchored');
});

test('large programs are refused before they are built', () => {
  assert.match(faultOf('a{501}b{501}'), /^is a program of \d+ instructions, at most 1000/);
  assert.match(faultOf('(((a{9}){9}){9}){9}'), /^is a program of \d+ instructions/);
  assert.match(faultOf('[a-z]{1,1000}'), /bound a length by "maxLength"/);
  assert.match(faultOf('a'.repeat(1025)), /^is 1025 characters long, at most 1024/);
  assert.equal(faultOf('[a-z]{1,490}'), 'usable');
});

test('ordinary patterns are far from the bound', () => {
  const sizes = [
    '^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
    '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$',
    '^\\+?[1-9]\\d{1,14}$',
  ].map((source) => judgePattern(source));

  assert.ok(sizes.every((verdict) => verdict.usable && verdict.size < 300));
});

test('a test that costs more than is left ends', () => {
  const budget = new Budget();
  budget.fill(100);

  assert.throws(() => budgeted('^[ab]{1,99}$', budget).test('a'.repeat(90)), BudgetSpent);
});
