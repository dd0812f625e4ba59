import { createHash } from 'node:crypto';
import { ReachError } from '@agent-reach/core';
import type { Fetch } from '@agent-reach/core/kernel';

/** Port on which seed C's agents answer when nobody says another. */
const SEED_PORT = 9595;

/** The id of an instance that gives none: the same address is the same instance. */
export function instanceIdOf(baseUrl: string | undefined, agentId: string): string {
  const hash = createHash('sha256').update(baseUrl ?? `pull:${agentId}`);
  return `i-${hash.digest('hex').slice(0, 12)}`;
}

/** Where an agent lives that says it runs but not where: at the other end of its connection. */
export function peerUrl(peer: string): string {
  const address = peer.startsWith('::ffff:') ? peer.slice(7) : peer;
  return `http://${address.includes(':') ? `[${address}]` : address}:${SEED_PORT}`;
}

/** True for 127.0.0.0/8 and ::1, also when written as IPv4 in IPv6. */
export function isLoopback(address: string): boolean {
  return /^(::ffff:)?127\./.test(address) || address === '::1';
}

/**
 * Refuses an address before it is stored: one that policy forbids, and `localhost` said from
 * another machine, where it would mean the gateway's own. A name that does not resolve now is
 * not refused; it is unreachable until it does.
 */
export async function demandAddress(baseUrl: string, peer: string, fetch: Fetch): Promise<void> {
  const judged = await fetch.judge(baseUrl);
  if (judged.verdict === 'refused') {
    throw new ReachError('egress-blocked', `${baseUrl}: ${judged.detail}`, {
      errors: [{ pointer: '#/network/base_url', detail: judged.detail }],
      advice: 'Add the address to egress.allow, or register one that is allowed.',
    });
  }
  if (judged.verdict === 'allowed' && !isLoopback(peer) && judged.addresses.some(isLoopback)) {
    throw new ReachError(
      'egress-blocked',
      `${baseUrl} is the gateway’s own machine, but the registration came from ${peer}.`,
      {
        errors: [
          { pointer: '#/network/base_url', detail: 'is a loopback address, said from afar' },
        ],
        advice: `Register the address at which the gateway can reach the agent, for instance http://${peer}:<port>.`,
      },
    );
  }
}
