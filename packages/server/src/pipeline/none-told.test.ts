import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteAnswer } from '@agent-reach/core';
import { openHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';

const LOOK = {
  name: 'look',
  description: '查询物流轨迹和包裹的位置',
  effect: 'read',
  input_schema: { type: 'object', properties: { no: {} }, required: ['no'] },
  examples: ['快递到哪了'],
};

test('where nobody was chosen the answer says what a call would end in, what was meant and what it needs', async () => {
  await using house = await openHouse();
  await house.agent('logistics', LOOK, () => json(200, {}));
  await house.ask('POST', '/v1/agents/logistics/disable', {});
  const decide = (body: object) => house.ask<RouteAnswer>('POST', '/v1/routes', body);

  const away = await decide({ intent: '快递到哪了' });
  assert.deepEqual(
    [away.outcome, away.code, away.capability, away.missing],
    ['none', 'no-reachable-agent', 'look', ['no']],
  );
  const nothing = await decide({ intent: '写一首诗' });
  assert.deepEqual(
    [nothing.outcome, nothing.code, nothing.capability],
    ['none', 'capability-not-found', undefined],
  );
  const named = await decide({ capability: 'look', params: { no: 1 } });
  assert.deepEqual(
    [named.code, named.capability, named.missing],
    ['no-reachable-agent', 'look', undefined],
  );
});
