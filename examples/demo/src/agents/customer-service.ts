import { Agent, type Context, ReachError, type RouteAnswer } from '@agent-reach/sdk';
import {
  askedText,
  deskText,
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
import type { DeskAnswer, Reply, Trouble } from '../reply.ts';
import { COUNTER } from '../shop/plan.ts';
import { calledHere, filledIn, ownNames, role } from '../shop/role.ts';
import { demoAgent, serveAgent } from './serve-agent.ts';

// The agent of seed A §1.1: it is asked 「我的手机为什么还没发货」 and knows nothing itself. It hands on
// what was asked, word for word, and the gateway says which capability that means, what to ask back,
// or that there is nothing. Who serves it and where is the gateway's business as well.

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
        given: { type: 'object', description: 'What the customer has filled in beside it.' },
      },
      required: ['question', 'language'],
      additionalProperties: false,
    },
    output: {
      type: 'object',
      properties: { answer: { type: 'string' }, understood: { type: 'boolean' } },
      required: ['answer', 'understood'],
    },
    // In a shop of labelled questions some of them change something.
    ...(role === undefined
      ? ({ effect: 'read' } as const)
      : ({ effect: 'idempotent_write', idempotency: 'key' } as const)),
    tags: ['customer-service'],
  },
  (params: Question, ctx) => answer(params, ctx),
);

interface Question {
  question: string;
  language: Language;
  given?: object;
}

async function answer(
  { question, language: preferred, given }: Question,
  ctx: Context,
): Promise<Reply> {
  const intent = { intent: question, tags: [COUNTER] };
  const route = await ctx.reach.route(intent, given, { strategy: 'semantic' });
  const language = languageOf(question) ?? preferred;
  const { capability } = route;
  if (capability === undefined) return notRouted(route, language);
  const inquiry = new Inquiry(ctx, language);
  // Called though nobody may be there: the call tells who is away, and since when.
  const particulars = particularsOf(question, ownNames(capability, route.missing ?? []), DESK);
  await inquiry.follow(capability, { ...filledIn(capability, particulars), ...given });
  return inquiry.reply();
}

/** The question is asked back, or there is nothing for it. */
function notRouted(route: RouteAnswer, language: Language): Reply {
  const { options = [], route_id: routeId, meaning } = route;
  const reason = meaning?.reason;
  const base = { language, understood: false, consulted: [], ...(reason && { reason }) };
  if (options.length > 0) {
    const capabilities = options.map((option) => option.capability);
    const names = options.map(({ display_name: name, capability }) =>
      language === 'zh' ? name : capability.replaceAll('_', ' '),
    );
    const asked = { route_id: routeId, options: capabilities };
    return { ...base, answer: askedText(names, language), asked };
  }
  return {
    ...base,
    answer: reason === 'NAMED_ONLY' ? sensitiveText(language) : refusalText(language),
  };
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
      const found = await this.#ask<Order | Shipment | Stock | DeskAnswer>(capability, params);
      if ('steps' in found) this.#sentences.push(shipmentText(found, this.#language));
      else if ('available' in found) this.#sentences.push(stockText(found, this.#language));
      else if ('desk' in found) this.#sentences.push(deskText(found, this.#language));
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
      const { capability, params } = calledHere('track_shipment', {
        waybill_no: order.waybill_no,
      });
      const shipment = await this.#ask<Shipment>(capability, params);
      this.#sentences.push(shipmentText(shipment, this.#language));
    } else if (order.status === 'waiting_for_stock') {
      const { capability, params } = calledHere('check_stock', { sku: order.sku });
      const stock = await this.#ask<Stock>(capability, params);
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
