import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderText, shipmentText, stockText } from './answers.ts';
import { type ListedQuestion, type Order, readRows, type Shipment, type Stock } from './data.ts';
import { findQuestion } from './questions.ts';
import { PARCEL, TOUR } from './texts.ts';

const list = readRows<ListedQuestion>('questions');
const orders = readRows<Order>('orders');
const shipments = readRows<Shipment>('shipments');
const stock = readRows<Stock>('stock');

test('a listed question is found in any phrasing, case, width and punctuation', () => {
  for (const question of ['我的手机为什么还没发货', ' 我的手机，为什么还没发货？！ ']) {
    const found = findQuestion(question, list);
    assert.equal(found?.language, 'zh');
    assert.equal(found.listed.params['order_no'], 'ORD202501180001');
  }
  for (const question of ['where is my parcel', 'Ｗhere is MY  parcel??']) {
    assert.equal(findQuestion(question, list)?.language, 'en');
  }
});

test('any other question is not found, however near it comes', () => {
  for (const question of ['我的手机', 'Where is my parcels?', '明天会下雨吗？', '', '？']) {
    assert.equal(findQuestion(question, list), undefined, question);
  }
});

test('no phrasing stands twice, and the tour asks three listed questions and an unlisted one', () => {
  for (const language of ['zh', 'en'] as const) {
    for (const listed of list) {
      for (const phrasing of listed[language]) {
        assert.equal(findQuestion(phrasing, list)?.listed, listed, phrasing);
      }
    }
    const found = TOUR[language].map((question) => findQuestion(question, list) !== undefined);
    assert.deepEqual(found, [true, true, true, false]);
    assert.ok(findQuestion(PARCEL[language], list));
  }
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
  for (const { params } of list) {
    const { order_no: orderNo, waybill_no: waybill, sku } = params;
    const known = [
      orders.some((order) => order.order_no === orderNo),
      shipments.some((shipment) => shipment.waybill_no === waybill),
      stock.some((row) => row.sku === sku),
    ];
    assert.ok(known.includes(true), JSON.stringify(params));
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
