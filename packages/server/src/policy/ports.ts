import type { Clock, Ids, Values } from '@agent-reach/core/kernel';
import type { LedgerStore } from '../storage/spi/ledger.ts';
import type { Now } from '../storage/spi/now.ts';
import type { Permits } from './grants.ts';
import type { POLICY_OPTIONS } from './options.ts';

/** What policy works with. */
export interface PolicyPorts {
  ledger: LedgerStore;
  clock: Clock;
  ids: Ids;
  now: () => Now;
  /** Signs call tokens; one for all gateways of a store. */
  tokenKey: Uint8Array;
  /** What a client may have, as of now. */
  permitsFor: (tenant: string, clientId: string) => Permits;
  options: Values<typeof POLICY_OPTIONS>;
}
