import type { Order, Stock } from './data.ts';

// The customer service does not know who answers a question, and need not. What it does know is who
// is calling and what lies before it on the desk: the customer's orders, and what the shop sells.

/** What the customer service sees of the one who asks. */
export interface Desk {
  customerId: string;
  /** His orders, the newest first. */
  orders: readonly Order[];
  products: readonly Stock[];
}

/** The names of parameters that can be filled in from a desk. */
export type Particular = 'order_no' | 'customer_id' | 'waybill_no' | 'sku';

/**
 * Fills in what a capability demands, by what the customer says and else by his newest order; what
 * cannot be known is left out.
 */
export function particularsOf(
  question: string,
  wanted: readonly string[],
  desk: Desk,
): Partial<Record<Particular, string>> {
  const order = orderMeant(question, desk);
  const said = (pattern: RegExp) => pattern.exec(question)?.[0];
  const known: Record<Particular, () => string | undefined> = {
    order_no: () => said(/\bORD\d{6,}\b/) ?? order?.order_no,
    customer_id: () => desk.customerId,
    waybill_no: () => said(/\b(?!ORD)[A-Z]{2,3}\d{8,}\b/) ?? shippedOf(order, desk)?.waybill_no,
    sku: () => productMeant(question, desk.products)?.sku ?? order?.sku,
  };
  const filled = wanted.filter(isParticular).map((name) => [name, known[name]()] as const);
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined));
}

function isParticular(name: string): name is Particular {
  return ['order_no', 'customer_id', 'waybill_no', 'sku'].includes(name);
}

/** The order of the product that he names, else the newest one. */
function orderMeant(question: string, { orders, products }: Desk): Order | undefined {
  const own = products.filter(({ sku }) => orders.some((order) => order.sku === sku));
  const product = productMeant(question, own);
  return orders.find(({ sku }) => sku === product?.sku) ?? orders[0];
}

/** If that one has not left yet, he can only mean one that has. */
function shippedOf(order: Order | undefined, { orders }: Desk): Order | undefined {
  if (order?.waybill_no !== undefined) return order;
  return orders.find(({ waybill_no: no }) => no !== undefined);
}

/** The product of whose name the question says most; undefined: none is named. */
function productMeant(question: string, products: readonly Stock[]): Stock | undefined {
  const text = question.toLowerCase();
  const scored = products.map((row) => {
    const names = [row.product.zh, row.product.en].map((name) => said(name.toLowerCase(), text));
    return { row, score: Math.max(...names) };
  });
  const [best] = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  return best?.row;
}

/** How many letters of a name's words, and pairs of Chinese ones, a text has. */
function said(name: string, text: string): number {
  const words = name.match(/[a-z0-9]{3,}|\p{Script=Han}+/gu) ?? [];
  const parts = words.flatMap((word) => {
    if (!/\p{Script=Han}/u.test(word)) return [word];
    return Array.from({ length: word.length - 1 }, (_, i) => word.slice(i, i + 2));
  });
  return parts.filter((part) => text.includes(part)).join('').length;
}
