import type { Note } from './journal.ts';

/** What came of the tasks, by the files of those who did them and of who wanted them. */
export interface Tally {
  /** Tasks whose submission was answered with a yes. */
  submitted: number;
  /** Labels by printer. */
  printedBy: ReadonlyMap<string, number>;
  /** Labels that came out at least once. */
  printed: number;
  /** Tasks that were begun again. */
  redelivered: readonly string[];
  /** Accepted, and no label came out, or nobody was told that it did. */
  lost: readonly string[];
  /** Their label came out more than once. */
  double: readonly string[];
}

/** Counts what was noted down. */
export function tally(notes: readonly Note[]): Tally {
  const of = (word: Note['word']) => notes.filter((note) => note.word === word);
  const accepted = new Set(of('accepted').map(({ taskId }) => taskId));
  const printed = timesOf(of('printed').map(({ taskId }) => taskId));
  const begun = timesOf(of('begun').map(({ taskId }) => taskId));
  const told = new Set(
    of('ended').flatMap(({ taskId, detail }) => (detail === 'succeeded' ? [taskId] : [])),
  );
  return {
    submitted: accepted.size,
    printedBy: timesOf(of('printed').map(({ by }) => by)),
    printed: printed.size,
    redelivered: moreThanOnce(begun),
    lost: [...accepted].filter((taskId) => !printed.has(taskId) || !told.has(taskId)),
    double: moreThanOnce(printed),
  };
}

/** What a printer had begun and not printed, in the order in which it began. */
export function inHandsOf(printer: string, notes: readonly Note[]): string[] {
  const own = notes.filter(({ by }) => by === printer);
  const done = new Set(own.filter(({ word }) => word !== 'begun').map(({ taskId }) => taskId));
  return own
    .filter(({ word, taskId }) => word === 'begun' && !done.has(taskId))
    .map(({ taskId }) => taskId);
}

function timesOf(names: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}

function moreThanOnce(times: ReadonlyMap<string, number>): string[] {
  return [...times].flatMap(([name, count]) => (count > 1 ? [name] : []));
}
