// What is asked and answered: two objects of about 200 bytes, and schemas that look at every field.

/** The parameters of every call. */
export const PARAMS = {
  order_no: 'ORD202501180001',
  customer: { id: 'c-48213', level: 'gold', language: 'zh-CN' },
  items: [{ sku: 'SKU-90817', count: 2 }],
  note: 'Please tell me when it will arrive; I am away from Friday on.',
};

/** What the agent answers to every call. */
export const RESULT = {
  order_no: 'ORD202501180001',
  status: 'shipped',
  carrier: { name: 'SF Express', parcel: 'SF1390008812345' },
  eta: '2025-01-21',
  stops: [{ at: '2025-01-19T08:12:00Z', place: 'Hangzhou hub' }],
  amount: 259.5,
};

const text = { type: 'string', maxLength: 200 };

const input = {
  type: 'object',
  required: ['order_no', 'customer'],
  additionalProperties: false,
  properties: {
    order_no: { type: 'string', pattern: '^ORD[0-9]{12}$' },
    customer: {
      type: 'object',
      required: ['id'],
      properties: { id: text, level: { enum: ['plain', 'gold'] }, language: text },
    },
    items: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        required: ['sku', 'count'],
        properties: { sku: text, count: { type: 'integer', minimum: 1 } },
      },
    },
    note: text,
  },
};

const output = {
  type: 'object',
  required: ['order_no', 'status'],
  properties: {
    order_no: text,
    status: { enum: ['new', 'paid', 'shipped', 'delivered'] },
    carrier: { type: 'object', properties: { name: text, parcel: text } },
    eta: { type: 'string', format: 'date' },
    stops: {
      type: 'array',
      items: {
        type: 'object',
        required: ['at'],
        properties: { at: { type: 'string', format: 'date-time' }, place: text },
      },
    },
    amount: { type: 'number', minimum: 0 },
  },
};

const schemas = { input_schema: input, output_schema: output };

/** A read and a plain write whose first result the gateway keeps. */
export const READ = 'query_order_status';
export const WRITE = 'refund_order';

/** The agent, and who calls it. */
export const AGENT = 'orders';
export const CALLER = 'bench';

/** The manifest of the agent at `origin`. */
export function manifestOf(origin: string): object {
  // It sounds like what somebody confirms first, and a question is no write.
  const write = { effect: 'write', idempotency: 'gateway', sensitive: false };
  return {
    name: AGENT,
    capabilities: [
      { name: READ, description: 'Where an order is.', effect: 'read', ...schemas },
      { name: WRITE, description: 'Pays an order back.', ...write, ...schemas },
    ],
    // The bench ends before the agent would have to beat.
    network: { base_url: origin, heartbeat_interval_sec: 3_600 },
  };
}
