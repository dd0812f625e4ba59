import type { Order, Shipment, Stock } from './data.ts';
import type { Language } from './language.ts';
import type { DeskAnswer } from './reply.ts';

// The sentences with which the customer service answers: what was found goes in, text comes out.

/** Where an order stands, before anybody else is asked. */
export function orderText(order: Order, language: Language): string {
  const { order_no: no, estimated_ship_time: when, waybill_no: waybill = '' } = order;
  const time = when === undefined ? '' : momentText(when, language);
  if (language === 'zh') {
    const states = {
      paid: `订单 ${no} 已付款，预计${time} 发货。`,
      waiting_for_stock: `订单 ${no} 还没有发货，因为在等货。`,
      packed: `订单 ${no} 已打包，预计${time} 发出。`,
      shipped: `订单 ${no} 已发货，运单号 ${waybill}。`,
      delivered: `订单 ${no} 已送达，运单号 ${waybill}。`,
      cancelled: `订单 ${no} 已取消，不会再发货。`,
    };
    return states[order.status];
  }
  const states = {
    paid: `Order ${no} is paid and should ship by ${time}.`,
    waiting_for_stock: `Order ${no} has not shipped because it waits for stock.`,
    packed: `Order ${no} is packed and should leave by ${time}.`,
    shipped: `Order ${no} has shipped with waybill ${waybill}.`,
    delivered: `Order ${no} was delivered with waybill ${waybill}.`,
    cancelled: `Order ${no} is cancelled and will not ship.`,
  };
  return states[order.status];
}

/** How many pieces are left, and when more come. */
export function stockText(stock: Stock, language: Language): string {
  const { available, restock_at: date, restock_quantity: more } = stock;
  const product = stock.product[language];
  const warehouse = stock.warehouse[language];
  if (language === 'zh') {
    if (available > 0) return `${product}：${warehouse}还有 ${available} 件。`;
    const next = date === undefined ? '补货日期还没有定' : `${dateText(date, 'zh')}补货 ${more} 件`;
    return `${product}：${warehouse}目前缺货，${next}。`;
  }
  if (available > 0) return `${product}: ${available} in stock in ${warehouse}.`;
  const next = date === undefined ? 'no date for more yet' : `${more} more arrive on ${date}`;
  return `${product}: out of stock in ${warehouse}, ${next}.`;
}

/** Where a parcel was seen last, and when it is expected. */
export function shipmentText(shipment: Shipment, language: Language): string {
  const last = shipment.steps.at(-1);
  if (last === undefined) return '';
  const carrier = shipment.carrier[language];
  const place = last.place[language];
  const event = last.event[language];
  const time = momentText(last.at, language);
  const { expected_on: date } = shipment;
  if (language === 'zh') {
    const expected = date === undefined ? '' : `预计${dateText(date, 'zh')}送达。`;
    return `${carrier} ${time} 在${place}${event}。${expected}`;
  }
  const expected = date === undefined ? '' : ` Expected on ${date}.`;
  return `${carrier}: ${event}, ${place}, ${time}.${expected}`;
}

/** A desk was asked, with this. */
export function deskText({ desk, asked, params }: DeskAnswer, language: Language): string {
  const given = JSON.stringify(params);
  return language === 'zh'
    ? `${desk} 收到“${asked}”：${given}`
    : `${desk} was asked “${asked}”: ${given}`;
}

/** The question may mean several things: it is asked back. */
export function askedText(names: readonly string[], language: Language): string {
  return language === 'zh'
    ? `您是想问${names.map((name) => `「${name}」`).join('，还是')}？`
    : `Do you mean ${names.map((name) => `“${name}”`).join(' or ')}?`;
}

/** What is asked for moves money, and no wording of a question reaches that. */
export function sensitiveText(language: Language): string {
  return language === 'zh'
    ? '这涉及资金，不会凭一句话去办：要由人点名办理。'
    : 'That moves money, and no wording of a question does that: somebody must ask for it by name.';
}

/** The question means nothing that anybody here does: no guess. */
export function refusalText(language: Language): string {
  return language === 'zh'
    ? '抱歉，这个问题我听不懂，也不会猜。我只回答订单、快递和库存的问题。'
    : 'Sorry, I do not understand this question, and I will not guess. I answer questions about orders, parcels and stock.';
}

/** The agent that was asked has nothing under that number, or not for this customer. */
export function nothingFoundText(language: Language): string {
  return language === 'zh'
    ? '您名下没有这个编号的记录。'
    : 'There is nothing under that number for you.';
}

/** An agent that is needed cannot be reached: who, and since when. */
export function unreachableText(
  agent: string | undefined,
  secondsAgo: number | undefined,
  language: Language,
): string {
  if (language === 'zh') {
    const seen =
      secondsAgo === undefined
        ? ''
        : `，最后一次见到它是${secondsAgo < 1 ? '刚才' : ` ${secondsAgo} 秒前`}`;
    return `现在联系不上 ${agent ?? '要问的智能体'}${seen}，请稍后再问。`;
  }
  const seen =
    secondsAgo === undefined
      ? ''
      : `; it was last seen ${secondsAgo < 1 ? 'a moment' : `${secondsAgo} s`} ago`;
  return `${agent ?? 'The agent to ask'} cannot be reached now${seen}. Please ask again later.`;
}

/** Something else went wrong on the way. */
export function troubleText(code: string, language: Language): string {
  return language === 'zh'
    ? `查询没有成功（${code}），请稍后再问。`
    : `I could not find out (${code}). Please ask again later.`;
}

/** `2025-01-20T18:00:00+08:00` as people write it. The shop's own time zone is meant. */
function momentText(moment: string, language: Language): string {
  const [date = '', time = ''] = moment.split('T');
  return `${dateText(date, language)} ${time.slice(0, 5)}`;
}

function dateText(date: string, language: Language): string {
  const [, month, day] = date.split('-');
  return language === 'zh' ? `${Number(month)}月${Number(day)}日` : date;
}
