import { json } from '../../main/testing/network.ts';

/** A read with schemas on both sides. */
export const lookup = {
  name: 'query_order_status',
  description: 'Answers where an order is and when it will ship.',
  effect: 'read',
  input_schema: {
    type: 'object',
    properties: { order_no: { type: 'string' } },
    required: ['order_no'],
  },
  output_schema: {
    type: 'object',
    properties: { status: { type: 'string' } },
    required: ['status'],
  },
};

/** A plain write. */
export const refund = {
  name: 'refund_order',
  sensitive: false,
  description: 'Pays an order back.',
  effect: 'write',
  idempotency: 'gateway',
};

export const params = { order_no: 'ORD1' };

/** A call of `lookup`. */
export const ask = { capability: 'query_order_status', params, agent_id: 'customer-service' };

/** What `lookup` answers. */
export const shipped = () => json(200, { status: 'shipped' });
