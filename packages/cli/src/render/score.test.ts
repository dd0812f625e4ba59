import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REACHABILITY } from '../testing/samples.ts';
import { scoreFormula } from './score.ts';

test('a score is shown as the sum that it is, and what bounds it', () => {
  const sum = '0.4·1 + 0.3·(1−0) + 0.2·(1−0.15) + 0.1·(1−0) = 0.97';
  assert.equal(scoreFormula(REACHABILITY), sum);

  const caps = [{ max: 0.49, reason: 'it is full' }];
  const bounded = scoreFormula({ ...REACHABILITY, gate: 0.667, caps, stale: true });

  assert.equal(
    bounded,
    `${sum}; ×0.667 for lost probes; at most 0.49: it is full; falling: not probed for too long`,
  );
});
