import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address as the rules compare it: never an IPv4 address in the clothes of IPv6. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A block of addresses: a base and how many leading bits count. */
export interface Network {
  base: Address;
  bits: number;
}

/**
 * Reads the four-part or colon form of an address; undefined for everything else, zone ids
 * (`fe80::1%eth0`) included: they name an interface of this machine, which no peer can mean.
 * `::ffff:10.0.0.1` becomes 10.0.0.1, since that is where the system would connect to.
 */
export function readAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const address = ipaddr.parse(text);
  return isMapped(address) ? address.toIPv4Address() : address;
}

/** Reads a block, or one address as the block of itself; undefined if it is neither. */
export function readNetwork(text: string): Network | undefined {
  const [ip = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(ip) === 0 || ip.includes('%')) return undefined;
  const base = ipaddr.parse(ip);
  const bitsMax = base.kind() === 'ipv4' ? 32 : 128;
  if (bits === undefined) return { base, bits: bitsMax };
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(bits) || Number(bits) > bitsMax) return undefined;
  return { base, bits: Number(bits) };
}

/** Whether the address lies in the block. */
export function contains(network: Network, address: Address): boolean {
  return network.base.kind() === address.kind() && address.match([network.base, network.bits]);
}

/** Whether all of `inner` lies in `outer`. */
export function isWithin(inner: Network, outer: Network): boolean {
  return inner.bits >= outer.bits && contains(outer, inner.base);
}

/** The block's first address, which its base must be for the block to be written correctly. */
export function firstAddress({ base, bits }: Network): string {
  const bytes = base.toByteArray();
  const first = bytes.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - i * 8))));
  return ipaddr.fromByteArray(first.map((byte) => byte & 0xff)).toString();
}

/** Whether the address is an IPv4 address written as IPv6. */
export function isMapped(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();
}

const GLOBAL_IPV6: Network = { base: ipaddr.parse('2000::'), bits: 3 };

/** Whether the address is routed on the internet and means one host. Source: IANA's registries. */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || contains(GLOBAL_IPV6, address);
}
