import type { Log } from '@agent-reach/core/kernel';
import { commit } from './commit.ts';
import type { Database, DatabaseOptions } from './database.ts';
import { perform, type Request } from './operations.ts';
import { CLOSED, type Outcome, outcomeOf } from './outcome.ts';
import { startThread, type Thread } from './thread.ts';

/** Where the operations run that may have to wait for a disk. */
export interface Host {
  /** One transaction for all. Never rejects: each move has its outcome. */
  commit(moves: Request[]): Promise<Outcome[]>;
  /** Never rejects either. */
  search(request: Request): Promise<Outcome>;
  close(): Promise<void>;
}

/** On the caller's own connection: a database in memory waits for no disk. */
export function hostHere(db: Database): Host {
  return {
    commit: async (moves) => commit(db, moves),
    search: async (request) => outcomeOf(() => perform(db, request)),
    close: async () => {},
  };
}

/**
 * On threads: one that writes, and, from the first search on, one that searches. They never wait
 * for each other, for a write-ahead log lets readers read while a writer writes.
 */
export function hostOnThreads(file: Omit<DatabaseOptions, 'writes'>, log: Log): Host {
  const writer = startThread({ ...file, writes: true }, log);
  let searcher: Thread | undefined;
  let isClosed = false;
  return {
    commit: (moves) => writer.ask(moves),
    async search(request) {
      // Not a thread that nobody would end, on a file that is another's by now.
      if (isClosed) return { failed: CLOSED };
      searcher ??= startThread({ ...file, writes: false }, log);
      const [outcome] = await searcher.ask([request]);
      return outcome ?? { value: undefined };
    },
    async close() {
      isClosed = true;
      await Promise.all([writer.close(), searcher?.close()]);
    },
  };
}
