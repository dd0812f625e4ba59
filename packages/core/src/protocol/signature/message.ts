import {
  ALWAYS_COVERED,
  BODY_TYPE,
  COVERED_WHEN_PRESENT,
  type Direction,
  PUSH_COVERED,
} from './profile.ts';

/** A request as its bytes say it, before anybody has read meaning into it. */
export interface SignedMessage {
  method: string;
  /** Path and query as sent: nothing is decoded, nothing is made shorter. */
  target: string;
  /** As in `Host`. */
  authority: string;
  /** Names and values in turn, in the order and letters they came in (Node's `rawHeaders`). */
  rawHeaders: readonly string[];
  /** The content as sent, before any decoding. */
  body: Uint8Array;
}

/** Why a message has no signature base: a sentence about the message, and about no key. */
export class Unsignable extends Error {}

/** Names a header may have and values it may carry in a base: the rest could be read in two ways. */
const PLAIN = /^[\x20-\x7e\t]*$/;

/**
 * The headers of a message by their lower-case names. One that comes twice has no single value: Node
 * keeps the first of some and joins others, so what was signed would not be what is read.
 */
export class Headers {
  readonly #values = new Map<string, string[]>();

  constructor(raw: readonly string[]) {
    for (let i = 0; i + 1 < raw.length; i += 2) {
      const name = (raw[i] as string).toLowerCase();
      if (name.startsWith('@')) throw new Unsignable('A header may not be named like a component');
      const value = raw[i + 1] as string;
      const before = this.#values.get(name);
      if (before === undefined) this.#values.set(name, [value]);
      else before.push(value);
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The one value; undefined: absent. */
  one(name: string): string | undefined {
    const values = this.#values.get(name);
    if (values === undefined) return undefined;
    const [value = ''] = values;
    if (values.length > 1) throw new Unsignable(`The header ${name} may come once`);
    if (!PLAIN.test(value)) throw new Unsignable(`The header ${name} holds other than ASCII`);
    return value.replaceAll(/^[ \t]+|[ \t]+$/g, '');
  }
}

const COVERED_IN_PUSH: readonly string[] = [...COVERED_WHEN_PRESENT, ...PUSH_COVERED];

/** What a signature of this message must cover: no less, no more, in no other order. */
export function coveredBy(headers: Headers, hasBody: boolean, direction: Direction): string[] {
  const mayBe: readonly string[] = direction === 'push' ? COVERED_IN_PUSH : COVERED_WHEN_PRESENT;
  const whenPresent = mayBe.filter((name) => headers.has(name));
  return [...ALWAYS_COVERED, ...(hasBody ? [BODY_TYPE] : []), ...whenPresent];
}

/** The text that is signed (RFC 9421 §2.5). `params` is the inner list exactly as it is sent. */
export function signatureBase(
  message: Pick<SignedMessage, 'method' | 'target' | 'authority'>,
  headers: Headers,
  { covered, params }: { covered: readonly string[]; params: string },
): string {
  const [path, query] = splitOnce(message.target);
  const derived: Readonly<Record<string, string>> = {
    '@method': message.method,
    '@authority': normalAuthority(message.authority),
    '@path': path === '' ? '/' : path,
    '@query': `?${query ?? ''}`,
  };
  const lines = covered.map((name) => {
    const value = name.startsWith('@') ? derived[name] : headers.one(name);
    if (value === undefined) throw new Unsignable(`${name} must be signed and is not there`);
    return `"${name}": ${value}`;
  });
  return [...lines, `"@signature-params": ${params}`].join('\n');
}

/** The inner list and its parameters, as they are sent and signed. */
export function innerList(covered: readonly string[]): string {
  return `(${covered.map((name) => `"${name}"`).join(' ')})`;
}

/** Lower case, without the default port. */
export function normalAuthority(authority: string): string {
  return authority.toLowerCase().replace(/:(?:80|443)$/, '');
}

function splitOnce(target: string): [string, string | undefined] {
  const at = target.indexOf('?');
  return at < 0 ? [target, undefined] : [target.slice(0, at), target.slice(at + 1)];
}
