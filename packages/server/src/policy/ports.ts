import type { Clock, Ids, Log, Random, Values } from '@agent-reach/core/kernel';
import type { BudgetShare } from '../storage/spi/budgets.ts';
import type { LedgerStore } from '../storage/spi/ledger.ts';
import type { Now } from '../storage/spi/now.ts';
import type { BudgetBook } from './budgets/book.ts';
import type { ConfirmationBook } from './confirmations/book.ts';
import type { Permits } from './grants.ts';
import type { POLICY_OPTIONS } from './options.ts';

/** What policy works with. */
export interface PolicyPorts {
  ledger: LedgerStore;
  clock: Clock;
  ids: Ids;
  /** For secrets. */
  random: Random;
  now: () => Now;
  /** Signs call tokens; one for all gateways of a store. */
  tokenKey: Uint8Array;
  /** What a client may have, as of now. */
  permitsFor: (tenant: string, clientId: string) => Permits;
  /** In which budgets something is counted, as of now. */
  budgets: BudgetBook;
  /** What of them may go while the store is away. */
  budgetShare: BudgetShare;
  /** What is done only after somebody's word. */
  confirmations: ConfirmationBook;
  log: Log;
  options: Values<typeof POLICY_OPTIONS>;
}
