import type { Stored } from '../../moves/stored.ts';
import type { HolderOutcome } from '../../spi/tasks.ts';
import { type Columns, columnsOf, rowsText } from '../bulk.ts';
import type { Transaction } from '../transaction.ts';

interface Result {
  seq: number;
  body: string;
}

/** A result that came of an epoch whose lease another has by now. */
interface Orphan {
  seq: number;
  epoch: number;
  result: string;
  at: number;
}

/** Results that came in the course of a move, until they are written. */
export class Results {
  readonly #bodies = new Map<number, Result>();
  readonly #orphans: Orphan[] = [];

  /** Takes the place of the one before. */
  keep({ seq }: Stored, body: string): void {
    this.#bodies.set(seq, { seq, body });
  }

  keepOrphan(orphan: Orphan): void {
    this.#orphans.push(orphan);
  }

  write(tx: Transaction): void {
    const bodies = [...this.#bodies.values()];
    if (bodies.length > 0) tx.put(PUT, columnsOf(COLUMNS, bodies));
    // They are rare, and one may follow another of the same epoch.
    for (const { seq, epoch, result, at } of this.#orphans) {
      tx.put(KEEP_ORPHAN, [seq, epoch, result, at]);
      tx.put(DROP_ORPHANS, [seq]);
    }
  }

  /** Adds to each outcome of a task that had ended what is stored as its result. */
  async tell(tx: Transaction, outcomes: readonly HolderOutcome[]): Promise<HolderOutcome[]> {
    const ended = outcomes.flatMap((one) => (one.outcome === 'ended' ? one.row.seq : []));
    if (ended.length === 0) return [...outcomes];
    const found = new Map((await tx.lists(FOUND, [ended])) as [number, string][]);
    return outcomes.map((one) => {
      const result = one.outcome === 'ended' ? found.get(one.row.seq) : undefined;
      return result === undefined ? one : ({ ...one, result } as HolderOutcome);
    });
  }
}

const COLUMNS: Columns<Result> = { seq: 'bigint', body: 'text' };

const PUT = `
  INSERT INTO task_results (seq, body) SELECT seq, body FROM ${rowsText(COLUMNS)}
  ON CONFLICT (seq) DO UPDATE SET body = excluded.body`;

/** Only of an epoch that was once given out. */
const KEEP_ORPHAN = `
  INSERT INTO task_orphans (seq, epoch, holder, result, at)
  SELECT seq, epoch, holder, $3::text, $4::bigint FROM task_history
  WHERE seq = $1 AND epoch = $2 AND cause = 'claimed'
  ON CONFLICT (seq, epoch) DO UPDATE SET result = excluded.result, at = excluded.at`;

const DROP_ORPHANS = `
  DELETE FROM task_orphans WHERE seq = $1 AND epoch NOT IN (
    SELECT epoch FROM task_orphans WHERE seq = $1 ORDER BY at DESC, epoch DESC LIMIT 3)`;

const FOUND = 'SELECT seq, body FROM task_results WHERE seq = ANY ($1::bigint[])';
