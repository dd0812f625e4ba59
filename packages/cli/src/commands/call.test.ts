import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';
import { answerOf } from '../testing/samples.ts';

test('a call that a fallback answered says so, and why', async () => {
  await using gateway = await FakeGateway.open();
  const warning = 'query_order_status could not be reached.';
  gateway.on('calls.invoke', () =>
    answerOf({}, { status: 'degraded', degraded_to: 'cached', warnings: [warning] }),
  );

  const { code, err } = await run(['call', 'query_order_status', '--endpoint', gateway.url]);

  assert.equal(code, 0);
  assert.match(err, /warning: query_order_status could not be reached/);
  assert.match(err, / · degraded · by cached · /);
});

test('a call that no budget lets go says so, when to come back, and fails', async () => {
  await using gateway = await FakeGateway.open();
  const degrade = {
    code: 'budget-exhausted',
    budget: 'crm-month',
    text: '预算不足，请稍后再试',
    reset_at: '2026-01-02T00:00:00+08:00',
    retry_after_ms: 7_200_000,
    affordable_now: 0,
    splittable: false,
  } as const;
  gateway.on('calls.invoke', () => answerOf(null, { status: 'degraded', degrade }));

  const { code, out, err } = await run(['call', 'x', '--endpoint', gateway.url]);

  assert.deepEqual([code, out], [1, '']);
  assert.match(
    err,
    /^reach: budget-exhausted: 预算不足，请稍后再试\nBudget crm-month has more in 2 h\.\n$/,
  );
});
