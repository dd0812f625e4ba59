import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ReachError } from '@agent-reach/core';

/**
 * Takes a data directory for this process; dispose to give it back.
 *
 * Two gateways on one file would each think the other's claims orphaned. The lock is a SQLite
 * database of its own, empty for ever, on which a transaction stays open: that is a lock of the
 * operating system (fcntl on Unix, LockFileEx on Windows, and SQLite keeps it right within one
 * process too), so it goes with the process however it ends, and nothing stale is left to clean.
 * Who holds it stands in a file beside it, for people only: nobody's right depends on it.
 *
 * Throws `store-unavailable` naming the holder.
 */
export function holdDirectory(dir: string): Disposable {
  const path = join(dir, 'reach.lock');
  const holder = join(dir, 'reach.pid');
  touch(path);
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw refusal(dir, holder, error);
  }
  // Renamed into place, so that nobody reads half of it.
  writeFileSync(`${holder}.new`, `process ${process.pid} on ${hostname()}\n`, { mode: 0o600 });
  renameSync(`${holder}.new`, holder);
  return {
    [Symbol.dispose]() {
      rmSync(holder, { force: true });
      lock.close();
    },
  };
}

/**
 * Makes an empty file that only its owner may read, unless it is there. An existing one is never
 * opened: on Unix, closing any handle of a file drops every lock the process has on it.
 */
export function touch(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function refusal(dir: string, holder: string, cause: unknown): ReachError {
  const detail =
    `The data directory ${dir} is held by ${readHolder(holder)}. ` +
    'Stop that gateway, or give this one a directory of its own.';
  return new ReachError('store-unavailable', detail, { retryable: false }, cause);
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // It has just taken the lock, or is just giving it back.
    return 'another process';
  }
}
