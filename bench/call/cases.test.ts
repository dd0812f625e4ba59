import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CASES, casesNamed } from './cases.ts';

const named = (...names: string[]) => casesNamed(names).map(({ name }) => name);

test('a case brings the anchor with it, and all that its price is counted from', () => {
  assert.deepEqual(named('granted'), ['proxy', 'plain', 'signed-in', 'granted']);
  assert.deepEqual(named('direct'), ['direct', 'proxy']);
  assert.deepEqual(named('governed-write', 'keyed').length, 5);
});

test('without a name all are measured, and a name that none has is refused with those there are', () => {
  assert.equal(casesNamed(undefined), CASES);
  assert.throws(() => casesNamed(['govern']), /no case govern: there are direct, proxy, plain,/);
});

test('what the price of a case is counted from is measured before it', () => {
  for (const [at, { name, over }] of CASES.entries()) {
    const base = over === undefined ? -1 : CASES.findIndex((other) => other.name === over);
    assert.ok(base < at && (over === undefined || base >= 0), name);
  }
});
