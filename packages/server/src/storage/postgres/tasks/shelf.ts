import { isTaskEnd, type TaskState } from '@agent-reach/core/task-states';
import { goesBefore, hasTurn } from '../../moves/chain.ts';
import type { Line, Shelf } from '../../moves/shelf.ts';
import type { Stored } from '../../moves/stored.ts';
import type { TaskName } from '../../spi/tasks.ts';
import { type Columns, columnsOf, rowsText } from '../bulk.ts';
import type { Transaction } from '../transaction.ts';
import { type HistoryLine, lineOf, writeHistory } from './history.ts';
import { type LaneChange, saveLanes } from './lanes.ts';
import { insertTasks, type Newborn, saveTasks } from './stored.ts';

/**
 * The tasks that a move is about, in memory: first they are locked and read, then moved here, then
 * all that changed is written at once. So a move takes as many round trips for a hundred tasks as
 * for one, and the rows that everybody needs, those of the lanes, are locked last and briefly.
 *
 * A task is here once, however often it was read.
 */
export class TaskShelf implements Shelf {
  readonly #tasks = new Map<number, Stored>();
  readonly #names = new Map<string, Stored>();
  /** Of the chains that have been read: their tasks. */
  readonly #chains = new Map<string, Set<Stored>>();
  #saved = new Set<Stored>();
  #born: Newborn[] = [];
  #payloads: { seq: number; body: string }[] = [];
  #lines: HistoryLine[] = [];
  #lanes = new Map<number, LaneChange>();

  /** Takes in tasks that were read under a lock; what is here already is newer than what was read. */
  hold(tasks: readonly Stored[]): Stored[] {
    return tasks.map((task) => this.#tasks.get(task.seq) ?? this.#add(task));
  }

  /** Says that all the tasks of a chain that may matter are taken in. */
  holdChain(tenant: string, chain: string): void {
    const isOfChain = (task: Stored) => task.tenant === tenant && task.chain === chain;
    const tasks = [...this.#tasks.values()].filter(isOfChain);
    this.#chains.set(pairKey(tenant, chain), new Set(tasks));
  }

  byName({ tenant, taskId }: TaskName): Stored | undefined {
    return this.#names.get(pairKey(tenant, taskId));
  }

  at(seq: number): Stored | undefined {
    return this.#tasks.get(seq);
  }

  save(task: Stored): void {
    this.#saved.add(task);
  }

  writeLine(task: Stored, line: Line): void {
    this.#lines.push(lineOf(task, line));
  }

  recount(lane: number, from: TaskState | undefined, to: TaskState | undefined): void {
    if (from === to) return;
    const change = this.#lanes.get(lane) ?? {};
    if (from !== undefined && !isTaskEnd(from)) change[from] = (change[from] ?? 0) - 1;
    if (to !== undefined && !isTaskEnd(to)) change[to] = (change[to] ?? 0) + 1;
    this.#lanes.set(lane, change);
  }

  turnOf(tenant: string, chain: string): Stored | undefined {
    return this.#firstOf(tenant, chain, hasTurn);
  }

  turnAfter(tenant: string, chain: string): Stored | undefined {
    return this.#firstOf(tenant, chain, ({ state }) => state === 'blocked');
  }

  /** Adds a newborn task. */
  bear(newborn: Newborn & { payload: string }): void {
    const { task, payload } = newborn;
    this.#add(task);
    this.#born.push(newborn);
    this.#payloads.push({ seq: task.seq, body: payload });
  }

  /** How a lane's counts differ by now from what they are in the tables. */
  changeOf(lane: number): LaneChange {
    return this.#lanes.get(lane) ?? {};
  }

  /** Sends everything that was noted since the last time. */
  write(tx: Transaction): void {
    const born = new Set(this.#born.map(({ task }) => task));
    const moved = [...this.#saved].filter((task) => !born.has(task));
    // The index that allows one turn a chain looks at each row by itself: who gives it up goes first.
    saveTasks(
      tx,
      moved.filter((task) => !hasTurn(task)),
    );
    saveTasks(tx, moved.filter(hasTurn));
    insertTasks(tx, this.#born);
    if (this.#payloads.length > 0) tx.put(PAYLOADS, columnsOf(PAYLOAD_COLUMNS, this.#payloads));
    writeHistory(tx, this.#lines);
    saveLanes(tx, this.#lanes);
    this.#saved = new Set();
    this.#born = [];
    this.#payloads = [];
    this.#lines = [];
    this.#lanes = new Map();
  }

  #add(task: Stored): Stored {
    this.#tasks.set(task.seq, task);
    this.#names.set(pairKey(task.tenant, task.taskId), task);
    if (task.chain !== null) this.#chains.get(pairKey(task.tenant, task.chain))?.add(task);
    return task;
  }

  #firstOf(tenant: string, chain: string, is: (task: Stored) => boolean): Stored | undefined {
    const tasks = this.#chains.get(pairKey(tenant, chain));
    if (tasks === undefined) throw new Error(`chain ${chain} was asked about before it was read`);
    let first: Stored | undefined;
    for (const task of tasks) {
      if (is(task) && (first === undefined || goesBefore(task, first))) first = task;
    }
    return first;
  }
}

const PAYLOAD_COLUMNS: Columns<{ seq: number; body: string }> = { seq: 'bigint', body: 'text' };

const PAYLOADS = `
  INSERT INTO task_payloads (seq, body) SELECT seq, body FROM ${rowsText(PAYLOAD_COLUMNS)}`;

/** One text for two, whatever characters are in them. */
export function pairKey(tenant: string, name: string): string {
  return JSON.stringify([tenant, name]);
}
