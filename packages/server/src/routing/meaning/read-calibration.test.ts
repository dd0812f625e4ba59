import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { CALIBRATION } from './calibration.ts';
import { readCalibration } from './read-calibration.ts';

test('a calibration is read as it was written', () => {
  assert.deepEqual(readCalibration(JSON.stringify(CALIBRATION)), CALIBRATION);
});

const { right, routeFrom } = CALIBRATION;
for (const [what, text, why] of [
  ['no JSON', '{', /no JSON/],
  ['nothing', 'null', /the file/],
  ['no fingerprint', JSON.stringify({ ...CALIBRATION, fingerprint: 7 }), /fingerprint/],
  [
    'a weight too few',
    over({ right: { ...right, weights: right.weights.slice(1) } }),
    /as many weights in `right`/,
  ],
  ['a fingerprint of another width', over({ fingerprint: 'words/3' }), /as many weights/],
  [
    'a weight that is no number',
    over({ right: { ...right, weights: right.weights.map(() => null) } }),
    /right\.weights\.0/,
  ],
  ['no bias', over({ among: { weights: right.weights } }), /among\.bias/],
  ['a budget too few', over({ routeFrom: { '1': 0.9, '5': 0.8 } }), /routeFrom\.0\.1/],
  ['a cut that routes everything', over({ routeFrom: { ...routeFrom, '1': 0 } }), /routeFrom\.1/],
  ['a cut beyond what is sure', over({ askFrom: 1.01 }), /askFrom/],
] as const) {
  test(`a calibration with ${what} is refused, and says so`, () => {
    assert.throws(
      () => readCalibration(text),
      (error) =>
        ReachError.is(error) && error.code === 'validation-failed' && why.test(error.message),
    );
  });
}

function over(other: Record<string, unknown>): string {
  return JSON.stringify({ ...CALIBRATION, ...other });
}
