import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Each printer writes what it does into a file of its own, and the submitter what it was told. The
// demo counts from these files alone: the gateway is what is to be judged, so it is not asked.

/**
 * `accepted`, `ended`: what the gateway answered the submitter. `begun`, `printed`: what a printer
 * did. `found`: it was to print again what had been printed.
 */
export type Word = 'accepted' | 'ended' | 'begun' | 'printed' | 'found';

/** One line of a file. */
export interface Note {
  /** Whose file it is. */
  by: string;
  word: Word;
  taskId: string;
  /** Which run of the task; of `ended`, its status. */
  detail: string;
}

/** The submitter's own file. */
export const SUBMITTER = 'submitter';

/** A file of somebody who notes down what he does. A line is one write, so that a kill cannot halve it. */
export class Journal {
  readonly #file: string;

  constructor(folder: string, by: string) {
    this.#file = join(folder, `${by}.log`);
  }

  note(word: Word, ...rows: (readonly [taskId: string, detail: string | number])[]): void {
    const lines = rows.map(([taskId, detail]) => `${word} ${taskId} ${detail}\n`);
    appendFileSync(this.#file, lines.join(''));
  }
}

/** Everything that was noted down, file by file, each in its order. */
export function readNotes(folder: string): Note[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.log'));
  return files.toSorted().flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n').slice(0, -1);
    return lines.map((line): Note => {
      const [word = '', taskId = '', detail = ''] = line.split(' ');
      return { by: file.slice(0, -'.log'.length), word: word as Word, taskId, detail };
    });
  });
}
