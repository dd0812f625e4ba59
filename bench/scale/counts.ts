/** What a part of the control plane did, by name. */
export class Counts {
  readonly calls = new Map<string, number>();
  rows = 0;
  bytes = 0;
  /** Moves that are not answered yet. */
  underWay = 0;

  reset(): void {
    this.calls.clear();
    this.rows = 0;
    this.bytes = 0;
  }

  add(name: string, count = 1): void {
    this.calls.set(name, (this.calls.get(name) ?? 0) + count);
  }

  of(name: string): number {
    return this.calls.get(name) ?? 0;
  }

  get all(): number {
    return [...this.calls.values()].reduce((sum, count) => sum + count, 0);
  }
}

/** A store whose moves, and the rows that they answer, are counted. */
export function counted<T extends object>(store: T, name: string, counts: Counts): T {
  return new Proxy(store, {
    get(target, key) {
      const move: unknown = Reflect.get(target, key);
      if (typeof move !== 'function') return move;
      return async (...args: unknown[]) => {
        counts.add(`${name}.${String(key)}`);
        counts.underWay += 1;
        try {
          const answer: unknown = await move.apply(target, args);
          for (const rows of listsIn(answer)) {
            counts.rows += rows.length;
            counts.bytes += bytesOf(rows);
          }
          return answer;
        } finally {
          counts.underWay -= 1;
        }
      };
    },
  });
}

function listsIn(answer: unknown): unknown[][] {
  if (Array.isArray(answer)) return [answer];
  if (typeof answer !== 'object' || answer === null) return [[answer]];
  const lists = Object.values(answer).filter((value) => Array.isArray(value));
  return lists.length > 0 ? lists : [[answer]];
}

/** Of many rows the first stand for all: writing a hundred thousand would be what is measured. */
const SAMPLED = 50;

function bytesOf(rows: readonly unknown[]): number {
  if (rows.length === 0) return 0;
  const sample = rows.slice(0, SAMPLED);
  return (JSON.stringify(sample).length / sample.length) * rows.length;
}
