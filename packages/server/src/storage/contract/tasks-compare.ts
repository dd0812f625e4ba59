import { isTaskEnd, isTaskLeased } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import type { QueueCounts, TaskName, TaskRow, TasksStore } from '../spi/tasks.ts';
import { CHAINS, Historian, type Step } from './tasks-histories.ts';
import { counts } from './tasks-model-reads.ts';

/** Two stores that are to be one to whoever asks. */
export interface Pair {
  store: TasksStore;
  model: TasksStore;
  /** Looks under the store for what must agree within it; throws what does not. */
  check?: (() => void | Promise<void>) | undefined;
}

/** How often every task is looked at from all sides, and the store looked under. */
const DEEP_EVERY = 50;

/**
 * Feeds one history to both; undefined when nothing told them apart: no answer, and after no step
 * any row, figure, or, of the tasks the step was about, any part.
 */
export async function compareOver(
  pair: Pair,
  seed: number,
  steps: number,
): Promise<string | undefined> {
  const historian = new Historian(seededRandom(seed));
  const ends = new Map<string, string>();
  const told: string[] = [];
  for (let n = 1; n <= steps; n++) {
    const step = historian.next();
    told.push(`${n} ${step.act} ${JSON.stringify(step.move)}`);
    const difference = await stepApart(pair, step, {
      historian,
      ends,
      isDeep: n % DEEP_EVERY === 0,
    });
    if (difference !== undefined) {
      const since = told.slice(-12).join('\n');
      return `seed ${seed}, step ${n}: ${difference}\nafter\n${since}`;
    }
  }
  return undefined;
}

interface Round {
  historian: Historian;
  /** How tasks ended, by name and moment of birth. */
  ends: Map<string, string>;
  isDeep: boolean;
}

async function stepApart(pair: Pair, step: Step, round: Round): Promise<string | undefined> {
  const expected = await play(pair.model, step);
  const answered = await play(pair.store, step);
  round.historian.learn(step, expected);
  const parted = apart('the answer', answered, expected);
  if (parted !== undefined) return parted;

  const looks = await both(pair, (store) => [
    store.list({ tenant: 'acme', limit: 1_000 }),
    store.list({ tenant: 'other', limit: 1_000 }),
    store.counts({}),
  ]);
  const [acme, other, figures] = looks.answered as [TaskRow[], TaskRow[], QueueCounts[]];
  const rows = [...acme, ...other];
  const broken =
    apart('what is there', looks.answered, looks.expected) ??
    apart('the figures of the rows', figures, counts(rows.toReversed())) ??
    brokenPromise(rows, round.ends);
  if (broken !== undefined) return broken;

  if (round.isDeep) await pair.check?.();
  const names = round.isDeep ? rows : namesIn([step.move, answered]);
  return firstApart(pair, names);
}

async function play(store: TasksStore, step: Step): Promise<unknown> {
  let { move } = step as { move: object };
  if (step.act === 'list' && step.pageAfter !== undefined) {
    const after = await store.get({ tenant: 'acme', taskId: step.pageAfter });
    if (after !== undefined) move = { ...move, before: after.seq };
  }
  return (store[step.act] as (move: object) => Promise<unknown>)(move);
}

/** Looks at tasks from all sides, and at who has the turn in every chain. */
async function firstApart(pair: Pair, names: readonly TaskName[]): Promise<string | undefined> {
  const ofTasks = names.flatMap((name) =>
    (['get', 'history', 'orphans', 'edits', 'ahead'] as const).map((side) => ({
      what: `${side} of ${name.taskId}`,
      ask: (store: TasksStore): Promise<unknown> => store[side](name),
    })),
  );
  const ofChains = CHAINS.map((chain) => ({
    what: chain as string,
    ask: (store: TasksStore): Promise<unknown> => store.chainHead({ tenant: 'acme', chain }),
  }));
  const looks = [...ofTasks, ...ofChains];
  const { answered, expected } = await both(pair, (store) => looks.map(({ ask }) => ask(store)));
  for (const [n, { what }] of looks.entries()) {
    const differs = apart(what, answered[n], expected[n]);
    if (differs !== undefined) return differs;
  }
  return undefined;
}

/** Asks both the same questions, all at once: a store behind a wire is asked hundreds a step. */
async function both({ store, model }: Pair, ask: (store: TasksStore) => Promise<unknown>[]) {
  const [answered, expected] = await Promise.all([
    Promise.all(ask(store)),
    Promise.all(ask(model)),
  ]);
  return { answered, expected };
}

/** The names of all tasks that a move or an answer speaks of. */
function namesIn(value: unknown): TaskName[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'taskId' in value && 'tenant' in value ? [value as TaskName] : [];
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

/** What no store may ever show, whatever the model says. */
function brokenPromise(rows: readonly TaskRow[], ends: Map<string, string>): string | undefined {
  const turns = new Set<string>();
  for (const row of rows) {
    const { state, chain } = row;
    const name = `${row.tenant}/${row.taskId}`;
    if (isTaskLeased(state) !== (row.leaseEndsAt !== undefined))
      return `${name}: a lease, or none?`;
    if (row.attempts > row.attemptsMax) return `${name} was tried ${row.attempts} times`;
    if (row.attempts > row.deliveries) return `${name} began more often than it was given out`;
    const hasTurn =
      state === 'dead' ? row.onDead !== 'skip' : state !== 'blocked' && !isTaskEnd(state);
    if (chain !== undefined && hasTurn) {
      if (turns.has(`${row.tenant}/${chain}`)) return `${name}: two have the turn in ${chain}`;
      turns.add(`${row.tenant}/${chain}`);
    }
    const life = `${name} of ${row.createdAt} by ${row.selector}`;
    const end = isTaskEnd(state) ? `${state} ${row.cause} ${row.version}` : undefined;
    const before = ends.get(life);
    if (before !== undefined && before !== end)
      return `${name} had ended: ${before}, now ${end ?? state}`;
    if (end !== undefined) ends.set(life, end);
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
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const [left, right] = [a, b] as Record<string, unknown>[];
  return names.every(
    (name) => name in b && (name === 'seq' || isSame(left?.[name], right?.[name])),
  );
}
