import { OPEN_TENANT, ReachError } from '@agent-reach/core';

/** Who asks, once it is certain. */
export interface Principal {
  tenant: string;
  principal: string;
}

/**
 * Open mode: a gateway on loopback without authentication believes what a request calls itself,
 * and knows one tenant. A request that says another, wherever it may say one, is refused and not
 * silently moved.
 */
export function authenticateOpen(claims: { agentId?: unknown; tenants: unknown[] }): Principal {
  const { agentId, tenants } = claims;
  const foreign = tenants.find((tenant) => tenant !== undefined && tenant !== OPEN_TENANT);
  if (foreign !== undefined) {
    const other = typeof foreign === 'string' ? foreign.slice(0, 64) : typeof foreign;
    throw new ReachError(
      'tenant-mismatch',
      `This gateway runs open and serves the tenant ${OPEN_TENANT} only, not ${other}.`,
    );
  }
  return {
    tenant: OPEN_TENANT,
    principal: typeof agentId === 'string' && agentId !== '' ? agentId : 'anonymous',
  };
}
