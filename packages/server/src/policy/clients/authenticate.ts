import {
  demandTrue,
  isSigned,
  type NonceVerdict,
  present,
  ReachError,
  type Role,
  type SignedMessage,
} from '@agent-reach/core';
import { invariant } from '@agent-reach/core/kernel';
import type { Known } from './book.ts';
import { type ClientDoc, type KeyDoc, stateOf, withUse } from './client.ts';
import { isJwt, type JwtIdentity } from './jwt.ts';
import { tokenHash } from './keys.ts';
import type { Nonces } from './nonces.ts';
import type { ClientPorts } from './ports.ts';
import { change } from './store.ts';

/** A client that has shown who it is. */
export interface Authenticated {
  tenant: string;
  clientId: string;
  kind: ClientDoc['kind'];
  role: Role | undefined;
  agentId: string | undefined;
  /** The key that it has signed with; absent: a token shows who it is. */
  kid?: string;
}

/** What the door hands over. The message is made only where it is needed: few requests need it. */
export interface Credentials {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The address of who asks. */
  peer: string;
  message: () => SignedMessage;
}

/** What showing who one is needs beside the clients. */
export interface AuthPorts extends ClientPorts {
  nonces: Nonces;
  /** Who somebody is by a token that another issuer made; undefined: such tokens are none. */
  jwt?: JwtIdentity | undefined;
  /** Under which names this gateway is reached; undefined: any. */
  authorities: ReadonlySet<string> | undefined;
}

/**
 * Finds out who asks, by a signature or a bearer token, and by nothing else. Throws one of the four
 * 401s; a client that does not exist is told the same as one with a wrong key.
 */
export async function authenticate(said: Credentials, ports: AuthPorts): Promise<Authenticated> {
  const { authorization } = said.headers;
  const signed = isSigned(said.headers);
  if (signed && authorization !== undefined) {
    throw new ReachError('unauthenticated', 'Give a signature or a token, not both.');
  }
  if (signed) return bySignature(said.message(), ports);
  if (typeof authorization === 'string') return byToken(authorization, ports);
  throw new ReachError(
    'unauthenticated',
    'This gateway lets in who signs its requests (profile reach-v1) or shows a bearer token.',
  );
}

async function bySignature(message: SignedMessage, ports: AuthPorts): Promise<Authenticated> {
  const { book, clock, authorities, nonces } = ports;
  const presented = present(message, { nowMs: clock.now(), authorities });
  const { clientId, kid } = presented;
  const found = book.key(clientId, kid);
  const vault = await ports.vault();
  const secret = found && book.secretOf(found.known, found.key, vault);
  demandTrue(presented, secret, message.body);
  invariant(found !== undefined, 'a signature is true by a known key alone');
  demandLive(found.key, ports);
  // Only after the MAC: strangers cannot fill the memory of nonces.
  demandFresh(await nonces.use(presented), ports);
  return { ...letIn(found, ports), kid };
}

async function byToken(authorization: string, ports: AuthPorts): Promise<Authenticated> {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  if (ports.jwt !== undefined && isJwt(token)) {
    return byJwt(await ports.jwt.clientOf(token), ports);
  }
  const hash = tokenHash(token);
  const found = hash === undefined ? undefined : ports.book.ofToken(hash);
  if (found === undefined) {
    throw new ReachError('unauthenticated', 'The bearer token is none of this gateway’s.');
  }
  demandLive(found.key, ports);
  return letIn(found, ports);
}

/** The client that an identity is mapped to. It has keys of its own, none of which was used. */
function byJwt(clientId: string, { book }: AuthPorts): Authenticated {
  const known = book.of(clientId);
  if (known !== undefined) return standingOf(known);
  const detail = `auth.oidc.map leads to ${clientId}, and no client is called so.`;
  throw new ReachError('identity-unmapped', detail);
}

/** Told only to whoever has shown the key: nobody else learns that there was one. */
export function demandLive(key: KeyDoc, { clock }: AuthPorts): void {
  if (stateOf(key, clock.now()) !== 'revoked') return;
  throw new ReachError('key-revoked', `The key ${key.kid} holds no more: use its successor.`);
}

/** For a client whose clock is behind: it catches up. */
const BEHIND_MS = 1_000;

function demandFresh(verdict: NonceVerdict, { clock }: AuthPorts): void {
  if (verdict.is === 'fresh') return;
  if (verdict.is === 'used') {
    throw new ReachError('replayed', 'This signature was used before: sign each request anew.');
  }
  const waitMs = verdict.since * 1_000 - clock.now();
  throw new ReachError(
    'replayed',
    'The signature is older than this gateway remembers, and it may have been used: sign anew.',
    { retryable: true, retry_after_ms: waitMs > 0 ? waitMs : BEHIND_MS },
  );
}

function letIn({ known, key }: { known: Known; key: KeyDoc }, ports: AuthPorts): Authenticated {
  if (key.usedAt === undefined) noteUse(known, key, ports);
  return standingOf(known);
}

/** How a known client stands. */
export function standingOf({ tenant, clientId, doc }: Known): Authenticated {
  return { tenant, clientId, kind: doc.kind, role: doc.role, agentId: doc.agentId };
}

/** The first use of a key retires those before it. Nobody waits for it to be written. */
function noteUse({ tenant, clientId }: Known, { kid }: KeyDoc, ports: AuthPorts): void {
  const move = (client: ClientDoc | undefined) => client && withUse(client, kid, ports.clock.now());
  change(clientId, { tenant, principal: clientId }, move, ports).catch((error: unknown) =>
    ports.log.error({ err: error, client: clientId }, 'the use of a key could not be noted'),
  );
}
