import { Agent, Rejection } from '@agent-reach/sdk';
import { readRows, type Stock } from '../data.ts';
import { offered } from '../shop/role.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

const stock = new Map(readRows<Stock>('stock').map((row) => [row.sku, row]));

// Which of several processes it is, where there are several.
const [, , instanceId] = process.argv;
const about = { ...demoAgent, name: 'inventory', displayName: '库存智能体' };

const agent = new Agent(instanceId === undefined ? about : { ...about, instanceId });
agent.capability(
  ...offered(
    'inventory',
    {
      name: 'check_stock',
      displayName: '库存查询',
      description:
        '根据商品编号查询可售库存和补货日期。How many pieces are left, and when more come.',
      examples: [
        '这个商品还有货吗',
        '什么时候补货',
        '仓库里有没有现货',
        'Is this product in stock?',
        'How many of them are left?',
        'When will you have more?',
      ],
      input: {
        type: 'object',
        properties: { sku: { type: 'string', description: '商品编号，例如 PHONE-X15-256' } },
        required: ['sku'],
        additionalProperties: false,
      },
      output: {
        type: 'object',
        properties: { sku: { type: 'string' }, available: { type: 'integer', minimum: 0 } },
        required: ['sku', 'available'],
      },
      effect: 'read',
      tags: ['inventory', 'counter'],
    },
    ({ sku }: { sku: string }) => {
      const row = stock.get(sku);
      if (row === undefined) throw new Rejection('sku-unknown', `No product is called ${sku}.`);
      return row;
    },
  ),
);

await serveAgent(agent);
