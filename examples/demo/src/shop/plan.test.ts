import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectOf } from './effect.ts';
import { planOf, sensitiveOf } from './plan.ts';
import type { Folder, Row } from './rows.ts';
import { sampleOf } from './sample.ts';

function row(id: string, more: Partial<Row> = {}): Row {
  return { id, name: id.replaceAll('.', '_'), description: id, ...more };
}

function folder(rows: readonly Row[], examples: [string, string[]][] = []): Folder {
  return { rows, questions: [], examples: new Map(examples) };
}

test('what an own agent does it does in the words of the folder, and the rest has desks by the id', () => {
  const track = row('logistics.track_parcel', {
    name: 'track_parcel',
    display_name: '轨迹',
    description: '查轨迹',
    description_en: 'Tracks.',
    boundary: '不查订单',
    boundary_en: 'No orders.',
    tags: ['logistics'],
    input_schema: { type: 'object' },
  });
  const others = [row('invoice.issue'), row('ticket.query'), row('invoice.query'), row('alone')];

  const { own, desks } = planOf(folder([track, ...others], [[track.id, ['a', 'b', 'c']]]), 2);

  assert.deepEqual(own, {
    track_shipment: {
      spec: {
        name: 'track_parcel',
        displayName: '轨迹',
        description: '查轨迹 Tracks.',
        notFor: ['不查订单', 'No orders.'],
        examples: ['a', 'b'],
        input: { type: 'object' },
        tags: ['logistics', 'counter'],
        effect: 'read',
        sensitive: false,
      },
      params: { waybill_no: 'tracking_no' },
    },
  });
  const names = Object.entries(desks).map(([name, specs]) => [name, specs.map((one) => one.name)]);
  assert.deepEqual(names, [
    ['invoice-desk', ['invoice_issue', 'invoice_query']],
    ['ticket-desk', ['ticket_query']],
    ['desk', ['alone']],
  ]);
});

test('a desk offers 50 at most, and there are at most 24 of them', () => {
  const many = (count: number, id: (i: number) => string) =>
    folder(Array.from({ length: count }, (_, i) => row(id(i))));

  const { desks } = planOf(
    many(51, (i) => `crm.n${i}`),
    0,
  );

  const sizes = Object.entries(desks).map(([name, { length }]) => [name, length]);
  assert.deepEqual(sizes, [
    ['crm-desk', 50],
    ['crm-desk-2', 1],
  ]);
  assert.equal(
    Object.keys(
      planOf(
        many(24, (i) => `d${i}.x`),
        0,
      ).desks,
    ).length,
    24,
  );
  assert.throws(
    () =>
      planOf(
        many(25, (i) => `d${i}.x`),
        0,
      ),
    {
      name: 'TypeError',
      message: /begin in 25 ways; the demo has at most 24 desks/,
    },
  );
});

test('what looks only is a read, what moves money or goods is sensitive, and the rest is a write', () => {
  const effects = [
    ['order.query_status', ['query'], 'read'],
    ['opinion.monitor', [], 'read'],
    ['crm.contact_read', ['query'], 'read'],
    ['order.cancel', ['write'], 'idempotent_write'],
    ['inventory.set_alert', ['alert'], 'idempotent_write'],
    ['invoice.issue', ['finance', 'write'], 'write'],
    ['gift.wrap', [], 'write'],
    ['refund.query_progress', ['refund', 'query'], 'read'],
    ['query.delete', [], 'write'],
  ] as const;
  for (const [id, tags, effect] of effects) {
    const declared = effectOf(row(id, { tags: [...tags] }));
    assert.deepEqual([declared.effect, declared.sensitive], [effect, false], id);
    assert.equal(declared.idempotency === undefined, effect === 'read', id);
  }
  const moved = [row('refund.apply'), row('inventory.adjust'), row('order.update_payment')];
  assert.deepEqual(
    [...sensitiveOf(folder([...moved, row('refund.query')]))],
    ['refund_apply', 'inventory_adjust', 'order_update_payment'],
  );
});

test('what a capability demands is filled in as its description exemplifies it', () => {
  const properties = {
    order_no: { type: 'string', description: '订单号，例如 ORD202501180001' },
    channel: { enum: ['email', 'sms'] },
    to: { type: 'array', items: { type: 'string' } },
    count: { type: 'integer', minimum: 3 },
    amount: { type: 'number' },
    lang: { type: 'string', default: 'zh' },
    isUrgent: { type: 'boolean' },
    more: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } },
    note: { type: 'string' },
  };
  const required = [...Object.keys(properties).filter((name) => name !== 'note'), 'unknown'];

  assert.deepEqual(sampleOf({ type: 'object', properties, required }), {
    order_no: 'ORD202501180001',
    channel: 'email',
    to: ['to'],
    count: 3,
    amount: 1,
    lang: 'zh',
    isUrgent: false,
    more: { x: 'x' },
    unknown: 'unknown',
  });
  assert.deepEqual(sampleOf({}), {});
});
