import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json } from '../main/testing/network.ts';
import { openHouse } from '../main/testing/house.ts';

for (const effect of ['read', 'idempotent_write', undefined] as const) {
  test(`a decision for what is declared as ${effect ?? 'nothing'} says so`, async () => {
    await using house = await openHouse();
    const idempotency = effect === 'idempotent_write' ? { idempotency: 'key' } : {};
    const declared = effect === undefined ? {} : { effect, ...idempotency };
    const capability = { name: 'query', description: 'Answers.', ...declared };
    await house.agent('sql', capability, () => json(200, {}));

    const answer = await house.ask('POST', '/v1/routes', { capability: 'query' });

    assert.equal(answer['outcome'], 'route');
    assert.equal(answer['effect'], effect);
  });
}
