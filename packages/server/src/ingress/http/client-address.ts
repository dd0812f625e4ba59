import { BlockList, isIP } from 'node:net';

/** Networks whose word on who asked is believed. */
export interface Proxies {
  has(address: string): boolean;
}

/** Longer chains of proxies are nobody's. */
const HOPS_MAX = 16;
const NETWORK = /^([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?$/;

/** The networks that a list names as CIDR blocks or addresses; undefined: it names something else. */
export function readProxies(list: readonly string[]): Proxies | undefined {
  const blocks = new BlockList();
  for (const text of list) {
    const [, address = '', bits] = NETWORK.exec(text) ?? [];
    const family = isIP(address);
    const max = family === 4 ? 32 : 128;
    const prefix = bits === undefined ? max : Number(bits);
    // A block of all addresses believes everybody, and nobody means that.
    if (family === 0 || prefix < 1 || prefix > max) return undefined;
    blocks.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return { has: (address) => isIP(address) > 0 && blocks.check(address, familyOf(address)) };
}

/**
 * The address of who asks: the other end of the connection, or, where that is a proxy that is
 * believed, the last of those it passed on that is none. What stands before that anybody can write.
 */
export function clientAddress(
  peer: string,
  forwarded: string | readonly string[] | undefined,
  proxies: Proxies,
): string {
  let address = unmapped(peer);
  if (forwarded === undefined || !proxies.has(address)) return address;
  const hops = String(forwarded).split(',').slice(-HOPS_MAX).reverse();
  for (const hop of hops) {
    const next = unmapped(hop.trim());
    if (isIP(next) === 0) return address;
    address = next;
    if (!proxies.has(address)) return address;
  }
  return address;
}

/** An address of IPv4 as it is, on a socket of both kinds too. */
function unmapped(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
