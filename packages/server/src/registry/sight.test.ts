import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isContradicted, noSight, opinionOf, type Sight } from './sight.ts';

const TIMES = { now: 20_000, freshMs: 12_500, patienceMs: 2_250 };

/** Losses since second 15; `found` by others at these seconds. */
function sight(found: Record<string, [passed: boolean, at: number]>, over: Partial<Sight> = {}) {
  const looks = Object.entries(found).map(([id, [passed, at]]) => [id, { passed, at }] as const);
  return { ...noSight(), losingSince: 15_000, found: new Map(looks), ...over };
}

test('who is alone has nobody to ask, and is believed', () => {
  assert.equal(opinionOf(sight({}), 'me', TIMES), 'agreed');
  assert.equal(opinionOf(sight({ me: [true, 19_000] }), 'me', TIMES), 'agreed');
});

test('one look that passed since the losses began says that it is reached, an older one does not', () => {
  assert.equal(opinionOf(sight({ b: [true, 15_000] }), 'me', TIMES), 'reached-elsewhere');
  assert.equal(opinionOf(sight({ b: [true, 14_999] }), 'me', TIMES), 'agreed');
  const long = { losingSince: 0 };
  assert.equal(opinionOf(sight({ b: [true, 7_500] }, long), 'me', TIMES), 'reached-elsewhere');
  assert.equal(opinionOf(sight({ b: [true, 7_499] }, long), 'me', TIMES), 'agreed', 'not fresh');
});

test('it is open until all who were asked have answered, or their time is over', () => {
  const asked = { asked: { of: ['b', 'c'], at: 19_000 } };
  assert.equal(opinionOf(sight({ b: [false, 19_100] }, asked), 'me', TIMES), 'open');
  const both = { b: [false, 19_100], c: [false, 19_200] } as const;
  assert.equal(opinionOf(sight({ b: [...both.b], c: [...both.c] }, asked), 'me', TIMES), 'agreed');
  assert.equal(opinionOf(sight({}, asked), 'me', { ...TIMES, now: 21_249 }), 'open');
  assert.equal(opinionOf(sight({}, asked), 'me', { ...TIMES, now: 21_250 }), 'agreed');
});

test('a loss that another tells does not count against a look since it began', () => {
  const times = { now: 20_000, losingMs: 5_000, freshMs: 12_500 };
  assert.ok(isContradicted(sight({ me: [true, 15_000] }), 'b', times));
  assert.ok(!isContradicted(sight({ me: [true, 14_999] }), 'b', times));
  assert.ok(!isContradicted(sight({ b: [true, 19_000] }), 'b', times), 'not his own');
  assert.ok(!isContradicted(sight({ me: [true, 7_000] }), 'b', { ...times, losingMs: 60_000 }));
});
