import type { Storage } from '../../spi/storage.ts';

/** How a kind of move is made, and how one looks afterwards whether it is there whole. */
export interface CrashMove {
  make(storage: Storage, id: string): Promise<unknown>;
  check(storage: Storage, id: string): Promise<void>;
}
