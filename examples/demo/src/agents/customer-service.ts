import { Agent, type Context, ReachError } from '@agent-reach/sdk';
import {
  nothingFoundText,
  orderText,
  refusalText,
  shipmentText,
  stockText,
  troubleText,
  unreachableText,
} from '../answers.ts';
import { type ListedQuestion, type Order, readRows, type Shipment, type Stock } from '../data.ts';
import type { Language } from '../language.ts';
import { findQuestion } from '../questions.ts';
import type { Reply, Trouble } from '../reply.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

// The agent of seed A §1.1: it is asked 「我的手机为什么还没发货」 and knows nothing itself. It has
// to find out from the orders, and then, by what they say, from the logistics or the inventory. It
// names capabilities; who serves them and where is the gateway's business.

const questions = readRows<ListedQuestion>('questions');

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
  { question, language }: { question: string; language: Language },
  ctx: Context,
): Promise<Reply> {
  const found = findQuestion(question, questions);
  if (found === undefined) {
    return { answer: refusalText(language), language, understood: false, consulted: [] };
  }
  const inquiry = new Inquiry(ctx, found.language);
  await inquiry.follow(found.listed);
  return inquiry.reply();
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

  async follow({ capability, params }: ListedQuestion): Promise<void> {
    try {
      if (capability === 'check_stock') await this.#checkStock(params);
      else if (capability === 'track_shipment') await this.#trackShipment(params);
      else await this.#queryOrder(params);
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
  async #queryOrder(params: object): Promise<void> {
    const order = await this.#ask<Order>('query_order_status', params);
    this.#sentences.push(orderText(order, this.#language));
    if (order.waybill_no !== undefined) await this.#trackShipment({ waybill_no: order.waybill_no });
    else if (order.status === 'waiting_for_stock') await this.#checkStock({ sku: order.sku });
  }

  async #trackShipment(params: object): Promise<void> {
    const shipment = await this.#ask<Shipment>('track_shipment', params);
    this.#sentences.push(shipmentText(shipment, this.#language));
  }

  async #checkStock(params: object): Promise<void> {
    this.#sentences.push(stockText(await this.#ask<Stock>('check_stock', params), this.#language));
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
