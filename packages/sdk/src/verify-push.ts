import {
  demandTrue,
  isSigned,
  normalAuthority,
  OwnNonces,
  present,
  ReachError,
  type SigningKey,
} from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import type { AgentOptions } from './agent-options.ts';
import { credentialsIn, signingKeyOf } from './credentials.ts';
import type { DoorRequest } from './door.ts';

/** What verifying needs to know of the agent. */
export interface PushVerifierOptions {
  key: SigningKey;
  /** Names with their ports under which the agent is reached; asked for with each push. */
  authorities: () => readonly string[];
  /** Whether the agent knows at which address version it lives, and so refuses what was for an earlier one. */
  isPlaced: () => boolean;
  clock: Clock;
}

/** Some 10 MB: 160 pushes a second for as long as one is good for. */
const NONCES_MAX = 50_000;

/**
 * Verifies that the gateway sent something, with the key that both know. A push names the address
 * version that it is for, so what was signed for an earlier process is refused by that; until the
 * agent knows its own, what is older than the process is.
 */
export function pushVerifier(
  options: PushVerifierOptions,
): (request: DoorRequest) => Promise<void> {
  const { key, authorities, isPlaced, clock } = options;
  const nonces = new OwnNonces({ nowMs: () => clock.now(), max: NONCES_MAX, sinceS: 0 });
  const startedS = Math.ceil(clock.now() / 1_000);
  return async (request) => {
    const { method, target, headers, rawHeaders } = request;
    if (!isSigned(headers)) {
      const detail =
        'This agent takes what its gateway signed (profile reach-v1), and this is not.';
      throw new ReachError('signature-invalid', detail);
    }
    const body = await request.bytes();
    const authority = headers.host ?? '';
    const facts = {
      nowMs: clock.now(),
      authorities: new Set(authorities().map(normalAuthority)),
      direction: 'push' as const,
    };
    const presented = present({ method, target, authority, rawHeaders, body }, facts);
    const isOurs = presented.clientId === key.clientId && presented.kid === key.kid;
    demandTrue(presented, isOurs ? key.secret : undefined, body);
    const isFresh = isPlaced() || presented.created >= startedS;
    if (isFresh && nonces.use(presented).is === 'fresh') return;
    throw new ReachError('replayed', 'This signature was used before, or may have been.');
  };
}

/**
 * How an agent holds what it is sent to its options. Without a signing key whoever reaches it may call
 * it. Throws a `TypeError` when it shall verify and has nothing to verify with.
 */
export function verifierOf(
  { accept, credentials, publicAuthorities = [] }: AgentOptions,
  agent: Pick<PushVerifierOptions, 'isPlaced' | 'clock'> & { baseUrl: () => string },
): (request: DoorRequest) => Promise<void> {
  const key = signingKeyOf(credentials ?? credentialsIn(process.env));
  if (accept === 'signed' && key === undefined) {
    throw new TypeError('accept: signed needs a signing key: clientId, kid and secret.');
  }
  if (accept === 'any' || key === undefined) return async () => {};
  const { baseUrl, ...rest } = agent;
  const authorities = () => [new URL(baseUrl()).host, ...publicAuthorities];
  return pushVerifier({ ...rest, key, authorities });
}
