import { normalAuthority, OwnNonces } from '@agent-reach/core';
import type { Service } from '@agent-reach/core/kernel';
import type { Signing } from '../egress/signing.ts';
import type { ExplainPorts } from '../pipeline/explain-call.ts';
import { type AuthPorts, authenticate } from '../policy/clients/authenticate.ts';
import { authenticateAgain } from '../policy/clients/again.ts';
import { slowed } from '../policy/clients/attempts.ts';
import { ClientBook } from '../policy/clients/book.ts';
import { jwtIdentity } from '../policy/clients/jwt.ts';
import { sharedNonces } from '../policy/clients/nonces.ts';
import { PushKeyRing } from '../policy/clients/push-keys.ts';
import { clientService, demandEntrance } from '../policy/clients/service.ts';
import { type GrantBook, permitsAll } from '../policy/grants.ts';
import { standingOf } from '../policy/permit.ts';
import type { PolicyPorts } from '../policy/ports.ts';
import type { Ground } from './ground.ts';
import type { GuardPorts } from './guard.ts';

/** What letting clients in works with. */
export function authPortsOf(
  { config, storage, fetch, readText, vault, clock, random, log }: Ground,
  shared: Pick<AuthPorts, 'peers' | 'now'>,
): AuthPorts {
  const { oidc, policy } = config.settings;
  const { authorities } = policy;
  return {
    ...shared,
    rules: storage.rules,
    book: new ClientBook(),
    // The embedded store counts in memory, and forgets what is over its bound: here that must not be.
    nonces: storage.capabilities.sharedByProcesses
      ? sharedNonces(storage.ledger, shared.now)
      : new OwnNonces({ nowMs: () => clock.now() }),
    vault,
    clock,
    random,
    log,
    jwt: oidc.issuer === '' ? undefined : jwtIdentity(oidc, { fetch, readText, clock, log }),
    authorities: authorities.length === 0 ? undefined : new Set(authorities.map(normalAuthority)),
  };
}

/** How clients come into a house, and what they may have there. */
export interface Entrance {
  /** Finds out who asks; undefined: nobody is asked. */
  authenticate: GuardPorts['authenticate'];
  /** Whether he may still, whose answer goes on. */
  again: GuardPorts['authenticateAgain'];
  /** Reads who may come in, before the doors open; refuses to open those that nobody could enter. */
  services: readonly Service[];
  /** The token of the admin that this start made, because nobody could have come in. */
  token(): string | undefined;
}

/** The entrance of a house. */
export function entrance(ground: Ground, auth: AuthPorts): Entrance {
  let made: string | undefined;
  const opening: Service = {
    start: () =>
      demandEntrance(auth, (token) => {
        made = token;
      }),
    stop: async () => {},
  };
  const keeping = clientService(auth);
  return asksWho(ground)
    ? {
        authenticate: slowed((said) => authenticate(said, auth), {
          perMinute: ground.config.settings.limits.authFailures,
          clock: ground.clock,
          log: ground.log,
        }),
        again: (said, who) => authenticateAgain(said, who, auth),
        services: [keeping, opening],
        token: () => made,
      }
    : { authenticate: undefined, again: undefined, services: [keeping], token: () => undefined };
}

/** How what is sent to agents is signed in this house. */
export function signingOf(ground: Ground, auth: AuthPorts): Signing {
  const { clock, random, config } = ground;
  const how = { mode: config.settings.house.egressSign, isAuthRequired: asksWho(ground) };
  return { keys: new PushKeyRing(auth, how), clock, random };
}

/** What a client may have in this house. */
export function permitsBy(grants: GrantBook, ground: Ground): PolicyPorts['permitsFor'] {
  return asksWho(ground)
    ? (tenant, clientId) => grants.permitsFor(tenant, clientId)
    : () => permitsAll;
}

/** Who there is that could call, and what he may have. In open mode anybody is who he says he is. */
export function knownBy(
  ground: Ground,
  { grants, auth }: { grants: GrantBook; auth: { book: ClientBook } },
): Omit<ExplainPorts, 'road'> {
  if (!asksWho(ground)) {
    const standing = (tenant: string, principal: string) => ({ tenant, principal });
    return { standing, rulingOn: () => undefined };
  }
  return {
    standing: (tenant, clientId) => {
      const known = auth.book.of(clientId);
      if (known?.tenant !== tenant) return undefined;
      const { kind, role, agentId } = known.doc;
      return standingOf({ tenant, clientId, kind, role, agentId });
    },
    rulingOn: (...asked) => grants.rulingOn(...asked),
  };
}

/** Whether everybody must show who he is. */
export function asksWho({ config }: Ground): boolean {
  return config.settings.house.authMode === 'required';
}
