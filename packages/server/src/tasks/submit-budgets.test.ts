import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { set, three, used } from '../main/testing/budgets.ts';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { payload, query } from './testing/capabilities.ts';

test('what is reserved of budgets is given back where the store fails', async () => {
  await using house = await openHouse();
  await house.puller('db', query);
  await set(house, [{ ...three, limit: 10 }]);
  const { tasks } = house.storage;
  const real = tasks.submit.bind(tasks);
  tasks.submit = () => Promise.reject(new ReachError('store-unavailable', 'Away.'));
  const one = { task_type: 'query', payload };

  const bulk = house.ask('POST', '/v1/tasks/bulk', { tasks: [one, one, one] });
  await assert.rejects(bulk, failsWith('store-unavailable'));
  await assert.rejects(house.ask('POST', '/v1/tasks', one), failsWith('store-unavailable'));

  assert.deepEqual(await used(house), [0, 0]);
  tasks.submit = real;
  await house.ask('POST', '/v1/tasks/bulk', { tasks: [one, one] });
  assert.deepEqual(await used(house), [2, 0]);
});
