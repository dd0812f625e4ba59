import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, PinsPolicy } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });
const BEFORE: PinsPolicy = {
  capabilities: { refund_order: { agents: ['orders'] } },
  phrases: { 我要退款: { capability: 'refund_order' } },
};
const PRESENT: Output<'policies.get'> = { policy: 'pins', version: 3, doc: BEFORE };

/** What a command writes onto the pins of `BEFORE`. */
async function written(...args: string[]) {
  await using gateway = await FakeGateway.open();
  const put = { ...PRESENT, version: 4, warnings: [], dry_run: false };
  gateway.on('policies.get', () => PRESENT).on('policies.put', () => put);
  const { code, err } = await run(['pins', ...args], { env: env(gateway) });
  return { code, err, input: gateway.seen.at(-1)?.input as { doc: PinsPolicy } };
}

test('a capability is pinned to agents, or to its name alone', async () => {
  const { input } = await written('capability', 'adjust_stock', 'inventory', 'warehouse');
  assert.deepEqual(input, {
    policy: 'pins',
    doc: {
      ...BEFORE,
      capabilities: {
        ...BEFORE.capabilities,
        adjust_stock: { agents: ['inventory', 'warehouse'] },
      },
    },
    expect_version: 3,
  });

  const { doc } = (await written('capability', 'refund_order')).input;
  assert.deepEqual(doc.capabilities, { refund_order: {} });
});

test('a capability may be found otherwise than by its name alone, if an operator says how', async () => {
  const { input } = await written('capability', 'look', 'orders', '--strategy', 'tags');
  assert.deepEqual(input.doc.capabilities?.['look'], { agents: ['orders'], strategy: 'tags' });
  const { doc } = (await written('capability', 'look', '--strategy', 'auto')).input;
  assert.deepEqual(doc.capabilities?.['look'], { strategy: 'auto' });
});

test('a phrase is pinned to a capability, and to an agent if one is named', async () => {
  const { input } = await written('phrase', 'pay me back', 'refund_order', '--agent', 'orders');

  assert.deepEqual(input.doc.phrases, {
    ...BEFORE.phrases,
    'pay me back': { capability: 'refund_order', agent: 'orders' },
  });
});

test('a pin is taken away by its capability or its phrase, and what is not pinned is told', async () => {
  assert.deepEqual((await written('remove', '我要退款')).input.doc, { ...BEFORE, phrases: {} });
  const { input } = await written('remove', 'refund_order');
  assert.deepEqual(input.doc, { ...BEFORE, capabilities: {} });

  const { code, err } = await written('remove', 'nothing');
  assert.equal(code, 2);
  assert.match(err, /nothing is pinned as nothing/);
});
