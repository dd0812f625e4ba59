import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PolicyView } from '@agent-reach/core';
import { query } from '../tasks/testing/capabilities.ts';
import { failsWith, openHouse } from './testing/house.ts';
import { answers, decide, put } from './testing/weights.ts';

test('what contradicts itself is refused, what nobody knows is warned of', async () => {
  await using house = await openHouse();
  await house.puller('sql-agent', query);
  const wrong = { capabilities: { query: { versions: { '1.4': 90, '2.0': 20 }, stateful: '3' } } };
  await assert.rejects(
    put(house, wrong),
    failsWith('rule-refused', (error) => {
      assert.deepEqual(
        error.facts.errors?.map(({ pointer }) => pointer),
        ['#/doc/capabilities/query/versions', '#/doc/capabilities/query/stateful'],
      );
    }),
  );
  await assert.rejects(
    put(house, { agents: { x: { weight: -1 } } }),
    failsWith('validation-failed'),
  );
  await assert.rejects(put(house, { agent: {} }), failsWith('validation-failed'));

  const odd = { agents: { 'sql-agnt': { weight: 2 } }, capabilities: { qury: {} } };
  const checked = await put(house, odd, { dry_run: true });
  assert.deepEqual(checked.warnings, [
    'No agent is called sql-agnt. Did you mean sql-agent?',
    'No capability is called qury. Did you mean query?',
  ]);
  assert.equal(checked.version, 0);
  assert.equal((await house.ask<PolicyView>('GET', '/v1/policies/weights')).version, 0);
});

test('a document is written over by nobody who has not seen it', async () => {
  await using house = await openHouse();
  await house.puller('a', query);
  await put(house, {}, { expect_version: 0 });
  await assert.rejects(put(house, {}, { expect_version: 0 }), failsWith('policy-conflict'));
  await put(house, { agents: { a: { weight: 2 } } }, { expect_version: 1 });

  const { versions } = await house.ask<{ versions: PolicyView[] }>(
    'GET',
    '/v1/policies/weights/history',
  );
  assert.deepEqual(
    versions.map(({ version }) => version),
    [2, 1],
  );
  const { lines } = await house.ask<{ lines: { operation: string; outcome: string }[] }>(
    'GET',
    '/v1/audit?target=weights',
  );
  assert.deepEqual(lines.map(({ operation, outcome }) => `${operation} ${outcome}`).sort(), [
    'policies.put ok',
    'policies.put ok',
    'policies.put policy-conflict',
  ]);
});

test('a restart knows the weights before it decides anything', async () => {
  await using house = await openHouse();
  await house.agent('a', query, answers);
  await house.agent('b', query, answers);
  await put(house, { agents: { a: { weight: 0 } } });
  await house.house.stop();

  await using next = await house.again();
  await next.clock.advance(1_000);
  const agents = new Set<string | undefined>();
  for (let i = 0; i < 20; i++) agents.add((await decide(next)).target_agent);
  assert.deepEqual(agents, new Set(['b']));
});
