import { demandOpening, judgeConsume, mayDecide } from '../moves/confirmation.ts';
import type { Confirmation, ConfirmationName } from '../spi/confirmations.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import type { Database } from './database.ts';
import type { Operation } from './operation.ts';

export const openConfirmation: Operation<LedgerStore['openConfirmation']> = (db, move) => {
  demandOpening(move);
  const { tenant, principal, pendingMax, now } = move;
  const open = db.get<{ n: number }>(COUNT_OPEN, { tenant, principal, now })?.n ?? 0;
  if (open >= pendingMax) return 'full';
  const { id, digest, codeHash, about, ttlMs, keepMs } = move;
  db.run(OPEN, {
    tenant,
    id,
    principal,
    digest,
    codeHash: codeHash ?? null,
    about,
    now,
    expiresAt: now + ttlMs,
    forgetAt: now + ttlMs + keepMs,
  });
  return 'opened';
};

export const findConfirmation: Operation<LedgerStore['findConfirmation']> = (db, query) => {
  const row = rowOf(db, query);
  return row && { row, leftMs: Math.max(0, row.expiresAt - query.now) };
};

export const decideConfirmation: Operation<LedgerStore['decideConfirmation']> = (db, move) => {
  const row = rowOf(db, move);
  if (row === undefined) return 'unknown';
  const { tenant, id, verdict, decision, now } = move;
  if (!mayDecide(row, verdict, now)) return 'late';
  db.run(DECIDE, { tenant, id, verdict, decision });
  return 'decided';
};

export const consumeConfirmation: Operation<LedgerStore['consumeConfirmation']> = (db, move) => {
  const row = rowOf(db, move);
  if (row === undefined) return 'unknown';
  const { outcome, next } = judgeConsume(row, move, move.now);
  const { tenant, id } = move;
  if (next !== undefined) db.run(MOVE, { tenant, id, ...next });
  return outcome;
};

export const listConfirmations: Operation<LedgerStore['listConfirmations']> = (db, query) => {
  const { tenant, principal, limit, now } = query;
  return db
    .all<Row>(LIST, { tenant, principal: principal ?? null, limit, now })
    .map(confirmationOf);
};

export const pruneConfirmations: Operation<LedgerStore['pruneConfirmations']> = (db, move) =>
  db.run(PRUNE, move);

type Row = Omit<Confirmation, 'codeHash' | 'decision'> & {
  codeHash: string | null;
  decision: string | null;
};

function rowOf(db: Database, { tenant, id }: ConfirmationName): Confirmation | undefined {
  const row = db.get<Row>(FIND, { tenant, id });
  return row && confirmationOf(row);
}

function confirmationOf({ codeHash, decision, ...row }: Row): Confirmation {
  return {
    ...row,
    ...(codeHash === null ? {} : { codeHash }),
    ...(decision === null ? {} : { decision }),
  };
}

const COLUMNS = `
  tenant, id, principal, digest, code_hash AS codeHash, about, state, tries, decision,
  created_at AS createdAt, expires_at AS expiresAt`;

const OPEN_NOW = "state IN ('pending', 'approved') AND expires_at > :now";

const COUNT_OPEN = `
  SELECT count(*) AS n FROM confirmations
  WHERE tenant = :tenant AND principal = :principal AND ${OPEN_NOW}`;

const OPEN = `
  INSERT INTO confirmations
    (tenant, id, principal, digest, code_hash, about, state, tries, created_at, expires_at, forget_at)
  VALUES (:tenant, :id, :principal, :digest, :codeHash, :about, 'pending', 0, :now, :expiresAt,
          :forgetAt)`;

const FIND = `SELECT ${COLUMNS} FROM confirmations WHERE tenant = :tenant AND id = :id`;

const DECIDE = `
  UPDATE confirmations SET state = :verdict, decision = :decision
  WHERE tenant = :tenant AND id = :id`;

const MOVE = `
  UPDATE confirmations SET state = :state, tries = :tries WHERE tenant = :tenant AND id = :id`;

const LIST = `
  SELECT ${COLUMNS} FROM confirmations
  WHERE tenant = :tenant AND (:principal IS NULL OR principal = :principal) AND ${OPEN_NOW}
  ORDER BY created_at, id LIMIT :limit`;

const PRUNE = `
  DELETE FROM confirmations WHERE rowid IN (
    SELECT rowid FROM confirmations WHERE forget_at <= :now ORDER BY forget_at LIMIT :limit)`;

/** One step of the schema. */
export const CONFIRMATIONS_SCHEMA = `
  CREATE TABLE confirmations (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    principal TEXT NOT NULL,
    digest TEXT NOT NULL,
    code_hash TEXT,
    about TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused', 'used', 'dead')),
    tries INTEGER NOT NULL,
    decision TEXT,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    forget_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
  ) STRICT;
  CREATE INDEX confirmations_open ON confirmations (tenant, principal, expires_at)
    WHERE state IN ('pending', 'approved');
  CREATE INDEX confirmations_by_end ON confirmations (forget_at);
`;
