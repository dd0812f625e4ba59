export type { Now } from './now.ts';

import type { AgentsStore } from './agents.ts';
import type { LedgerStore } from './ledger.ts';
import type { RulesStore } from './rules.ts';
import type { Shared } from './shared.ts';
import type { TasksStore } from './tasks.ts';
import type { TracesStore } from './traces.ts';

/** What a driver can and cannot do, as data: callers never test for a driver by name. */
export interface StorageCapabilities {
  /** Several gateways may work on this store at once. */
  sharedByProcesses: boolean;
  /** An answered write survives kill -9 of this process. */
  durable: boolean;
  /** An answered write survives a power cut of the store's machine. */
  powerSafe: boolean;
}

/**
 * The stores of one engine. Each method is one atomic move: it happened whole, or not at all. Moves
 * that are asked for without waiting for each other are made in any order.
 *
 * Methods throw `store-unavailable` when the engine does not answer (with `executed: unknown` where
 * the move may have happened all the same) and `storage-full` when it has no room; every other
 * outcome is returned. A row handed in is the caller's again once the method has answered; one
 * handed out is the caller's from then on.
 */
export interface Storage extends AsyncDisposable {
  readonly driver: string;
  readonly capabilities: StorageCapabilities;
  /** Made once with the store, then the same for ever: the epoch of `addr_version`. */
  readonly epoch: string;
  readonly agents: AgentsStore;
  readonly tasks: TasksStore;
  readonly ledger: LedgerStore;
  readonly traces: TracesStore;
  readonly rules: RulesStore;
  /** What processes that share this store need besides; absent when there can be no other. */
  readonly shared?: Shared;
  /** Finishes what was asked, then closes. Twice is fine. */
  close(): Promise<void>;
}
