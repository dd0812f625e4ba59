import { Agent, Rejection } from '@agent-reach/sdk';

const stock = new Map([['PHONE-15', 3]]);

await new Agent({ name: 'inventory', displayName: '库存智能体' })
  .capability(
    {
      name: 'check_stock',
      description: 'Answers how many pieces of a product are in stock. 查询商品库存',
      input: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] },
      effect: 'read',
    },
    ({ sku }: { sku: string }, ctx) => {
      const count = stock.get(sku);
      if (count === undefined) throw new Rejection('sku-unknown', `No product is called ${sku}.`);
      ctx.log.info({ sku, count }, `${ctx.caller} asked for stock`);
      return { sku, count };
    },
  )
  .start();
