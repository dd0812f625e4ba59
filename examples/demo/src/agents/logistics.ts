import { Agent, Rejection } from '@agent-reach/sdk';
import { readRows, type Shipment } from '../data.ts';
import { offered } from '../shop/role.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

const shipments = new Map(readRows<Shipment>('shipments').map((one) => [one.waybill_no, one]));

const agent = new Agent({ ...demoAgent, name: 'logistics', displayName: '物流智能体' });
agent.capability(
  ...offered(
    'logistics',
    {
      name: 'track_shipment',
      displayName: '物流轨迹查询',
      description:
        '根据运单号查询物流轨迹和预计送达日期。The track of a parcel and when it is expected.',
      examples: [
        '快递到哪了',
        '我的包裹现在在哪里',
        '物流怎么一直不更新',
        '快递今天能送到吗',
        'Where is my package now?',
        'When will my parcel be delivered?',
        'Where is the courier with my parcel?',
      ],
      notFor: ['本能力不返回订单状态。', 'Does not say whether an order was paid or packed.'],
      input: {
        type: 'object',
        properties: { waybill_no: { type: 'string', description: '运单号，例如 SF1436990217735' } },
        required: ['waybill_no'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: { waybill_no: { type: 'string' }, steps: { type: 'array', minItems: 1 } },
        required: ['waybill_no', 'steps'],
      },
      effect: 'read',
      tags: ['logistics', 'shipping', 'counter'],
    },
    ({ waybill_no: waybillNo }: { waybill_no: string }) => {
      const shipment = shipments.get(waybillNo);
      if (shipment !== undefined) return shipment;
      throw new Rejection('waybill-not-found', `No parcel has the waybill ${waybillNo}.`, {
        status: 404,
      });
    },
  ),
);

await serveAgent(agent);
