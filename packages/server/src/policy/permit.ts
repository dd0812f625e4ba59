import { type Auth, type ClientStanding, ReachError, ROLES } from '@agent-reach/core';
import type { Authenticated } from './clients/authenticate.ts';

/** Who asks, once it is certain, and in whose name it may speak. */
export interface Standing {
  tenant: string;
  principal: string;
  client?: ClientStanding;
}

/** What a request says of itself, wherever it may say it. */
export interface Claims {
  /** Whom the operation is done for or to, where the asker must be that agent. */
  agentId: unknown;
  tenants: readonly unknown[];
}

/** How a client stands to what it asks for. */
export function standingOf({ tenant, clientId, agentId, role }: Authenticated): Standing {
  return {
    tenant,
    principal: clientId,
    client: { actsAs: agentId, onlyOwn: !hasRole(role, 'operator'), role },
  };
}

/**
 * Whether a client may ask for this at all, by the column `auth` of the operation. What it says of
 * itself in the request is believed only where it agrees with its key.
 */
export function demandMayAsk(
  who: Authenticated,
  { auth, claims }: { auth: Auth; claims: Claims },
): void {
  const foreign = claims.tenants.find((said) => said !== undefined && said !== who.tenant);
  if (foreign !== undefined) {
    throw new ReachError('tenant-mismatch', `The credential is one of the tenant ${who.tenant}.`);
  }
  if (auth === 'public') return;
  if (auth === 'caller') {
    demandSelf(who, claims.agentId, who.agentId ?? who.clientId);
    return;
  }
  if (auth === 'agent') {
    if (hasRole(who.role, 'operator')) return;
    if (who.agentId === undefined) throw denied(who, 'this is for agents and operators');
    demandSelf(who, claims.agentId, who.agentId);
    return;
  }
  if (!hasRole(who.role, auth)) throw denied(who, `this needs the role ${auth}`);
}

function demandSelf(who: Authenticated, said: unknown, self: string): void {
  if (said === undefined || said === self) return;
  throw denied(who, `it speaks for ${self} alone`);
}

function hasRole(role: Authenticated['role'], wanted: (typeof ROLES)[number]): boolean {
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(wanted);
}

/** A client may not do this. Names the client and the rule, never what it asked for. */
function denied({ clientId, role }: Authenticated, why: string): ReachError {
  const is = role === undefined ? clientId : `${clientId} (${role})`;
  return new ReachError('permission-denied', `${is} may not do this: ${why}.`);
}
