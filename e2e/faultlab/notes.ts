import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';

/** What an agent or a submitter wrote of itself. */
export interface Note {
  word: string;
  task: string;
  /** Microseconds on the machine's monotonic clock: the same for all processes, set by nobody. */
  at: number;
  pid: number;
}

/**
 * A book that survives kill -9: each line is with the system, and unless `isSynced` is false on the
 * disk, before the work goes on.
 */
export class NoteBook<N extends Note> implements Disposable {
  readonly #fd: number;
  readonly #isSynced: boolean;

  constructor(path: string, { isSynced = true } = {}) {
    this.#fd = openSync(path, 'a');
    this.#isSynced = isSynced;
  }

  write(note: Omit<N, 'at' | 'pid'>): void {
    const line = { ...note, at: monotonicUs(), pid: process.pid };
    writeSync(this.#fd, `${JSON.stringify(line)}\n`);
    if (this.#isSynced) fsyncSync(this.#fd);
  }

  [Symbol.dispose](): void {
    closeSync(this.#fd);
  }
}

/** The moment in which notes are dated. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}

/** The notes in a book, the oldest first; a line that was torn by the end of its writer is none. */
export function readNotes<N extends Note>(path: string): N[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.pop(); // Empty, or torn.
  return lines.map((line) => JSON.parse(line) as N);
}
