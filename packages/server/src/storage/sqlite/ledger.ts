import type { KeyName, KeyRecord, LedgerStore } from '../spi/ledger.ts';
import { pruneBudgets } from './budgets.ts';
import type { Database } from './database.ts';
import type { Operation } from './operation.ts';

/**
 * The key machine. A claim that lapsed is not rewritten: it *reads* as `unknown`, so that a look
 * costs no write, and its holder, if it comes back late and nobody took over, may still settle.
 *
 *     (absent) ──claim──▶ claimed ──settle done────▶ done ─────┐
 *         ▲                 │ │ └───settle unknown─▶ unknown ──┤ expires
 *         └──settle free────┘ └─lapses─▶ reads as unknown      ▼
 *                                              │            (absent)
 *                                              └─claim over─▶ claimed, another token
 */
export const lookup: Operation<LedgerStore['lookup']> = (db, query) => present(db, query);

export const claim: Operation<LedgerStore['claim']> = (db, move) => {
  const record = present(db, move);
  const free = record === undefined || (record.state === 'unknown' && record.token === move.over);
  if (!free) return { outcome: 'held', record };
  const { scope, key, fingerprint, pinned, token, claimMs, ttlMs, now } = move;
  const expiresAt = now + Math.max(ttlMs, claimMs);
  db.write(CLAIM, scope, key, fingerprint, pinned, token, now + claimMs, expiresAt);
  return { outcome: 'claimed' };
};

/**
 * Keeps a first verdict that came with its request, as with a task that was accepted: there is
 * nothing to claim. It does not expire until `forgetKey` says when.
 */
export function keepKey(
  db: Database,
  record: KeyName & { fingerprint: string; pinned: string; token: string; answer: string },
): void {
  db.run(KEEP, { ...record, expiresAt: Number.MAX_SAFE_INTEGER });
}

/** Lets a kept key expire at `until`. */
export function forgetKey(db: Database, name: KeyName & { until: number }): void {
  db.run('UPDATE keys SET expires_at = :until WHERE scope = :scope AND key = :key', name);
}

export const extend: Operation<LedgerStore['extend']> = (db, move) => db.run(EXTEND, move) === 1;

export const settle: Operation<LedgerStore['settle']> = (db, move) => {
  const { verdict } = move;
  switch (verdict.state) {
    case 'free':
      return db.run(FREE, move) === 1;
    case 'done':
      return db.run(SETTLE, { ...move, state: 'done', answer: verdict.answer }) === 1;
    case 'unknown':
      return db.run(SETTLE, { ...move, state: 'unknown', answer: null }) === 1;
  }
};

export const pruneKeys: Operation<LedgerStore['prune']> = (db, move) => {
  pruneBudgets(db, move);
  return db.run(PRUNE, move);
};

/**
 * Gives up every claim. For a process that holds the file alone and has only just opened it:
 * whoever made these claims is dead, and nobody shall wait for their time to run out.
 */
export function orphanClaims(db: Database): number {
  return db.run("UPDATE keys SET state = 'unknown', claim_ends_at = NULL WHERE state = 'claimed'");
}

const PRESENT = `
  SELECT fingerprint, pinned, token, state, claim_ends_at AS claimEndsAt, answer,
         expires_at AS expiresAt
  FROM keys
  WHERE scope = ? AND key = ? AND expires_at > ?`;

const CLAIM = `
  INSERT OR REPLACE INTO keys
    (scope, key, fingerprint, pinned, token, state, claim_ends_at, expires_at)
  VALUES (?, ?, ?, ?, ?, 'claimed', ?, ?)`;

const KEEP = `
  INSERT OR REPLACE INTO keys (scope, key, fingerprint, pinned, token, state, answer, expires_at)
  VALUES (:scope, :key, :fingerprint, :pinned, :token, 'done', :answer, :expiresAt)`;

const HELD = `
  scope = :scope AND key = :key AND token = :token AND state = 'claimed' AND expires_at > :now`;

const EXTEND = `
  UPDATE keys
  SET claim_ends_at = :now + :claimMs, expires_at = max(expires_at, :now + :claimMs)
  WHERE ${HELD}`;

const SETTLE = `
  UPDATE keys
  SET state = :state, answer = :answer, claim_ends_at = NULL, expires_at = :now + :ttlMs
  WHERE ${HELD}`;

const FREE = `DELETE FROM keys WHERE ${HELD}`;

const PRUNE = `
  DELETE FROM keys WHERE rowid IN (
    SELECT rowid FROM keys WHERE expires_at <= :now ORDER BY expires_at LIMIT :limit)`;

interface Row {
  fingerprint: string;
  pinned: string;
  token: string;
  state: KeyRecord['state'];
  claimEndsAt: number | null;
  answer: string | null;
  expiresAt: number;
}

/** What is known of a key at a moment. */
export function present(db: Database, query: KeyName & { now: number }): KeyRecord | undefined {
  const row = db.first<Row>(PRESENT, query.scope, query.key, query.now);
  if (row === undefined) return undefined;
  const { fingerprint, pinned, token, expiresAt } = row;
  const known = { fingerprint, pinned, token, expiresAt };
  if (row.answer !== null) return { ...known, state: 'done', answer: row.answer };
  if (row.claimEndsAt !== null && row.claimEndsAt > query.now) {
    return { ...known, state: 'claimed', claimEndsAt: row.claimEndsAt };
  }
  return { ...known, state: 'unknown' };
}
