import { isTaskEnd, isTaskLeased } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import type { QueueCounts, TaskName, TaskRow, TasksStore } from '../spi/tasks.ts';
import { CHAINS, Historian, type Step } from './tasks-histories.ts';
import { counts } from './tasks-model-reads.ts';
import type { ModelStore } from './tasks-model-store.ts';

/** Two stores that are to be one to whoever asks. */
export interface Pair {
  store: TasksStore;
  model: ModelStore;
  /** Looks under the store for what must agree within it; throws what does not. */
  check?: (() => void | Promise<void>) | undefined;
}

/**
 * How often every row is compared. What no answer, no figure and no row that a step is about shows
 * is seen a few steps later, and in half the time: that is worth twice the histories.
 */
const ALL_EVERY = 5;

/** How often every task is looked at from all sides, and the store looked under. */
const DEEP_EVERY = 50;

/**
 * Feeds one history to both; undefined when nothing told them apart: no answer, no figure, and no
 * part of a task that a step was about or, by the model, changed; every few steps, no row of any.
 */
export async function compareOver(
  pair: Pair,
  seed: number,
  steps: number,
  allEvery = ALL_EVERY,
): Promise<string | undefined> {
  const historian = new Historian(seededRandom(seed));
  const watch = { historian, ends: new Map<string, string>(), changes: new Changes() };
  const told: Step[] = [];
  for (let n = 1; n <= steps; n++) {
    const step = historian.next();
    told.push(step);
    const difference = await stepApart(pair, step, {
      ...watch,
      looksAtAll: n % allEvery === 0 || n === steps,
      looksDeep: n % DEEP_EVERY === 0 || n === steps,
    });
    if (difference !== undefined) {
      const since = told.slice(-12).map(({ act, move }, at) => {
        return `${n - Math.min(n, 12) + at + 1} ${act} ${JSON.stringify(move)}`;
      });
      return `seed ${seed}, step ${n}: ${difference}\nafter\n${since.join('\n')}`;
    }
  }
  return undefined;
}

interface Round {
  historian: Historian;
  /** How tasks ended, by name and moment of birth. */
  ends: Map<string, string>;
  changes: Changes;
  looksAtAll: boolean;
  looksDeep: boolean;
}

async function stepApart(pair: Pair, step: Step, round: Round): Promise<string | undefined> {
  const expected = await play(pair.model, step);
  const answered = await play(pair.store, step);
  round.historian.learn(step, expected);
  const names = step.act === 'list' ? new Map() : namesIn([step.move, answered]);
  for (const name of round.changes.since(pair.model.rows())) addName(names, name);

  const parted =
    apart('the answer', answered, expected) ??
    (await sidesApart(pair, round, [...names.values()])) ??
    (round.looksAtAll ? await allApart(pair, round) : undefined);
  if (parted !== undefined || !round.looksDeep) return parted;

  await pair.check?.();
  return sidesApart(pair, round, pair.model.rows());
}

async function play(store: TasksStore, step: Step): Promise<unknown> {
  let { move } = step as { move: object };
  if (step.act === 'list' && step.pageAfter !== undefined) {
    const after = await store.get({ tenant: 'acme', taskId: step.pageAfter });
    if (after !== undefined) move = { ...move, before: after.seq };
  }
  return (store[step.act] as (move: object) => Promise<unknown>)(move);
}

interface Seen {
  name: TaskName;
  version: number;
  leaseEndsAt: number | undefined;
}

/** Which rows of the model a step changed. A lease is lengthened without a word in the history. */
class Changes {
  #before = new Map<number, Seen>();

  /** The names of what is not as it was when this was asked last. */
  since(rows: readonly TaskRow[]): TaskName[] {
    const now = new Map<number, Seen>();
    const changed: TaskName[] = [];
    for (const row of rows) {
      const { seq, version, leaseEndsAt } = row;
      const before = this.#before.get(seq);
      const isSame = before?.version === version && before.leaseEndsAt === leaseEndsAt;
      if (!isSame) changed.push(row);
      now.set(seq, isSame ? before : { name: row, version, leaseEndsAt });
      this.#before.delete(seq);
    }
    // What is left is there no more.
    for (const { name } of this.#before.values()) changed.push(name);
    this.#before = now;
    return changed;
  }
}

/** Looks at every row, whether they are what the figures say, and who has the turn in every chain. */
async function allApart(pair: Pair, { ends }: Round): Promise<string | undefined> {
  const { answered, expected } = await both(pair, (store) => [
    store.list({ tenant: 'acme', limit: 1_000 }),
    store.list({ tenant: 'other', limit: 1_000 }),
    store.counts({}),
    ...CHAINS.map((chain) => store.chainHead({ tenant: 'acme', chain })),
  ]);
  const [acme, other, figures] = answered as [TaskRow[], TaskRow[], QueueCounts[]];
  const rows = [...acme, ...other];
  return (
    apart('what is there', answered, expected) ??
    apart('the figures of the rows', figures, counts(rows.toReversed())) ??
    firstOf(rows, (row) => brokenPromise(row, ends)) ??
    sharedTurn(rows)
  );
}

const SIDES = ['get', 'history', 'orphans', 'edits', 'ahead'] as const;

/** Looks at tasks from all sides. */
async function sidesApart(
  pair: Pair,
  { ends }: Round,
  names: readonly TaskName[],
): Promise<string | undefined> {
  const looks = names.flatMap(({ tenant, taskId }) =>
    SIDES.map((side) => ({ side, name: { tenant, taskId } })),
  );
  const { answered, expected } = await both(pair, (store) =>
    looks.map(({ side, name }): Promise<unknown> => store[side](name)),
  );
  return firstOf([...looks.entries()], ([n, { side, name }]) => {
    const answer = answered[n];
    const differs = apart(`${side} of ${name.taskId}`, answer, expected[n]);
    return differs ?? (isRow(answer) ? brokenPromise(answer, ends) : undefined);
  });
}

/** Asks both the same questions, all at once: a store behind a wire is asked dozens a step. */
async function both({ store, model }: Pair, ask: (store: TasksStore) => Promise<unknown>[]) {
  const [answered, expected] = await Promise.all([
    Promise.all(ask(store)),
    Promise.all(ask(model)),
  ]);
  return { answered, expected };
}

/** The names of all tasks that a move or an answer speaks of. */
function namesIn(value: unknown, found = new Map<string, TaskName>()): Map<string, TaskName> {
  if (typeof value !== 'object' || value === null) return found;
  if ('taskId' in value && 'tenant' in value) addName(found, value as TaskName);
  for (const part of Object.values(value)) namesIn(part, found);
  return found;
}

function isRow(answer: unknown): answer is TaskRow {
  return typeof answer === 'object' && answer !== null && 'taskId' in answer && 'state' in answer;
}

function addName(found: Map<string, TaskName>, name: TaskName): void {
  found.set(`${name.tenant}/${name.taskId}`, name);
}

/** What no store may ever show of a task, whatever the model says. */
function brokenPromise(row: TaskRow, ends: Map<string, string>): string | undefined {
  const { state } = row;
  const name = `${row.tenant}/${row.taskId}`;
  if (isTaskLeased(state) !== (row.leaseEndsAt !== undefined)) return `${name}: a lease, or none?`;
  if (row.attempts > row.attemptsMax) return `${name} was tried ${row.attempts} times`;
  if (row.attempts > row.deliveries) return `${name} began more often than it was given out`;
  const life = `${name} of ${row.createdAt} by ${row.selector}`;
  const end = isTaskEnd(state) ? `${state} ${row.cause} ${row.version}` : undefined;
  const before = ends.get(life);
  if (before !== undefined && before !== end)
    return `${name} had ended: ${before}, now ${end ?? state}`;
  if (end !== undefined) ends.set(life, end);
  return undefined;
}

/** Nor may it show two of one chain that have its turn. */
function sharedTurn(rows: readonly TaskRow[]): string | undefined {
  const turns = new Set<string>();
  for (const { tenant, taskId, state, chain, onDead } of rows) {
    const hasTurn = state === 'dead' ? onDead !== 'skip' : state !== 'blocked' && !isTaskEnd(state);
    if (chain === undefined || !hasTurn) continue;
    if (turns.has(`${tenant}/${chain}`))
      return `${tenant}/${taskId}: two have the turn in ${chain}`;
    turns.add(`${tenant}/${chain}`);
  }
  return undefined;
}

function firstOf<Item>(
  items: readonly Item[],
  fault: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const found = fault(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function apart(what: string, answered: unknown, expected: unknown): string | undefined {
  if (isSame(answered, expected)) return undefined;
  return `${what} differs:\n  store ${JSON.stringify(answered)}\n  model ${JSON.stringify(expected)}`;
}

/** Deep, and without `seq`: its order is promised, its value is the store's own. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a, b] as Record<string, unknown>[];
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every(
    (name) => name in b && (name === 'seq' || isSame(left?.[name], right?.[name])),
  );
}
