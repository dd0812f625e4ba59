import { answerOf } from '../moves/gcra.ts';
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

/**
 * Keeps a pace in the same table: `total` is when the next one is expected (moves/gcra.ts),
 * microseconds. Who is refused changes nothing but the note of it.
 */
export const pace: Operation<LedgerStore['pace']> = async (tx, move) => {
  const { name, everyUs, burst, now } = move;
  const paced = tx.writeRows<{ granted: boolean; ahead: number }>(PACE, [
    timeOf(now),
    name,
    everyUs,
    (burst - 1) * everyUs,
  ]);
  await tx.commit();
  const [outcome] = await paced;
  if (outcome === undefined) throw new Error(`the pace of ${name} was not answered`);
  return answerOf(outcome.granted, Math.max(0, outcome.ahead), move);
};

const NOW_US = `(${TIME} * 1000)`;
const FITS = `greatest(count.total, ${NOW_US}) - ${NOW_US} <= $4::bigint`;
const NEXT = `CASE WHEN ${FITS} THEN greatest(count.total, ${NOW_US}) + $3::bigint ELSE count.total END`;

const PACE = `
  INSERT INTO spent AS count (name, granted, total, ends_at)
  VALUES ($2, true, ${NOW_US} + $3::bigint, (${NOW_US} + $3::bigint + 999) / 1000)
  ON CONFLICT (name) DO UPDATE SET
    granted = ${FITS},
    total = ${NEXT},
    ends_at = (${NEXT} + 999) / 1000
  RETURNING granted, total - ${NOW_US} AS ahead`;
