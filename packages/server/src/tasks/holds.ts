import type { Run } from '../pipeline/run.ts';
import type { LeaseName, TaskName, TaskRow } from '../storage/spi/tasks.ts';

/** A task that this gateway handed out, and the run that began with it. */
export interface Held {
  row: TaskRow;
  run: Run;
  holder: string;
  /** Ends the request that carries it, when somebody cancels the task. */
  abort: AbortController;
}

/**
 * What this gateway handed out and has not got back: the memory of runs under way. Bounded by the
 * leases that are out. A gateway that restarted has an empty one and reads the store instead.
 */
export class Holds {
  readonly #held = new Map<string, Held>();
  readonly #counts = new Map<string, number>();

  add(held: Held): void {
    this.drop(held.row);
    this.#held.set(nameOf(held.row), held);
    this.#count(held, 1);
  }

  /** The run of exactly this lease. */
  of(lease: LeaseName): Held | undefined {
    const held = this.#held.get(nameOf(lease));
    return held?.row.epoch === lease.epoch ? held : undefined;
  }

  /** What is held of a task, under whatever lease. */
  peek(task: TaskName): Held | undefined {
    return this.#held.get(nameOf(task));
  }

  /** Forgets what is held of a task; answers it. */
  drop(task: TaskName): Held | undefined {
    const held = this.#held.get(nameOf(task));
    if (held === undefined) return undefined;
    this.#held.delete(nameOf(task));
    this.#count(held, -1);
    return held;
  }

  /** How many tasks an instance holds. */
  countOf(at: { tenant: string; agentId: string; instanceId: string }): number {
    return this.#counts.get(`${at.tenant}/${at.agentId}/${at.instanceId}`) ?? 0;
  }

  #count({ row, holder }: Held, by: number): void {
    const key = `${row.tenant}/${row.agentId ?? ''}/${holder}`;
    const count = (this.#counts.get(key) ?? 0) + by;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

function nameOf({ tenant, taskId }: TaskName): string {
  return `${tenant}/${taskId}`;
}
