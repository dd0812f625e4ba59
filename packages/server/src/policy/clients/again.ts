import { isSigned, ReachError } from '@agent-reach/core';
import {
  type Authenticated,
  type AuthPorts,
  authenticate,
  type Credentials,
  demandLive,
  standingOf,
} from './authenticate.ts';

/**
 * Whether somebody who was let in before, and whose answer goes on, would be let in still. A signature
 * is good for one use, so of it only the key is looked at; a token shows itself as at first. Throws as
 * `authenticate` does.
 */
export async function authenticateAgain(
  said: Credentials,
  { clientId, kid }: Pick<Authenticated, 'clientId' | 'kid'>,
  ports: AuthPorts,
): Promise<Authenticated> {
  if (!isSigned(said.headers) || kid === undefined) return authenticate(said, ports);
  const found = ports.book.key(clientId, kid);
  if (found === undefined) {
    throw new ReachError('unauthenticated', 'The key of this stream is known no more.');
  }
  demandLive(found.key, ports);
  return standingOf(found.known);
}
