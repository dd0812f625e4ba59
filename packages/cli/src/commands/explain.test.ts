import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainAnswer } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const REFUSED: ExplainAnswer = {
  outcome: 'refuse',
  who: { tenant: 'internal', principal: 'key-7', acts_for: 'monitor' },
  steps: [
    { step: 'request', verdict: 'passed', detail: 'key-7 of tenant internal asks.' },
    { step: 'key', verdict: 'passed', detail: 'It has none.' },
    {
      step: 'grant',
      verdict: 'stopped',
      detail: 'No grant lets this client have crm.read.',
      code: 'permission-denied',
      rule: 'grants',
    },
  ],
  candidates: [],
};

test('a refusal is told with its step and its rule, for whom it was asked, and fails', async () => {
  await using gateway = await FakeGateway.open();
  let asked: unknown;
  gateway.on('routes.explain', (input) => {
    asked = input;
    return REFUSED;
  });
  const env = { REACH_ENDPOINT: gateway.url, NO_COLOR: '1' };

  const { code, out } = await run(['explain', 'crm.read', '{"id":1}', '--as', 'key-7'], { env });

  assert.equal(code, 1);
  assert.deepEqual(asked, { capability: 'crm.read', params: { id: 1 }, as: 'key-7' });
  assert.match(out, /^key-7 \(monitor\) would be refused at the step grant\n/);
  assert.match(out, /✗ grant +permission-denied: No grant .* \(by grants\)\n$/);
});

test('a call that would be sent is told with its candidates, and succeeds', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('routes.explain', () => ({
    ...REFUSED,
    outcome: 'call',
    agent: 'crm',
    instance: 'i-1',
    steps: REFUSED.steps.slice(0, 2),
    candidates: [
      { agent: 'crm', instance: 'i-1', capability: 'crm.read', verdict: 'chosen', reason: 'best' },
    ],
  }));
  const env = { REACH_ENDPOINT: gateway.url, NO_COLOR: '1' };

  const { code, out } = await run(['explain', 'crm.read'], { env });

  assert.equal(code, 0);
  assert.match(out, /would be sent to crm\/i-1\n/);
  assert.match(out, /crm\/i-1\tchosen/);
});
