import type { Clock, Fetch, Log, LoopDelay, Random } from '@agent-reach/core/kernel';
import type { TlsSource } from '../ingress/http/tls.ts';
import type { Embedder } from '../routing/embedders/embedder.ts';
import type { Vault } from '../policy/clients/seal.ts';
import type { Calibration } from '../routing/meaning/calibrator.ts';
import type { Storage } from '../storage/spi/storage.ts';
import type { Config } from './config.ts';

/** The effects on which a house stands. */
export interface Ground {
  config: Config;
  storage: Storage;
  fetch: Fetch;
  /** Reads a file that an option names. */
  readText: (path: string) => Promise<string>;
  /** What listeners show for TLS; absent: they speak without. */
  tls?: TlsSource | undefined;
  tokenKey: Uint8Array;
  /** What the secrets of clients are kept under. */
  vault: () => Promise<Vault>;
  clock: Clock;
  /** By which leases, delays and deadlines are counted. Default: `clock`. */
  steady?: Clock;
  random: Random;
  log: Log;
  node: string;
  /** Keeps tasks that may be lost; absent: every task is kept in `storage`. */
  memory?: Pick<Storage, 'tasks'> | undefined;
  /** Makes vectors of texts; absent: intents are read by their words alone. */
  embedder?: Embedder | undefined;
  /** Probabilities that were fitted for that embedder; absent: those that ship, for words alone. */
  calibration?: Calibration | undefined;
  /** How late this process is; absent: work is taken in whatever it is. */
  loopDelay?: LoopDelay;
  /** Keeps a line for each seal of the audit in a second place; absent: there is none. */
  keepSeal?: ((line: string) => Promise<void>) | undefined;
  /** False: no listener is opened; whoever composed asks the rooms through `http`. */
  door?: boolean;
}
