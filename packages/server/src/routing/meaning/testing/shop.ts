import type { Capability } from '@agent-reach/core';
import { capability } from '../../../registry/testing/builders.ts';
import { Catalogue } from '../catalogue.ts';
import { interpret, type Reading } from '../interpret.ts';
import type { Question } from '../rank.ts';

const orderNo = {
  type: 'object',
  properties: { order_no: { type: 'string', description: '订单号 order number' } },
  required: ['order_no'],
};

/** A shop's capabilities in two languages, some of them close to each other. */
export const SHOP: readonly Capability[] = [
  capability({
    name: 'order.status',
    display_name: '订单状态查询',
    description:
      '查询订单当前状态和预计发货时间。Looks up the state of an order and when it ships.',
    effect: 'read',
    input: orderNo,
    examples: ['我的订单什么时候发货', 'has my order been shipped yet'],
    not_for: ['不返回物流轨迹', 'parcel tracking history'],
  }),
  capability({
    name: 'parcel.track',
    display_name: '物流轨迹查询',
    description: '查询包裹的物流轨迹和当前位置。Tracks where a parcel is on its way.',
    effect: 'read',
    input: { type: 'object', properties: { tracking_no: {} }, required: ['tracking_no'] },
    examples: ['快递到哪里了', 'where is my parcel'],
  }),
  capability({
    name: 'invoice.issue',
    display_name: '开具发票',
    description: '为已付款订单开具电子发票。Issues an electronic invoice for a paid order.',
    effect: 'idempotent_write',
    idempotency: 'natural',
    input: {
      type: 'object',
      properties: { order_no: {}, tax_id: {}, title: {} },
      required: ['order_no', 'tax_id'],
    },
  }),
  capability({
    name: 'weather.forecast',
    display_name: '天气预报',
    description: '查询城市的天气预报。Gives the weather forecast of a city.',
    effect: 'read',
    input: { type: 'object', properties: { city: {} }, required: ['city'] },
  }),
  capability({
    name: 'account.delete',
    display_name: '注销账户',
    description: '永久注销用户账户并删除全部数据。Deletes an account for good, with all its data.',
    effect: 'write',
    idempotency: 'gateway',
    sensitive: true,
  }),
];

/** A catalogue of these, all of one agent. */
export function catalogueOf(capabilities: readonly Capability[] = SHOP): Catalogue {
  const catalogue = new Catalogue();
  for (const one of capabilities) put(catalogue, one);
  return catalogue;
}

export function put(catalogue: Catalogue, ...offers: Capability[]): void {
  const [first] = offers;
  if (first === undefined) return;
  catalogue.put(
    first.name,
    offers.map((one, i) => ({ agentId: `agent-${i}`, capability: one })),
  );
}

/** What is asked where everything that is not sensitive may be had. */
export function question(
  intent: string,
  catalogue: Catalogue,
  over: Partial<Question> = {},
): Question {
  return {
    intent,
    params: {},
    admits: (name) => {
      return catalogue.entriesOf(name)[0]?.capability.sensitive === true ? 'named-only' : 'in';
    },
    ...over,
  };
}

/** Reads an intent with a budget of one percent. */
export function read(
  intent: string,
  catalogue: Catalogue = catalogueOf(),
  over: Partial<Question> = {},
): Reading {
  return interpret(question(intent, catalogue, over), catalogue, { budget: '1' });
}

/** The names of what was offered, best first. */
export function offered({ options }: Reading): string[] {
  return options.map(({ capability: name }) => name);
}
