import type { Asker } from '@agent-reach/core';
import type { Clock, Fetch, Log, Random, Values } from '@agent-reach/core/kernel';
import type { Peers } from '../peers/peers.ts';
import type { Board } from '../resilience/board.ts';
import type { Now } from '../storage/spi/now.ts';
import type { Storage } from '../storage/spi/storage.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { Admission } from './admission.ts';
import type { Beats } from './beats.ts';
import type { Directory } from './directory.ts';
import type { SelfDoubt } from './doubt.ts';
import type { FenceBook } from './fence-book.ts';
import type { REGISTRY_OPTIONS } from './options.ts';
import type { Scores } from './scores.ts';
import type { SilenceBook } from './silence.ts';
import type { TrendBook } from './trend.ts';

/** What the registry works with. Effects are injected, the rest is imported. */
export interface RegistryPorts {
  directory: Directory;
  storage: Pick<Storage, 'agents' | 'rules'>;
  board: Board;
  /** How well each instance can be reached. */
  scores: Scores;
  /** What the scores were. */
  trend: TrendBook;
  /** How often each instance is asked to beat. */
  beats: Beats;
  /** How far this gateway doubts what it sees. */
  doubt: SelfDoubt;
  /** Of which tenants the silence of so many is not believed. */
  silences: SilenceBook;
  /** At which pace registrations are taken. */
  admission: Admission;
  /** Who is fenced, at all gateways. */
  fences: FenceBook;
  peers: Peers;
  fetch: Fetch;
  clock: Clock;
  random: Random;
  log: Log;
  /** The time handed to store moves: the kernel clock's, or the store's own when it is shared. */
  now: () => Now;
  options: Values<typeof REGISTRY_OPTIONS>;
  /**
   * Takes the names of capabilities for whoever offers them, as far as they are nobody's; answers
   * those that are another one's.
   */
  claimNames: (
    offer: { agentId: string; names: readonly string[] },
    asker: Pick<Asker, 'tenant' | 'principal' | 'client'>,
  ) => Promise<string[]>;
  /** Whether an agent may offer a capability of this name. */
  mayOffer: (offer: { tenant: string; agentId: string; capability: string }) => boolean;
  /** What whoever registers should know of how it will be found among the others. */
  lint: (at: { tenant: string; agentId: string }) => string[];
  /** Who reads of changes, and what. */
  changes: ChangeFeed;
  /** Told when an agent can take work that could not before, or offers something else now. */
  arrived: (at: { tenant: string; agentId: string }) => void;
  /** Told when an agent, or an instance of it, shall get no more work. */
  left: (at: { tenant: string; agentId: string }) => void;
  /** No capability may need longer; see resilience/options.ts. */
  callTimeoutMaxMs: number;
}
