import type {
  Confirmation,
  ConfirmationMoves,
  ConfirmationState,
  ConsumeRefusal,
} from '../spi/confirmations.ts';
import { demandWhole } from '../spi/demand.ts';

/** Throws for what no confirmation can be opened with; before anything is written. */
export function demandOpening({ ttlMs, keepMs, pendingMax }: Opening): void {
  demandWhole('ttlMs', ttlMs, 0);
  demandWhole('keepMs', keepMs, 0);
  demandWhole('pendingMax', pendingMax, 0);
}

type Opening = Pick<
  Parameters<ConfirmationMoves['openConfirmation']>[0],
  'ttlMs' | 'keepMs' | 'pendingMax'
>;

/** What a try to use a confirmation presents. */
export interface Presented {
  principal: string;
  digest: string;
  codeHash?: string | undefined;
  triesMax: number;
}

/** What becomes of a try: the answer, and the row's new state and count where it changes. */
export interface Judged {
  outcome: 'consumed' | ConsumeRefusal;
  next?: { state: ConfirmationState; tries: number };
}

/**
 * Judges a try to use a confirmation at `now`. What it is for is looked at before who decided, so
 * that nobody learns of an approval that is not for him.
 */
export function judgeConsume(row: Confirmation, move: Presented, now: number): Judged {
  if (row.principal !== move.principal) return { outcome: 'unknown' };
  if (row.state === 'used' || row.state === 'refused' || row.state === 'dead') {
    return { outcome: row.state };
  }
  if (row.expiresAt <= now) return { outcome: 'expired' };
  if (row.digest !== move.digest || row.codeHash !== move.codeHash) {
    const tries = row.tries + 1;
    const isLast = tries >= move.triesMax;
    return { outcome: 'wrong', next: { state: isLast ? 'dead' : row.state, tries } };
  }
  if (row.codeHash === undefined && row.state !== 'approved') return { outcome: 'pending' };
  return { outcome: 'consumed', next: { state: 'used', tries: row.tries } };
}

/** Whether a verdict may still be given. A code speaks for itself: nobody can approve what has one. */
export function mayDecide(
  row: Confirmation,
  verdict: 'approved' | 'refused',
  now: number,
): boolean {
  if (row.expiresAt <= now) return false;
  if (verdict === 'approved') return row.state === 'pending' && row.codeHash === undefined;
  return row.state === 'pending' || row.state === 'approved';
}
