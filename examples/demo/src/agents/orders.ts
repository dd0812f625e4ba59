import { Agent, Rejection } from '@agent-reach/sdk';
import { type Order, readRows } from '../data.ts';
import { offered } from '../shop/role.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

const orders = new Map(readRows<Order>('orders').map((order) => [order.order_no, order]));

const agent = new Agent({ ...demoAgent, name: 'orders', displayName: '订单智能体' });
agent.capability(
  ...offered(
    'orders',
    {
      name: 'query_order_status',
      displayName: '订单状态查询',
      description:
        '根据订单号查询订单当前状态和预计发货时间。Where an order stands and when it will ship.',
      examples: [
        '我的订单什么时候发货',
        '下单几天了怎么还没发货',
        '订单到哪一步了',
        'Why has my order not shipped yet?',
        'When will my order ship?',
        'Where does my order stand?',
      ],
      notFor: ['本能力不返回物流轨迹。', 'Does not return the track of a parcel.'],
      input: {
        type: 'object',
        properties: {
          order_no: { type: 'string', description: '业务订单号，例如 ORD202501180001' },
          customer_id: { type: 'string', description: '用户ID，用于校验订单归属' },
        },
        required: ['order_no', 'customer_id'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: { order_no: { type: 'string' }, status: { type: 'string' } },
        required: ['order_no', 'status'],
      },
      effect: 'read',
      tags: ['order', 'shipping', 'counter'],
    },
    ({ order_no: orderNo, customer_id: customerId }: { order_no: string; customer_id: string }) => {
      const order = orders.get(orderNo);
      // Somebody else's order is no order: whether it exists is none of the asker's business.
      if (order?.customer_id !== customerId) {
        throw new Rejection('order-not-found', `${customerId} has no order ${orderNo}.`, {
          status: 404,
        });
      }
      return order;
    },
  ),
);

/** What was paid back, by order. */
const refunds = new Map<string, number>();

agent.capability(
  ...offered(
    'orders',
    {
      name: 'refund_order',
      displayName: '订单退款',
      description: '把一笔订单的钱退给客户。Pays an order back to the customer.',
      input: {
        type: 'object',
        properties: {
          order_no: { type: 'string' },
          yuan: { type: 'integer', minimum: 1 },
          card: { type: 'string', 'x-reach-sensitive': true },
        },
        required: ['order_no', 'yuan', 'card'],
        additionalProperties: false,
      },
      effect: 'write',
      idempotency: 'gateway',
      sensitive: true,
      tags: ['counter'],
    },
    ({ order_no: orderNo, yuan }: { order_no: string; yuan: number }) => {
      const total = (refunds.get(orderNo) ?? 0) + yuan;
      refunds.set(orderNo, total);
      return { order_no: orderNo, refunded_yuan: total };
    },
  ),
);

await serveAgent(agent);
