import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Log, silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import type { Storage } from '../../spi/storage.ts';
import { openSqlite, type SqliteOptions } from '../open.ts';

/** What a store needs of the house, with the machine's own clock: nothing here waits for time. */
export function houseOf(log: Log = silentLog): Pick<SqliteOptions, 'clock' | 'random' | 'log'> {
  return { clock: systemClock, random: systemRandom(), log };
}

/** Stores in folders of their own, which go when the tests of the file have run. */
export function tempDirs() {
  const made: string[] = [];
  const dirOf = new WeakMap<Storage, string>();
  after(() => {
    for (const dir of made) rmSync(dir, { recursive: true, force: true });
  });
  const make = () => {
    const dir = mkdtempSync(join(tmpdir(), 'reach-sqlite-'));
    made.push(dir);
    return dir;
  };
  const open = async (dir = make()) => {
    const storage = await openSqlite({ dir, ...houseOf() });
    dirOf.set(storage, dir);
    return storage;
  };
  const reopen = async (storage: Storage) => {
    await storage.close();
    return open(dirOf.get(storage));
  };
  return { make, open, reopen };
}
