import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect, Executed } from '@agent-reach/core';
import { mayRepeat } from './retry.ts';

const EXECUTED: Executed[] = ['no', 'unknown', 'yes'];

/** May it be repeated when `executed` is no, unknown, yes? */
const table: [effect: Effect | undefined, keyed: boolean, may: [boolean, boolean, boolean]][] = [
  ['read', false, [true, true, false]],
  ['read', true, [true, true, false]],
  ['idempotent_write', false, [true, false, false]],
  ['idempotent_write', true, [true, true, false]],
  ['write', false, [true, false, false]],
  ['write', true, [true, false, false]],
  [undefined, false, [true, false, false]],
  [undefined, true, [true, false, false]],
];

for (const [effect, keyed, may] of table) {
  for (const [i, executed] of EXECUTED.entries()) {
    const what = `${effect ?? 'undeclared'} ${keyed ? 'under a key' : 'without a key'}`;
    test(`${what}, executed ${executed}: ${may[i] ? 'again' : 'not again'}`, () => {
      assert.equal(mayRepeat(effect, keyed, executed), may[i]);
    });
  }
}
