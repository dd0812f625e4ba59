import type { KeyRecord, LedgerStore } from '../spi/ledger.ts';
import type { Operation } from './operation.ts';
import type { Value } from './values.ts';

/**
 * The key machine of the SPI. A claim that lapsed is not rewritten: it *reads* as `unknown`, so that
 * a look costs no write, and its holder, if it comes back late and nobody took over, may still
 * settle.
 */
export const lookup: Operation<LedgerStore['lookup']> = async (tx, { scope, key, now }) => {
  const [found] = await tx.rows<FoundKey>(PRESENT, [scope, key, timeOf(now)]);
  return found && recordOf(found);
};

export const claim: Operation<LedgerStore['claim']> = async (tx, move) => {
  const { scope, key, fingerprint, pinned, token, over, claimMs, now } = move;
  const ttlMs = Math.max(move.ttlMs, claimMs);
  const values = [
    timeOf(now),
    scope,
    key,
    fingerprint,
    pinned,
    token,
    over ?? null,
    claimMs,
    ttlMs,
  ];
  const claimed = tx.write(CLAIM, values);
  // A conflict locks the row in the way, so it is there to be read.
  const found = tx.rows<FoundKey>(PRESENT, [scope, key, timeOf(now)]);
  await tx.commit();
  const [record] = await found;
  if ((await claimed) === 1 || record === undefined) return { outcome: 'claimed' };
  return { outcome: 'held', record: recordOf(record) };
};

export const extend: Operation<LedgerStore['extend']> = async (tx, move) => {
  const { scope, key, token, claimMs, now } = move;
  const extended = tx.write(EXTEND, [timeOf(now), scope, key, token, claimMs]);
  await tx.commit();
  return (await extended) === 1;
};

export const settle: Operation<LedgerStore['settle']> = async (tx, move) => {
  const { scope, key, token, verdict, ttlMs, now } = move;
  const held = [timeOf(now), scope, key, token];
  const answer = verdict.state === 'done' ? verdict.answer : null;
  const settled =
    verdict.state === 'free'
      ? tx.write(FREE, held)
      : tx.write(SETTLE, [...held, verdict.state, answer, ttlMs]);
  await tx.commit();
  return (await settled) === 1;
};

export const pruneKeys: Operation<LedgerStore['prune']> = async (tx, { limit, now }) => {
  tx.put(PRUNE_SPENT, [timeOf(now), limit]);
  return tx.write(PRUNE, [timeOf(now), limit]);
};

/** The first parameter of a text that begins with `TIME`. */
export function timeOf(now: number | 'store'): Value {
  return now === 'store' ? null : now;
}

/**
 * The time of a move that is one statement: what it was told, or the moment its transaction began,
 * which is the same in all of it.
 */
export const TIME = 'coalesce($1::bigint, floor(extract(epoch FROM now()) * 1000)::bigint)';

/** A key as it is stored, and the moment at which it was looked at. */
export interface FoundKey {
  fingerprint: string;
  pinned: string;
  token: string;
  claimEndsAt: number | null;
  answer: string | null;
  expiresAt: number;
  now: number;
}

export const KEY_COLUMNS = `
  fingerprint, pinned, token, claim_ends_at AS "claimEndsAt", answer, expires_at AS "expiresAt"`;

/** What is known of a key at a moment at which it has not expired. */
export function recordOf(found: FoundKey): KeyRecord {
  const { fingerprint, pinned, token, expiresAt, answer, claimEndsAt, now } = found;
  const known = { fingerprint, pinned, token, expiresAt };
  if (answer !== null) return { ...known, state: 'done', answer };
  if (claimEndsAt !== null && claimEndsAt > now) return { ...known, state: 'claimed', claimEndsAt };
  return { ...known, state: 'unknown' };
}

const TIME_LAST = TIME.replace('$1', '$3');

const PRESENT = `
  SELECT ${KEY_COLUMNS}, ${TIME_LAST} AS now FROM keys
  WHERE scope = $1 AND key = $2 AND expires_at > ${TIME_LAST}`;

const CLAIM = `
  INSERT INTO keys AS held
    (scope, key, fingerprint, pinned, token, state, claim_ends_at, expires_at)
  VALUES ($2, $3, $4, $5, $6, 'claimed', ${TIME} + $8::bigint, ${TIME} + $9::bigint)
  ON CONFLICT (scope, key) DO UPDATE SET
    fingerprint = excluded.fingerprint, pinned = excluded.pinned, token = excluded.token,
    state = 'claimed', claim_ends_at = excluded.claim_ends_at, answer = NULL,
    expires_at = excluded.expires_at
  WHERE held.expires_at <= ${TIME}
    OR (held.token = $7 AND held.state <> 'done' AND coalesce(held.claim_ends_at, 0) <= ${TIME})`;

const HELD = `scope = $2 AND key = $3 AND token = $4 AND state = 'claimed' AND expires_at > ${TIME}`;

const EXTEND = `
  UPDATE keys
  SET claim_ends_at = ${TIME} + $5::bigint,
      expires_at = greatest(expires_at, ${TIME} + $5::bigint)
  WHERE ${HELD}`;

const SETTLE = `
  UPDATE keys
  SET state = $5, answer = $6, claim_ends_at = NULL, expires_at = ${TIME} + $7::bigint
  WHERE ${HELD}`;

const FREE = `DELETE FROM keys WHERE ${HELD}`;

const PRUNE = `
  DELETE FROM keys USING (
    SELECT scope, key FROM keys WHERE expires_at <= ${TIME}
    ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
  WHERE keys.scope = old.scope AND keys.key = old.key`;

const PRUNE_SPENT = `
  DELETE FROM spent USING (
    SELECT name FROM spent WHERE ends_at <= ${TIME}
    ORDER BY ends_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
  WHERE spent.name = old.name`;
