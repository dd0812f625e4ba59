import type { TaskRow } from '../../spi/tasks.ts';

/**
 * The tasks that got their turn in the course of a move of several scripts, less those that a later
 * script of it took on.
 */
export class Turns {
  readonly #next = new Map<number, TaskRow>();

  /** Notes what one script did: adds `moved` to `done`, and answers how many they are. */
  take(done: TaskRow[], moved: readonly TaskRow[] = [], next: readonly TaskRow[] = []): number {
    for (const { seq } of moved) this.#next.delete(seq);
    for (const row of next) this.#next.set(row.seq, row);
    done.push(...moved);
    return moved.length;
  }

  left(): TaskRow[] {
    return [...this.#next.values()];
  }
}
