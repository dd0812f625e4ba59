import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteAnswer } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const ASKED: RouteAnswer = {
  outcome: 'ask',
  route_id: 'rte_1',
  trace_id: 't',
  warnings: [],
  reason: 'The intent could mean order.status, invoice.issue; name the one you mean.',
  options: [
    {
      capability: 'order.status',
      display_name: '订单状态查询',
      description: '查询订单状态',
      not_for: ['不返回物流轨迹'],
      differs: ['状态', '查询'],
    },
    {
      capability: 'invoice.issue',
      display_name: '开具发票',
      description: '为订单开具发票',
      not_for: [],
      differs: ['开具', '发票'],
    },
  ],
  meaning: {
    reason: 'NEAR_TIE',
    legs: ['words', 'spelling'],
    words: ['订单'],
    unknown: 0,
    compared: 5,
    is_full: false,
    is_cut: false,
    right: 0.68,
    among: 0.92,
    route_from: 0.923,
    ask_from: 0.45,
    calibration: 'words+spelling/29',
    features: {},
    candidates: [
      {
        capability: 'order.status',
        score: 0.43,
        legs: { words: 0.4, spelling: 0.45 },
        coverage: 1,
        schema: 0,
        boundary: 0,
      },
    ],
  },
  candidates: [],
};

test('a question back shows its options, how it was read, and what to say next', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('routes.decide', () => ASKED);
  const args = ['routes', 'decide', '--intent', '订单', '--endpoint', gateway.url];

  const { code, out } = await run(args, { width: 140, env: { NO_COLOR: '1' } });

  assert.equal(code, 1);
  assert.match(out, /order\.status +订单状态查询 +状态 查询/);
  assert.match(out, /right +68\.0 %, routed from 92\.3 %/);
  assert.match(out, /read as +NEAR_TIE/);
  assert.match(out, /reach routes choose rte_1 order\.status, or --none/);
  assert.match(out, /CAPABILITY +SCORE +WORDS +SPELLING/);
});

test('what is found by no meaning is named, with whose word that is', async () => {
  for (const [by, words] of [
    ['sensitive', 'it is sensitive'],
    ['pin', 'it is pinned'],
    ['operator', 'an operator set its strategy'],
    ['manifest', 'its manifest sets its strategy'],
  ] as const) {
    await using gateway = await FakeGateway.open();
    const meaning = { ...ASKED.meaning, named_only: 'refund', named_only_by: by };
    gateway.on('routes.decide', () => ({ ...ASKED, meaning }) as RouteAnswer);
    const args = ['routes', 'decide', '--intent', '退钱', '--endpoint', gateway.url];

    const { out } = await run(args, { width: 140, env: { NO_COLOR: '1' } });

    assert.match(out, new RegExp(`by name +refund: ${words}`));
  }
});

test('a pipe gets rows and no advice', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('routes.decide', () => ASKED);

  const { out } = await run(['route', '--intent', '订单', '--endpoint', gateway.url]);

  assert.match(out, /\norder\.status\t订单状态查询\t状态 查询\t不返回物流轨迹\t查询订单状态\n/);
  assert.doesNotMatch(out, /Say which/);
});

test('an answer names one, or none, and what became of it is told', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('routes.choose', () => ({
    route_id: 'rte_1',
    learned: 'waits',
    detail: 'Once more.',
  }));
  const env = { REACH_ENDPOINT: gateway.url };

  const { code, out } = await run(['routes', 'choose', 'rte_1', 'a', '--as', 'desk'], { env });
  assert.deepEqual([code, out], [0, 'noted: Once more.\n']);
  assert.deepEqual(gateway.seen.at(-1)?.input, {
    route_id: 'rte_1',
    capability: 'a',
    agent_id: 'desk',
  });

  await run(['routes', 'choose', 'rte_1', '--none', '--intent', 'x'], { env });
  assert.deepEqual(gateway.seen.at(-1)?.input, { route_id: 'rte_1', none: true, intent: 'x' });

  for (const wrong of [['rte_1'], ['rte_1', 'a', '--none']]) {
    const failed = await run(['routes', 'choose', ...wrong], { env });
    assert.equal(failed.code, 2);
  }
});
