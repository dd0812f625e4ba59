/**
 * Words of names, titles and tags by which a write is taken for sensitive when its manifest does not
 * say: funds, returns and exchanges, changes of orders. Only a default: a manifest that says
 * `sensitive` is believed, and so is one that declares `read`.
 */
const WORDS = [
  'charge',
  'exchange',
  'pay',
  'payment',
  'payout',
  'refund',
  'return',
  'returns',
  'transfer',
  'withdraw',
  'withdrawal',
];

/** Words that only together speak of a change of an order. */
const PAIRS: readonly (readonly [string, string])[] = [
  ['cancel', 'order'],
  ['change', 'order'],
  ['modify', 'order'],
  ['update', 'order'],
];

/** Chinese is written without blanks, so these are looked for anywhere. */
const CHINESE = [
  '付款',
  '扣款',
  '提现',
  '支付',
  '改单',
  '转账',
  '退款',
  '退货',
  '换货',
  '修改订单',
  '取消订单',
];

/** A capability whose name begins so only looks, though it looks at refunds. */
const LOOKING = [
  'check',
  'count',
  'find',
  'get',
  'list',
  'query',
  'read',
  'search',
  '查询',
  '查看',
];

/** Whether a capability without a declared `sensitive` speaks of what a person would confirm. */
export function soundsSensitive(name: string, title: string, tags: readonly string[]): boolean {
  if ([wordsOf(name), wordsOf(title)].some(([first = '']) => LOOKING.some(begins(first)))) {
    return false;
  }
  return [name, title, ...tags].some((text) => {
    const words = new Set(wordsOf(text));
    return (
      WORDS.some((word) => words.has(word)) ||
      PAIRS.some(([verb, noun]) => words.has(verb) && words.has(noun)) ||
      CHINESE.some((word) => text.includes(word))
    );
  });
}

function begins(first: string): (word: string) => boolean {
  return (word) => (/^[a-z]/.test(word) ? first === word : first.startsWith(word));
}

/** `refundOrder`, `refund_order` and `crm.refund` are words with the seams in different places. */
function wordsOf(text: string): string[] {
  const parts = text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return parts.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}
