import { NONCE_TTL_MS, nonceName, type NonceVerdict, type Used } from '@agent-reach/core';
import type { LedgerStore } from '../../storage/spi/ledger.ts';
import type { Now } from '../../storage/spi/now.ts';

/** Remembers which signatures were used, each for as long as it may verify. */
export interface Nonces {
  /** Notes a use. Of many at once with one nonce, one is fresh. */
  use(signature: Used): NonceVerdict | Promise<NonceVerdict>;
}

/** One memory for all gateways on a store that counts beyond their processes. */
export function sharedNonces(ledger: LedgerStore, now: () => Now): Nonces {
  return {
    async use(signature) {
      const move = {
        name: nonceName(signature),
        amount: 1,
        max: 1,
        ttlMs: NONCE_TTL_MS,
        now: now(),
      };
      return { is: (await ledger.spend(move)).granted ? 'fresh' : 'used' };
    },
  };
}
