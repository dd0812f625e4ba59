import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ReachError } from '@agent-reach/core';
import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import type { Storage } from '../spi/storage.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { type Host, hostHere, hostOnThreads } from './host.ts';
import { orphanClaims } from './ledger.ts';
import { holdDirectory, touch } from './lock.ts';
import { MIGRATIONS, migrate } from './migrations.ts';
import { MoveQueue } from './queue.ts';
import { storesOn } from './stores.ts';

/** What the embedded store needs. */
export interface SqliteOptions {
  /** Holds `reach.db`; made, for its owner alone, if it is not there. `:memory:`: nothing is kept. */
  dir: string;
  clock: Clock;
  random: Random;
  log: Log;
  /**
   * The data file grows no further than this many pages of 4 KiB; then moves that need room fail
   * with `storage-full` until something is pruned. Price: what the file may take from the disk,
   * and up to 64 MiB of log beside it. Default: no bound but the disk.
   */
  pagesMax?: number;
}

/**
 * Opens the embedded store: one SQLite file, one process, nothing to install (ADR 3).
 *
 * Throws `store-unavailable` when another process holds the directory, when a newer release wrote
 * the file, or when the disk refuses.
 */
export async function openSqlite(options: SqliteOptions): Promise<Storage> {
  try {
    return options.dir === ':memory:' ? openMemory(options) : openDirectory(options);
  } catch (error) {
    throw refused(options.dir, error);
  }
}

/** The calling thread's connection to an open store: for test kits that look under the SPI. */
export function databaseOf(storage: Storage): Database | undefined {
  return databases.get(storage);
}

const databases = new WeakMap<Storage, Database>();

/** Company for the rows of a call costs its caller nothing: nobody waits for them. */
const LINGER_MS = 20;

function openMemory(options: SqliteOptions): Storage {
  const { pagesMax } = options;
  const db = new Database({ path: ':memory:', writes: true, pagesMax });
  const epoch = prepare(db, options);
  const house: House = { db, host: hostHere(db), epoch, lingerMs: 0, release: () => {} };
  return bundle(options, house);
}

function openDirectory(options: SqliteOptions): Storage {
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = holdDirectory(dir);
  try {
    const file = { path: join(dir, 'reach.db'), pagesMax: options.pagesMax };
    touch(file.path);
    const epoch = prepareFile({ ...file, writes: true }, options);
    const db = new Database({ ...file, writes: false });
    const host = hostOnThreads(file, options.log);
    const release = () => lock[Symbol.dispose]();
    return bundle(options, { db, host, epoch, lingerMs: LINGER_MS, release });
  } catch (error) {
    lock[Symbol.dispose]();
    throw error;
  }
}

function prepareFile(file: DatabaseOptions, options: SqliteOptions): string {
  const db = new Database(file);
  try {
    return prepare(db, options);
  } finally {
    db.close();
  }
}

/** Brings the database up to date and answers its epoch. */
function prepare(db: Database, { clock, random, log }: SqliteOptions): string {
  migrate(db, MIGRATIONS, clock.now());
  // The lock says that nobody else lives: whoever made the claims that stand here is dead.
  const orphans = orphanClaims(db);
  if (orphans > 0) {
    log.warn({ keys: orphans }, 'Claims of a process that died are now of unknown outcome.');
  }
  const epoch = Buffer.from(random.bytes(8)).toString('hex');
  db.run("INSERT OR IGNORE INTO meta VALUES ('epoch', :epoch)", { epoch });
  return db.get<{ value: string }>("SELECT value FROM meta WHERE name = 'epoch'")?.value ?? epoch;
}

interface House {
  db: Database;
  host: Host;
  epoch: string;
  lingerMs: number;
  /** Lets go of what the process holds. */
  release: () => void;
}

function bundle({ clock, log }: SqliteOptions, house: House): Storage {
  const { db, host, epoch, lingerMs } = house;
  const queue = new MoveQueue({ host, clock, log, lingerMs });
  let closing: Promise<void> | undefined;
  const closeOnce = async () => {
    await queue.close();
    await host.close();
    db.close();
    house.release();
  };
  const close = () => (closing ??= closeOnce());
  const onDisk = lingerMs > 0;
  const storage: Storage = {
    driver: 'sqlite',
    capabilities: { sharedByProcesses: false, durable: onDisk, powerSafe: onDisk },
    epoch,
    ...storesOn({ queue, host, db, clock, log }),
    close,
    [Symbol.asyncDispose]: close,
  };
  databases.set(storage, db);
  return storage;
}

function refused(dir: string, error: unknown): ReachError {
  if (ReachError.is(error)) {
    return new ReachError(error.code, `${dir}: ${error.message}`, error.facts, error);
  }
  const text = error instanceof Error ? error.message : String(error);
  return new ReachError('store-unavailable', `${dir} cannot be opened: ${text}`, {}, error);
}
