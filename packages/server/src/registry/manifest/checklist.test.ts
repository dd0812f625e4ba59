import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type ChecklistItem, checklist } from './checklist.ts';

const SOUND = {
  name: 'order-agent',
  capabilities: [
    {
      name: 'query_order',
      description: 'Answers where an order is and when it ships.',
      input: { order_no: { type: 'string', required: true } },
      output: { status: { type: 'string' } },
      effect: 'read',
      not_for: ['tracking parcels'],
    },
  ],
  network: { base_url: 'http://orders.internal:9001', heartbeat_interval_sec: 15 },
};

function named(items: ChecklistItem[], verdict: ChecklistItem['verdict']): string[] {
  return items.filter((item) => item.verdict === verdict).map(({ name }) => name);
}

test('a sound manifest passes every rule', () => {
  const items = checklist(SOUND);

  assert.deepEqual(named(items, 'passed'), [
    'Form',
    'Address',
    'Heartbeat',
    'Schemas',
    'Time limits',
    'Idempotency',
    'Boundaries',
  ]);
  assert.equal(items.length, 7);
});

test('faults are told under the rule that they break, with advice', () => {
  const capability = { name: 'q', input: { type: 'x' }, sla: { timeout_ms: 70_000 } };

  const items = checklist({
    name: 'a',
    capabilities: [capability],
    network: { base_url: 'x', health_path: 'y' },
  });

  assert.deepEqual(named(items, 'failed'), ['Schemas', 'Address', 'Address', 'Time limits']);
  assert.ok(items.every(({ advice }) => advice !== undefined));
  assert.deepEqual(named(checklist({ name: 'a' }), 'failed'), ['Form']);
});

test('a write without idempotency fails, and everything else is still shown', () => {
  const items = checklist({
    ...SOUND,
    capabilities: [{ ...SOUND.capabilities[0], effect: 'write' }],
  });

  assert.deepEqual(named(items, 'failed'), ['Idempotency']);
  assert.ok(items.length >= 7);
});

test('what may join though it could say more is warned of', () => {
  const items = checklist({
    name: 'a',
    capabilities: [{ name: 'q' }],
    instance: { base_url: 'http://127.0.0.1:1' },
  });

  assert.deepEqual(named(items, 'failed'), []);
  assert.deepEqual(
    [...new Set(named(items, 'warning'))],
    ['Address', 'Descriptions and declarations', 'Boundaries'],
  );
});

test('the checklist never throws', () => {
  fc.assert(fc.property(fc.anything(), (body) => void checklist(body)));
  fc.assert(
    fc.property(
      fc.jsonValue(),
      (x) => void checklist({ ...SOUND, network: x, instance: x, tags: x }),
    ),
  );
});
