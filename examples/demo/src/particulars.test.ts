import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderText, shipmentText, stockText } from './answers.ts';
import { type Order, readRows, type Shipment, type Stock } from './data.ts';
import { type Desk, particularsOf } from './particulars.ts';

const orders = readRows<Order>('orders');
const shipments = readRows<Shipment>('shipments');
const stock = readRows<Stock>('stock');
const DESK: Desk = {
  customerId: 'C1001',
  orders: orders.filter((order) => order.customer_id === 'C1001'),
  products: stock,
};

test('the order of a product that is named is meant, in either language, else the newest one', () => {
  const orderOf = (question: string) => particularsOf(question, ['order_no'], DESK).order_no;

  assert.equal(orderOf('我的手机为什么还没发货？'), 'ORD202501180001');
  assert.equal(orderOf('Where is the clear case I bought?'), 'ORD202501160014');
  assert.equal(orderOf('到哪一步了'), 'ORD202501180001');
});

test('a number that is said is meant, whosever it is', () => {
  const filled = particularsOf(
    '订单 ORD202501150007 和运单 DHL5501823346',
    ['order_no', 'customer_id', 'waybill_no'],
    DESK,
  );

  assert.deepEqual(filled, {
    order_no: 'ORD202501150007',
    customer_id: 'C1001',
    waybill_no: 'DHL5501823346',
  });
});

test('a parcel is one that has left: the phone waits for stock, so the case is on its way', () => {
  const { waybill_no: waybill } = particularsOf('我的快递到哪了？', ['waybill_no'], DESK);

  assert.equal(waybill, 'SF1437025561208');
});

test('any product of the shop can be asked for, and what nobody can know is left out', () => {
  const skuOf = (question: string) => particularsOf(question, ['sku'], DESK).sku;
  assert.equal(skuOf('蓝色耳机还有货吗'), 'BUDS-AIR3-BLUE');
  assert.equal(skuOf('Is the 65 W charger in stock?'), 'CHARGER-65W');

  const nobody: Desk = { customerId: 'C9', orders: [], products: [] };
  assert.deepEqual(particularsOf('到哪了', ['waybill_no', 'sku', 'colour'], nobody), {});
});

test('the data fits together: every order has its product, and its parcel if it left', () => {
  for (const order of orders) {
    assert.ok(
      stock.some(({ sku }) => sku === order.sku),
      order.sku,
    );
    const hasLeft = order.status === 'shipped' || order.status === 'delivered';
    assert.equal(order.waybill_no !== undefined, hasLeft, order.order_no);
    const parcel = shipments.find((one) => one.waybill_no === order.waybill_no);
    assert.equal(parcel?.order_no, hasLeft ? order.order_no : undefined);
  }
});

test('every row makes a whole sentence in both languages', () => {
  for (const language of ['zh', 'en'] as const) {
    const texts = [
      ...orders.map((order) => orderText(order, language)),
      ...shipments.map((shipment) => shipmentText(shipment, language)),
      ...stock.map((row) => stockText(row, language)),
    ];
    for (const text of texts) {
      assert.match(text, language === 'zh' ? /。$/ : /\.$/);
      assert.doesNotMatch(text, /undefined|NaN|预计 |by \./, text);
    }
  }
});
