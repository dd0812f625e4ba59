import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BudgetDegrade, ReachError } from '@agent-reach/core';
import { Reach } from './reach.ts';
import { spentIn } from './spent.ts';
import { answered, FakeGateway } from './testing/fake-gateway.ts';

const degrade = {
  code: 'budget-exhausted',
  budget: 'crm',
  text: '预算不足，请稍后再试',
  reset_at: '2026-12-01T00:00:00+08:00',
  retry_after_ms: 60_000,
  affordable_now: 0,
  splittable: false,
};
const facts = {
  request_id: 'r1',
  trace_id: 't1',
  degrade,
  provider: { agent: 'crm', instance: 'i-1', version: 1 },
  route: { route_id: 'rte_1', strategy: 'exact_match', score: 1 },
  timing: { match_ms: 1, queue_ms: 0, agent_ms: 0, return_ms: 0, total_ms: 1 },
  warnings: ['Budget crm has used 3 of 3 calls.'],
};

test('the problem of a spent budget is an answer that says so', () => {
  for (const code of ['budget-exhausted', 'budget-paced'] as const) {
    const answer = spentIn(new ReachError(code, 'Spent.', facts));

    assert.deepEqual([answer?.status, answer?.result], ['degraded', null]);
    assert.deepEqual(answer?.degrade, degrade);
    assert.deepEqual(answer?.provider, facts.provider);
  }
});

test('other failures stay what they are, and so does a problem that lacks half of it', () => {
  assert.equal(spentIn(new ReachError('rate-limited', 'Fast.', facts)), undefined);
  assert.equal(spentIn(new Error('no')), undefined);
  const { provider: _, ...less } = facts;
  assert.equal(spentIn(new ReachError('budget-paced', 'Spent.', less)), undefined);
});

test('a call is answered the same, whichever of the two ways its gateway says it', async () => {
  const gateway = await FakeGateway.open();
  await using reach = new Reach({ endpoint: gateway.url });
  const ways = [
    () => {
      throw new ReachError('budget-exhausted', 'Spent.', facts);
    },
    (request: Parameters<typeof answered>[0]) => ({
      ...answered(request, null),
      status: 'degraded' as const,
      degrade: degrade as BudgetDegrade,
    }),
  ];
  for (const way of ways) {
    gateway.on('calls.invoke', way);

    const { status, degrade: said, result } = await reach.call('crm.read', {});

    assert.deepEqual([status, said?.code, result], ['degraded', 'budget-exhausted', null]);
    assert.equal(said?.retry_after_ms, 60_000);
  }
  // The bare operation hides nothing of what came over the wire.
  gateway.on('calls.invoke', ways[0] as never);
  await assert.rejects(reach.calls.invoke({ capability: 'crm.read' }), {
    code: 'budget-exhausted',
  });
  await gateway.close();
});
