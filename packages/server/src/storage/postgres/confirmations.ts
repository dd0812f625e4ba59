import { demandOpening, judgeConsume, mayDecide } from '../moves/confirmation.ts';
import type { Confirmation } from '../spi/confirmations.ts';
import type { LedgerStore } from '../spi/ledger.ts';
import type { Operation } from './operation.ts';

export const openConfirmation: Operation<LedgerStore['openConfirmation']> = async (tx, move) => {
  demandOpening(move);
  const { tenant, id, principal, digest, codeHash, about, ttlMs, keepMs, pendingMax } = move;
  // Two of one principal wait for each other, or both would find room for one.
  tx.put(ONE_BY_ONE, [JSON.stringify([tenant, principal])]);
  const now = await tx.clock(move.now);
  const [found] = await tx.rows<{ open: number }>(COUNT_OPEN, [tenant, principal, now]);
  if ((found?.open ?? 0) >= pendingMax) return 'full';
  const expiresAt = now + ttlMs;
  const ends = [now, expiresAt, expiresAt + keepMs];
  tx.put(OPEN, [tenant, id, principal, digest, codeHash ?? null, about, ...ends]);
  return 'opened';
};

export const findConfirmation: Operation<LedgerStore['findConfirmation']> = async (tx, query) => {
  const [[found], now] = await Promise.all([
    tx.rows<Row>(FIND, [query.tenant, query.id]),
    tx.clock(query.now),
  ]);
  if (found === undefined) return undefined;
  const row = confirmationOf(found);
  return { row, leftMs: Math.max(0, row.expiresAt - now) };
};

export const decideConfirmation: Operation<LedgerStore['decideConfirmation']> = async (
  tx,
  { tenant, id, verdict, decision, now: given },
) => {
  const [[found], now] = await Promise.all([tx.rows<Row>(LOCK, [tenant, id]), tx.clock(given)]);
  if (found === undefined) return 'unknown';
  if (!mayDecide(confirmationOf(found), verdict, now)) return 'late';
  tx.put(DECIDE, [tenant, id, verdict, decision]);
  return 'decided';
};

export const consumeConfirmation: Operation<LedgerStore['consumeConfirmation']> = async (
  tx,
  move,
) => {
  const { tenant, id } = move;
  // The lock first: what a try finds after it has waited is what the one before left.
  const [[found], now] = await Promise.all([tx.rows<Row>(LOCK, [tenant, id]), tx.clock(move.now)]);
  if (found === undefined) return 'unknown';
  const { outcome, next } = judgeConsume(confirmationOf(found), move, now);
  if (next !== undefined) tx.put(MOVE, [tenant, id, next.state, next.tries]);
  return outcome;
};

export const listConfirmations: Operation<LedgerStore['listConfirmations']> = async (
  tx,
  { tenant, principal, limit, now: given },
) => {
  const now = await tx.clock(given);
  const rows = await tx.rows<Row>(LIST, [tenant, principal ?? null, now, limit]);
  return rows.map(confirmationOf);
};

export const pruneConfirmations: Operation<LedgerStore['pruneConfirmations']> = async (
  tx,
  { limit, now },
) => tx.write(PRUNE, [await tx.clock(now), limit]);

type Row = Omit<Confirmation, 'codeHash' | 'decision'> & {
  codeHash: string | null;
  decision: string | null;
};

function confirmationOf({ codeHash, decision, ...row }: Row): Confirmation {
  return {
    ...row,
    ...(codeHash === null ? {} : { codeHash }),
    ...(decision === null ? {} : { decision }),
  };
}

const COLUMNS = `
  tenant, id, principal, digest, code_hash AS "codeHash", about, state, tries, decision,
  created_at AS "createdAt", expires_at AS "expiresAt"`;

const ONE_BY_ONE =
  "SELECT pg_advisory_xact_lock(hashtextextended('agent-reach confirmations ' || $1, 0))";

const COUNT_OPEN = `
  SELECT count(*)::bigint AS open FROM confirmations
  WHERE tenant = $1 AND principal = $2 AND state IN ('pending', 'approved') AND expires_at > $3`;

const OPEN = `
  INSERT INTO confirmations
    (tenant, id, principal, digest, code_hash, about, state, tries, created_at, expires_at, forget_at)
  VALUES ($1, $2, $3, $4, $5, $6, 'pending', 0, $7, $8, $9)`;

const FIND = `SELECT ${COLUMNS} FROM confirmations WHERE tenant = $1 AND id = $2`;

const LOCK = `${FIND} FOR UPDATE`;

const DECIDE = 'UPDATE confirmations SET state = $3, decision = $4 WHERE tenant = $1 AND id = $2';

const MOVE = 'UPDATE confirmations SET state = $3, tries = $4 WHERE tenant = $1 AND id = $2';

const LIST = `
  SELECT ${COLUMNS} FROM confirmations
  WHERE tenant = $1 AND ($2::text IS NULL OR principal = $2)
    AND state IN ('pending', 'approved') AND expires_at > $3
  ORDER BY created_at, id LIMIT $4`;

const PRUNE = `
  DELETE FROM confirmations USING (
    SELECT tenant, id FROM confirmations WHERE forget_at <= $1
    ORDER BY forget_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
  WHERE confirmations.tenant = old.tenant AND confirmations.id = old.id`;

/** One step of the schema. */
export const CONFIRMATIONS_SCHEMA = `
  CREATE TABLE confirmations (
    tenant word NOT NULL,
    id word NOT NULL,
    principal word NOT NULL,
    digest text NOT NULL,
    code_hash text,
    about text NOT NULL,
    state text NOT NULL,
    tries bigint NOT NULL,
    decision text,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    forget_at bigint NOT NULL,
    PRIMARY KEY (tenant, id)
  ) WITH (fillfactor = 80);
  CREATE INDEX confirmations_open ON confirmations (tenant, principal, expires_at)
    WHERE state IN ('pending', 'approved');
  CREATE INDEX confirmations_by_end ON confirmations (forget_at);
`;
