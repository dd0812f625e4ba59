import type { KeyName, KeyRecord } from '../../spi/ledger.ts';
import type { Now } from '../../spi/now.ts';
import type { NewTask } from '../../spi/tasks.ts';
import { type Columns, columnsOf, rowsText } from '../bulk.ts';
import { type FoundKey, KEY_COLUMNS, recordOf, TIME, timeOf } from '../ledger.ts';
import type { Transaction } from '../transaction.ts';

type KeyOf = NonNullable<NewTask['key']>;

/** The idempotency keys of newcomers that are in the ledger and have not expired. */
export async function readKeys(
  tx: Transaction,
  tasks: readonly NewTask[],
  now: Now,
): Promise<Map<string, KeyRecord>> {
  const keys = keysOf(tasks);
  if (keys.length === 0) return new Map();
  const names = [keys.map(({ scope }) => scope), keys.map(({ key }) => key)];
  const found = await tx.rows<FoundKey & { scope: string; key: string }>(PRESENT, [
    timeOf(now),
    ...names,
  ]);
  return new Map(found.map((row) => [keyId(row), recordOf(row)]));
}

/**
 * Keeps first verdicts that came with their requests: there is nothing to claim. They do not expire
 * until their tasks are forgotten. Who claimed such a key meanwhile makes this fail, and the
 * submission be judged again.
 */
export function keepKeys(tx: Transaction, accepted: readonly NewTask[], now: number): void {
  const keys = accepted.flatMap(({ key, taskId }): KeptKey[] =>
    key === undefined ? [] : [{ ...key, token: taskId }],
  );
  if (keys.length === 0) return;
  const names = [keys.map(({ scope }) => scope), keys.map(({ key }) => key)];
  tx.put(DROP_EXPIRED, [now, ...names]);
  tx.put(KEEP, columnsOf(COLUMNS, keys));
}

/** One text for a key's name, whatever is in it. */
export function keyId({ scope, key }: KeyName): string {
  return JSON.stringify([scope, key]);
}

function keysOf(tasks: readonly NewTask[]): KeyOf[] {
  return tasks.flatMap(({ key }) => key ?? []);
}

/** One by one, so that no plan walks through all keys while they are few. */
const PRESENT = `
  SELECT known.scope, known.key, ${KEY_COLUMNS}, ${TIME} AS now
  FROM unnest($2::text[], $3::text[]) AS named (scope, key) CROSS JOIN LATERAL (
    SELECT * FROM keys WHERE keys.scope = named.scope AND keys.key = named.key LIMIT 1) AS known
  WHERE expires_at > ${TIME}`;

const DROP_EXPIRED = `
  DELETE FROM keys USING unnest($2::text[], $3::text[]) AS named (scope, key) CROSS JOIN LATERAL (
    SELECT ctid AS place FROM keys
    WHERE keys.scope = named.scope AND keys.key = named.key LIMIT 1) AS known
  WHERE keys.ctid = known.place AND expires_at <= $1`;

type KeptKey = Omit<KeyOf, 'ttlMs'> & { token: string };

const COLUMNS: Columns<KeptKey> = {
  scope: 'text',
  key: 'text',
  fingerprint: 'text',
  pinned: 'text',
  token: 'text',
  answer: 'text',
};

const KEEP = `
  INSERT INTO keys (scope, key, fingerprint, pinned, token, answer, state, expires_at)
  SELECT scope, key, fingerprint, pinned, token, answer, 'done', ${Number.MAX_SAFE_INTEGER}
  FROM ${rowsText(COLUMNS)} ORDER BY scope, key`;
