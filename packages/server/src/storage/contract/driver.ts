import { test } from 'node:test';
import type { Storage } from '../spi/storage.ts';

/** A storage driver under test. */
export interface Driver {
  /** Begins with the folder in which its tests are. */
  name: string;
  /** Opens a new store with nothing in it. */
  open(): Promise<Storage>;
  /** Closes a store and opens again what it kept. Left out by a driver that keeps nothing. */
  reopen?: ((storage: Storage) => Promise<Storage>) | undefined;
  /**
   * Opens the same store once more while it is open, as another process would. Left out by a driver
   * whose store is one process's.
   */
  beside?: ((storage: Storage) => Promise<Storage>) | undefined;
  /**
   * Looks under the SPI for what must agree within the store (counts, indexes, parts of a row);
   * throws what does not. Left out by a driver that keeps nothing twice.
   */
  check?: ((storage: Storage) => void | Promise<void>) | undefined;
  /**
   * How many random histories of tasks it is told, 400 steps each. Price: less than a tenth of
   * a second each in memory, up to two seconds where a server answers. Default: `REACH_HISTORIES`, or
   * else 300.
   */
  histories?: number | undefined;
  /**
   * Tells one of them, by its seed, elsewhere than on the thread of the tests; what is wrong, or
   * undefined. Left out: told here.
   */
  tell?: ((seed: number) => Promise<string | undefined>) | undefined;
}

/** One test on a store of its own, which is closed whatever becomes of the test. */
export function scenario(
  driver: Driver,
  name: string,
  act: (storage: Storage, note: (line: string) => void) => Promise<void>,
): void {
  test(name, async (t) => {
    await using storage = await driver.open();
    await act(storage, (line) => t.diagnostic(line));
  });
}

/** A moment in 2027, when the tests take place. Whatever a driver's own clock says, it is not this. */
export const NOON = 1_800_000_000_000;
