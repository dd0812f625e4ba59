import { SELECT_TASK, type Stored } from '../../moves/stored.ts';
import { rowsText } from '../bulk.ts';
import type { Transaction } from '../transaction.ts';
import type { Value } from '../values.ts';
import { pairKey, type TaskShelf } from './shelf.ts';
import { NAMED_TASKS, tasksOf } from './stored.ts';

/**
 * Chains have no row that could be locked, so whoever is about to give or take a turn passes the
 * chain's gate first: a lock of the transaction on the chain's name. Behind it, what is read of a
 * chain is true until the commit.
 *
 * Locks are always taken in this order, so that no two moves wait for each other: gates (by their
 * number), queues, tasks (by `seq`), lanes. A claim and the sweeps pass over tasks that are locked.
 */
const gates = (from: string) => `
  SELECT tenant, chain, pg_advisory_xact_lock(gate)::text FROM (
    SELECT DISTINCT tenant, chain,
      hashtextextended(current_schema() || ' ' || length(tenant) || tenant || chain, 0) AS gate
    FROM (${from}) AS gated WHERE chain IS NOT NULL ORDER BY gate) AS ordered`;

/** Passes the gates of the chains that `from`, a text of `tenant, chain`, finds; answers which. */
export async function passGates(
  tx: Transaction,
  from: string,
  values: readonly Value[],
): Promise<ReadonlySet<string>> {
  const found = (await tx.lists(gates(from), values)) as [string, string][];
  return new Set(found.map(([tenant, chain]) => pairKey(tenant, chain)));
}

/** The chains of tasks that are named. */
export const CHAINS_NAMED = `SELECT tasks.tenant, chain FROM ${NAMED_TASKS}`;

/**
 * Takes in, of every chain that tasks on the shelf belong to, who may get its turn next: as many as
 * the tasks that are to move may pass it on.
 */
export async function holdNext(
  tx: Transaction,
  shelf: TaskShelf,
  moving: readonly Stored[],
): Promise<void> {
  const chains = new Map<string, { tenant: string; chain: string; n: number }>();
  for (const { tenant, chain } of moving) {
    if (chain === null) continue;
    const key = pairKey(tenant, chain);
    chains.set(key, { tenant, chain, n: (chains.get(key)?.n ?? 0) + 1 });
  }
  const wanted = [...chains.values()];
  if (wanted.length === 0) return;
  const columns = [
    wanted.map(({ tenant }) => tenant),
    wanted.map(({ chain }) => chain),
    wanted.map(({ n }) => n),
  ];
  shelf.hold(await tasksOf(tx, NEXT, columns));
  for (const { tenant, chain } of wanted) shelf.holdChain(tenant, chain);
}

/** Takes in who has the turn of chains. */
export async function holdTurns(
  tx: Transaction,
  shelf: TaskShelf,
  chains: readonly { tenant: string; chain: string }[],
): Promise<void> {
  const columns = [chains.map(({ tenant }) => tenant), chains.map(({ chain }) => chain)];
  shelf.hold(await tasksOf(tx, TURNS, columns));
  for (const { tenant, chain } of chains) shelf.holdChain(tenant, chain);
}

const WANTED = rowsText({ tenant: 'text', chain: 'text', n: 'bigint' }, 'wanted');

const NEXT = `
  SELECT next.* FROM ${WANTED} CROSS JOIN LATERAL (
    ${SELECT_TASK} FROM tasks
    WHERE tasks.tenant = wanted.tenant AND tasks.chain = wanted.chain AND state = 'blocked'
    ORDER BY coalesce(chain_seq, 0), seq LIMIT wanted.n FOR NO KEY UPDATE) AS next`;

/** The condition of the index of turns, to the letter. */
export const HAS_TURN = `
  tasks.chain IS NOT NULL
  AND (state IN ('queued', 'waiting', 'delivered', 'running')
    OR (state = 'dead' AND on_dead IS DISTINCT FROM 'skip'))`;

const TURNS = `
  ${SELECT_TASK}
  FROM ${rowsText({ tenant: 'text', chain: 'text' }, 'wanted')}
  JOIN tasks ON tasks.tenant = wanted.tenant AND tasks.chain = wanted.chain
  WHERE ${HAS_TURN} FOR NO KEY UPDATE OF tasks`;
