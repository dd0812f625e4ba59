import { domainToASCII } from 'node:url';
import { ReachError } from '@agent-reach/core';
import {
  type Address,
  contains,
  firstAddress,
  isMapped,
  isPublic,
  isWithin,
  type Network,
  readAddress,
  readNetwork,
} from './networks.ts';

/** Whether one address may be called, and if not, why. */
export type AddressJudgement = { allowed: true } | { allowed: false; detail: string };

/** The operator's egress policy, ready to judge. */
export interface EgressRules {
  /**
   * @param ip what the name resolved to, or the literal in the URL.
   * @param host the URL's host, lower-case, without brackets: a rule may name it.
   * @param port only for the sentence that explains a refusal.
   */
  judgeAddress(ip: string, host: string, port: number): AddressJudgement;
}

interface Entries {
  networks: Network[];
  hosts: Set<string>;
  /** With their leading dot. */
  suffixes: string[];
  allowsPublic: boolean;
  allowsLoopback: boolean;
}

interface SpecialBlocks {
  name: string;
  /** `never`: no entry opens it. `by-entry`: an entry that lies inside the block opens it. */
  opens: 'never' | 'by-entry';
  blocks: Network[];
}

// Design. A wide entry is written with ordinary hosts in mind: whoever allows 0.0.0.0/0 or
// fd00::/8 did not mean the credentials of the machine. So the dangerous blocks are judged first and
// only an entry inside one of them, which nobody writes by accident, opens it.
// The order matters: ::1 lies in ::/96, too.
const SPECIAL: SpecialBlocks[] = [
  special('loopback', 'by-entry', ['127.0.0.0/8', '::1']),
  special('a cloud metadata address', 'by-entry', [
    '169.254.169.254', // AWS, Azure, Google, Oracle, DigitalOcean
    'fd00:ec2::/32', // AWS over IPv6: metadata, credentials of pods, DNS, time
    'fd20:ce::254', // Google over IPv6
    '100.100.100.200', // Alibaba
    '168.63.129.16', // Azure's host agent, in the middle of public addresses
    '192.0.0.192', // Oracle
  ]),
  special('link-local', 'by-entry', ['169.254.0.0/16', 'fe80::/10']),
  special('unspecified', 'never', ['0.0.0.0/8', '::']),
  special('multicast', 'never', ['224.0.0.0/4', 'ff00::/8']),
  special('broadcast', 'never', ['255.255.255.255']),
  // Each of these carries an IPv4 address inside, which would arrive there unjudged.
  special('a tunnel to IPv4', 'never', [
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '2002::/16',
    '2001::/32',
    '::ffff:0:0:0/96',
    '::/96',
  ]),
];

/**
 * Reads `egress.allow`. Nothing is allowed that no entry allows, except loopback by
 * `allowLoopback`: its price is that every service which trusts its own machine is in reach of
 * whoever may register an agent.
 *
 * An entry is a CIDR block, an address, a host (`crm.internal`), a suffix (`*.internal`: hosts below
 * it, at any depth) or `public`, everything that is routed on the internet.
 *
 * An entry that names a host or a suffix allows every address the name resolves to, except
 * loopback, link-local and metadata addresses: names are changed by whoever owns the zone, and one
 * that points outside at registration and inside at the call is how rebinding attacks work.
 *
 * Throws `validation-failed` naming an entry that cannot be read or could never allow anything.
 */
export function parseEgressRules(policy: {
  allow: readonly string[];
  allowLoopback: boolean;
}): EgressRules {
  const entries: Entries = {
    networks: [],
    hosts: new Set(),
    suffixes: [],
    allowsPublic: false,
    allowsLoopback: policy.allowLoopback,
  };
  for (const [index, entry] of policy.allow.entries()) readEntry(entry, index, entries);
  return {
    judgeAddress(ip, host, port) {
      const address = readAddress(ip);
      const what = `${ip} (${host}, port ${port})`;
      if (address === undefined) return refuse(`${what} is not an address that can be judged`);
      const fault = faultOf(address, host, entries);
      return fault === undefined ? { allowed: true } : refuse(`${what} ${fault}`);
    },
  };
}

function refuse(detail: string): AddressJudgement {
  return { allowed: false, detail };
}

function faultOf(address: Address, host: string, entries: Entries): string | undefined {
  const found = specialOf(address);
  if (found?.opens === 'never') return `is ${found.name}, which is never called`;
  if (found !== undefined) {
    if (found.name === 'loopback' && entries.allowsLoopback) return undefined;
    const opened = entries.networks.some(
      (network) => contains(network, address) && found.blocks.some((b) => isWithin(network, b)),
    );
    return opened ? undefined : `is ${found.name}, which no entry of egress.allow opens`;
  }
  if (entries.networks.some((network) => contains(network, address))) return undefined;
  if (allowsHost(host, entries)) return undefined;
  if (entries.allowsPublic && isPublic(address)) return undefined;
  return 'is not allowed by egress.allow';
}

function specialOf(address: Address): SpecialBlocks | undefined {
  return SPECIAL.find(({ blocks }) => blocks.some((block) => contains(block, address)));
}

function allowsHost(host: string, entries: Entries): boolean {
  return entries.hosts.has(host) || entries.suffixes.some((suffix) => host.endsWith(suffix));
}

function readEntry(entry: string, index: number, entries: Entries): void {
  const bad = (detail: string) => badEntry(entry, index, detail);
  if (entry === 'public') {
    entries.allowsPublic = true;
    return;
  }
  const network = readNetwork(entry);
  if (network !== undefined) {
    const fault = faultOfNetwork(network);
    if (fault !== undefined) throw bad(fault);
    entries.networks.push(network);
    return;
  }
  const isSuffix = entry.startsWith('*.');
  const host = readHost(isSuffix ? entry.slice(2) : entry);
  if (host === undefined) throw bad('is neither a CIDR block, an address, a host nor a *.suffix');
  if (host === 'localhost' || host.endsWith('.localhost')) {
    throw bad('names loopback, which only an address opens, such as 127.0.0.1');
  }
  if (isSuffix) entries.suffixes.push(`.${host}`);
  else entries.hosts.add(host);
}

function faultOfNetwork(network: Network): string | undefined {
  const { base, bits } = network;
  const first = firstAddress(network);
  if (first !== base.toString()) return `has bits behind its prefix; write ${first}/${bits}`;
  if (isMapped(base)) return 'is IPv4 written as IPv6; write it as IPv4';
  const closed = SPECIAL.find(
    ({ opens, blocks }) => opens === 'never' && blocks.some((block) => isWithin(network, block)),
  );
  // ::1 lies inside ::/96, and is not meant by it.
  if (closed === undefined || specialOf(base) !== closed) return undefined;
  return `is ${closed.name}, which is never called`;
}

// domainToASCII cuts off what follows a slash or a question mark instead of refusing it.
const NAME = /^[\p{L}\p{M}\p{N}._-]+$/u;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** A host name as the URL parser writes it: lower case, punycode, no dot at its end. */
function readHost(text: string): string | undefined {
  if (!NAME.test(text)) return undefined;
  const host = domainToASCII(text).replace(/\.$/, '');
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((label) => LABEL.test(label))) return undefined;
  // The URL parser reads a name with a number at its end as an IPv4 address: `10.1`, `0x7f.1`.
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) return undefined;
  return host;
}

function badEntry(entry: string, index: number, detail: string): ReachError {
  return new ReachError('validation-failed', `egress.allow: "${entry}" ${detail}.`, {
    errors: [{ pointer: `#/egress.allow/${index}`, detail: `"${entry}" ${detail}` }],
  });
}

function special(
  name: string,
  opens: SpecialBlocks['opens'],
  texts: readonly string[],
): SpecialBlocks {
  return { name, opens, blocks: texts.map((text) => readNetwork(text) as Network) };
}
