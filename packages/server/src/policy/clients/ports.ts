import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import type { Peers } from '../../peers/peers.ts';
import type { Now } from '../../storage/spi/now.ts';
import type { RulesStore } from '../../storage/spi/rules.ts';
import type { ClientBook } from './book.ts';
import type { Vault } from './seal.ts';

/** What the keeping of clients works with. */
export interface ClientPorts {
  rules: RulesStore;
  book: ClientBook;
  /** What secrets are kept under. Throws when the gateway has no key for it. */
  vault: () => Promise<Vault>;
  peers: Peers;
  clock: Clock;
  random: Random;
  now: () => Now;
  log: Log;
}
