import assert from 'node:assert/strict';
import test from 'node:test';
import { soundsSensitive } from './sensitive.ts';

test('funds, returns and changes of orders sound sensitive in either language', () => {
  for (const name of [
    'refund',
    'refundOrder',
    'order.cancel',
    'modify_order',
    'create-payment',
    'bank_transfer',
    'goods_return',
  ]) {
    assert.ok(soundsSensitive(name, '', []), name);
  }
  for (const title of ['申请退款', '订单换货', '修改订单地址', '余额提现'])
    assert.ok(soundsSensitive('x', title, []), title);
  assert.ok(soundsSensitive('x', 'x', ['退货']));
});

test('what only looks, and words that merely contain such a word, do not', () => {
  for (const name of [
    'query_order_status',
    'get_refund_status',
    'list-payments',
    'payload_check',
    'recharge_hint',
    'transferable',
  ]) {
    assert.ok(!soundsSensitive(name, '', []), name);
  }
  assert.ok(!soundsSensitive('x', '查询退款进度', []));
});
