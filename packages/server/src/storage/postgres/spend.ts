import type { LedgerStore } from '../spi/ledger.ts';
import { TIME, timeOf } from './ledger.ts';
import type { Operation } from './operation.ts';

/**
 * Counts in a table that is not logged: what all gateways count together must stand where all see
 * it, but need not survive a crash, so no commit of it waits for a disk. Who may not count is
 * written down, too (`granted`), for a statement cannot answer what it did not touch.
 */
export const spend: Operation<LedgerStore['spend']> = async (tx, move) => {
  const { name, amount, max, ttlMs, now } = move;
  const counted = tx.writeRows<{ granted: boolean; total: number }>(SPEND, [
    timeOf(now),
    name,
    amount,
    max,
    ttlMs,
  ]);
  await tx.commit();
  const [outcome] = await counted;
  if (outcome === undefined) throw new Error(`the count of ${name} was not answered`);
  return outcome;
};

/** What stood under the name, which is nothing once its time is over. */
const BEFORE = `CASE WHEN count.ends_at > ${TIME} THEN count.total ELSE 0 END`;

// A count begins with the first that fits: one that does not is over at once.
const SPEND = `
  INSERT INTO spent AS count (name, granted, total, ends_at)
  VALUES ($2, $3::bigint <= $4::bigint, CASE WHEN $3::bigint <= $4::bigint THEN $3::bigint ELSE 0 END,
          CASE WHEN $3::bigint <= $4::bigint THEN ${TIME} + $5::bigint ELSE ${TIME} END)
  ON CONFLICT (name) DO UPDATE SET
    granted = ${BEFORE} + $3::bigint <= $4::bigint,
    total = ${BEFORE} + CASE WHEN ${BEFORE} + $3::bigint <= $4::bigint THEN $3::bigint ELSE 0 END,
    ends_at = CASE
      WHEN count.ends_at > ${TIME} THEN count.ends_at
      WHEN $3::bigint <= $4::bigint THEN ${TIME} + $5::bigint
      ELSE ${TIME} END
  RETURNING granted, total`;
