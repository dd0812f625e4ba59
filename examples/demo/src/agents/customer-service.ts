import { Agent, type Context, ReachError, type RouteAnswer } from '@agent-reach/sdk';
import {
  askedText,
  nothingFoundText,
  orderText,
  refusalText,
  sensitiveText,
  shipmentText,
  stockText,
  troubleText,
  unreachableText,
} from '../answers.ts';
import { type Order, readRows, type Shipment, type Stock } from '../data.ts';
import { type Language, languageOf } from '../language.ts';
import { type Desk, particularsOf } from '../particulars.ts';
import type { Reply, Trouble } from '../reply.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

// The agent of seed A §1.1: it is asked 「我的手机为什么还没发货」 and knows nothing itself. It hands on
// what was asked, word for word, and the gateway says which capability that means, what to ask back,
// or that there is nothing. Who serves it and where is the gateway's business as well.

/** What those behind the counter do; among it the meaning of a question is looked for. */
const COUNTER = ['counter'];

/** Who is calling: the line is his. */
const CUSTOMER = 'C1001';
const DESK: Desk = {
  customerId: CUSTOMER,
  orders: readRows<Order>('orders').filter((order) => order.customer_id === CUSTOMER),
  products: readRows<Stock>('stock'),
};

const agent = new Agent({
  ...demoAgent,
  name: 'customer-service',
  displayName: '客服智能体',
}).capability(
  {
    name: 'answer_question',
    displayName: '回答客户问题',
    description: '回答客户关于订单、快递和库存的问题。Answers what customers ask about orders.',
    input: {
      type: 'object',
      properties: {
        question: { type: 'string', minLength: 1, maxLength: 500 },
        language: { enum: ['zh', 'en'], description: 'For answers to what is not understood.' },
      },
      required: ['question', 'language'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { answer: { type: 'string' }, understood: { type: 'boolean' } },
      required: ['answer', 'understood'],
    },
    effect: 'read',
    tags: ['customer-service'],
  },
  (params: { question: string; language: Language }, ctx) => answer(params, ctx),
);

async function answer(
  { question, language: preferred }: { question: string; language: Language },
  ctx: Context,
): Promise<Reply> {
  const route = await ctx.reach.route({ intent: question, tags: COUNTER, strategy: 'semantic' });
  const language = languageOf(question) ?? preferred;
  const { capability } = route;
  if (capability === undefined) return notRouted(route, language);
  const inquiry = new Inquiry(ctx, language);
  // Called though nobody may be there: the call tells who is away, and since when.
  await inquiry.follow(capability, particularsOf(question, route.missing ?? [], DESK));
  return inquiry.reply();
}

/** The question is asked back, or there is nothing for it. */
function notRouted(route: RouteAnswer, language: Language): Reply {
  const { options = [], route_id: routeId, meaning } = route;
  const base = { language, understood: false, consulted: [] };
  if (options.length > 0) {
    const capabilities = options.map((option) => option.capability);
    const names = options.map(({ display_name: name, capability }) =>
      language === 'zh' ? name : capability.replaceAll('_', ' '),
    );
    const asked = { route_id: routeId, options: capabilities };
    return { ...base, answer: askedText(names, language), asked };
  }
  const isSensitive = meaning?.reason === 'NAMED_ONLY';
  return { ...base, answer: isSensitive ? sensitiveText(language) : refusalText(language) };
}

/** One question being found out. What is known when a call fails is still told. */
class Inquiry {
  readonly #ctx: Context;
  readonly #language: Language;
  readonly #sentences: string[] = [];
  readonly #consulted: string[] = [];
  #trouble: Trouble | undefined;

  constructor(ctx: Context, language: Language) {
    this.#ctx = ctx;
    this.#language = language;
  }

  /** Calls what was meant, and tells what it answered by what it is. */
  async follow(capability: string, params: object): Promise<void> {
    try {
      const found = await this.#ask<Order | Shipment | Stock>(capability, params);
      if ('steps' in found) this.#sentences.push(shipmentText(found, this.#language));
      else if ('available' in found) this.#sentences.push(stockText(found, this.#language));
      else await this.#tellOrder(found);
    } catch (error) {
      if (!ReachError.is(error)) throw error;
      this.#sentences.push(this.#excuse(error));
    }
  }

  reply(): Reply {
    return {
      answer: this.#sentences.join(this.#language === 'zh' ? '' : ' '),
      language: this.#language,
      understood: true,
      consulted: this.#consulted,
      ...(this.#trouble === undefined ? {} : { trouble: this.#trouble }),
    };
  }

  /** The order says whom to ask next: the carrier of its parcel, or the warehouse it waits for. */
  async #tellOrder(order: Order): Promise<void> {
    this.#sentences.push(orderText(order, this.#language));
    if (order.waybill_no !== undefined) {
      const shipment = await this.#ask<Shipment>('track_shipment', {
        waybill_no: order.waybill_no,
      });
      this.#sentences.push(shipmentText(shipment, this.#language));
    } else if (order.status === 'waiting_for_stock') {
      const stock = await this.#ask<Stock>('check_stock', { sku: order.sku });
      this.#sentences.push(stockText(stock, this.#language));
    }
  }

  async #ask<T>(capability: string, params: object): Promise<T> {
    this.#consulted.push(capability);
    return (await this.#ctx.reach.call<T>(capability, params)).result;
  }

  #excuse({ code, status, facts }: ReachError): string {
    if (code === 'agent-rejected') return nothingFoundText(this.#language);
    const { agent: name, last_seen: lastSeen } = facts;
    this.#trouble = {
      code,
      status,
      capability: this.#consulted.at(-1) ?? '',
      ...(name === undefined ? {} : { agent: name }),
      ...(lastSeen === undefined ? {} : { last_seen: lastSeen }),
    };
    if (code !== 'no-reachable-agent') return troubleText(code, this.#language);
    return unreachableText(
      name,
      lastSeen === undefined ? undefined : secondsSince(lastSeen),
      this.#language,
    );
  }
}

function secondsSince(moment: string): number {
  return Math.max(0, Math.round((Date.now() - Date.parse(moment)) / 1_000));
}

await serveAgent(agent);
