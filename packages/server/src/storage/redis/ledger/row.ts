import type { KeyRecord } from '../../spi/ledger.ts';
import type { Reply } from '../engine.ts';
import { fields, rowOf } from '../rows.ts';

/** All that may be said of a key, whatever its state. */
interface AnyKey {
  fingerprint: string;
  pinned: string;
  token: string;
  expiresAt: number;
  state: KeyRecord['state'];
  claimEndsAt?: number;
  answer?: string;
}

/** What is known of a key, of a reply that is its hash. */
export function toKeyRecord(reply: Reply | undefined): KeyRecord {
  return rowOf<AnyKey>(
    {
      fingerprint: 'text',
      pinned: 'text',
      token: 'text',
      expiresAt: 'number',
      state: 'text',
      claimEndsAt: 'number',
      answer: 'text',
    },
    fields(reply),
  ) as KeyRecord;
}
