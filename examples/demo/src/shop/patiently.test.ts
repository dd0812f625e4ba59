import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/sdk';
import { patiently } from './patiently.ts';

test('what a busy gateway turned away is done again, and what failed otherwise is not', async () => {
  const busy = new ReachError('overloaded', 'Late.', { retry_after_ms: 1 });
  const refused = new ReachError('permission-denied', 'No.');
  const run = (...errors: Error[]) => {
    let count = 0;
    const work = () => {
      const error = errors[count++];
      return error === undefined ? Promise.resolve(count) : Promise.reject(error);
    };
    return patiently(work);
  };

  assert.equal(await run(busy, busy), 3);
  await assert.rejects(run(busy, refused), refused);
  await assert.rejects(run(new Error('broken')), /broken/);
});
