import { SELECT_TASK, type Stored } from '../../moves/stored.ts';
import type { KeyName, KeyRecord } from '../../spi/ledger.ts';
import type { Now } from '../../spi/now.ts';
import type { NewTask, TaskName } from '../../spi/tasks.ts';
import { rowsText } from '../bulk.ts';
import type { Transaction } from '../transaction.ts';
import { holdTurns, passGates } from './chains.ts';
import { Lanes } from './lanes.ts';
import { TaskShelf } from './shelf.ts';
import { keyId, readKeys } from './submit-keys.ts';
import { lockNamed, NAMED_TASKS, namesOf, tasksOf } from './stored.ts';

/** What newcomers are judged by, as it was when their queues had been locked. */
export interface Ground {
  shelf: TaskShelf;
  lanes: Lanes;
  now: number;
  /** A task that was there, or came before in the same submission. */
  find(name: TaskName): Stored | undefined;
  keyOf(name: KeyName): KeyRecord | undefined;
  keepKey(key: NonNullable<NewTask['key']>, token: string): void;
  /** The number of the `n`-th newcomer, if it is accepted. */
  numberOf(n: number): number;
}

/** Locks and reads, in one round trip if the lanes exist. */
export async function readGround(
  tx: Transaction,
  move: { tasks: readonly NewTask[]; now: Now },
): Promise<Ground> {
  const { tasks } = move;
  const shelf = new TaskShelf();
  const lanes = new Lanes();
  const chains = chainsOf(tasks);
  const parents = parentsOf(tasks);
  // The locks leave first, so that all the rest is read behind them.
  const gates = chains.length > 0 ? passGates(tx, GIVEN, chainColumns(chains)) : undefined;
  const locks = [gates, lanes.find(tx, tasks)];
  const [known, held, numbers, now, keys] = await Promise.all([
    tasksOf(tx, KNOWN, namesOf(tasks)),
    parents.length > 0 ? tasksOf(tx, PARENTS, namesOf(parents)) : [],
    tx.lists(NUMBERS, [tasks.length]),
    tx.clock(move.now),
    readKeys(tx, tasks, move.now),
    ...locks,
    chains.length > 0 ? holdTurns(tx, shelf, chains) : undefined,
  ]);
  // Mostly the lanes are there; what is missing is made in a second round trip.
  await lanes.make(tx, tasks);
  const others = new TaskShelf();
  others.hold([...known, ...held]);
  return {
    shelf,
    lanes,
    now,
    // What the submission itself has moved or borne is newer than what was read.
    find: (name) => shelf.byName(name) ?? others.byName(name),
    keyOf: (name) => keys.get(keyId(name)),
    keepKey: ({ scope, key, fingerprint, pinned, answer }, token) => {
      const kept = { fingerprint, pinned, token, answer, state: 'done' as const };
      keys.set(keyId({ scope, key }), { ...kept, expiresAt: Number.MAX_SAFE_INTEGER });
    },
    numberOf: (n) => numbers[n]?.[0] as number,
  };
}

interface Chain {
  tenant: string;
  chain: string;
}

function chainsOf(tasks: readonly NewTask[]): Chain[] {
  return tasks.flatMap(({ tenant, chain }) => (chain === undefined ? [] : { tenant, chain }));
}

function parentsOf(tasks: readonly NewTask[]): TaskName[] {
  return tasks.flatMap(({ tenant, parentId }) =>
    parentId === undefined ? [] : { tenant, taskId: parentId },
  );
}

function chainColumns(chains: readonly Chain[]) {
  return [chains.map(({ tenant }) => tenant), chains.map(({ chain }) => chain)];
}

const GIVEN = `SELECT tenant, chain FROM ${rowsText({ tenant: 'text', chain: 'text' }, 'given')}`;

const KNOWN = `${SELECT_TASK} FROM ${NAMED_TASKS}`;

/** Held, so that whoever cancels a parent waits for the child and then finds it. */
const PARENTS = lockNamed('SHARE');

const NUMBERS = "SELECT nextval('task_seq') FROM generate_series(1, $1::bigint)";
