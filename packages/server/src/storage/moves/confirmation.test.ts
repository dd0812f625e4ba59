import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Confirmation } from '../spi/confirmations.ts';
import { judgeConsume, mayDecide } from './confirmation.ts';

const ROW: Confirmation = {
  tenant: 'acme',
  id: 'cfm_1',
  principal: 'shop',
  digest: 'd',
  about: '{}',
  state: 'approved',
  tries: 0,
  createdAt: 0,
  expiresAt: 100,
};
const TRY = { principal: 'shop', digest: 'd', triesMax: 5 };
const CODED: Confirmation = { ...ROW, state: 'pending', codeHash: 'h' };

test('an approval is used by whoever asked, for what he asked, once', () => {
  const used = { outcome: 'consumed', next: { state: 'used', tries: 0 } };

  assert.deepEqual(judgeConsume(ROW, TRY, 99), used);
  assert.deepEqual(judgeConsume(ROW, { ...TRY, principal: 'other' }, 99), { outcome: 'unknown' });
  assert.deepEqual(judgeConsume({ ...ROW, state: 'used' }, TRY, 99), { outcome: 'used' });
  assert.deepEqual(judgeConsume(ROW, TRY, 100), { outcome: 'expired' });
  assert.deepEqual(judgeConsume({ ...ROW, state: 'pending' }, TRY, 99), { outcome: 'pending' });
});

test('the fifth wrong try is the last, and the right one comes too late after it', () => {
  const wrong = { ...TRY, codeHash: 'x' };

  assert.deepEqual(judgeConsume({ ...CODED, tries: 3 }, wrong, 0).next, {
    state: 'pending',
    tries: 4,
  });
  const last = judgeConsume({ ...CODED, tries: 4 }, wrong, 0);
  assert.deepEqual(last, { outcome: 'wrong', next: { state: 'dead', tries: 5 } });
  assert.equal(
    judgeConsume({ ...CODED, ...last.next }, { ...TRY, codeHash: 'h' }, 0).outcome,
    'dead',
  );
});

test('what has a code is approved by nobody, and what is over is decided by nobody', () => {
  assert.equal(mayDecide({ ...ROW, state: 'pending' }, 'approved', 99), true);
  assert.equal(mayDecide(CODED, 'approved', 99), false);
  assert.equal(mayDecide(CODED, 'refused', 99), true);
  assert.equal(mayDecide(ROW, 'refused', 99), true);
  assert.equal(mayDecide(ROW, 'refused', 100), false);
});
