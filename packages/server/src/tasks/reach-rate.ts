/** How many deliveries brought a receipt, of about the last thousand. */
export interface ReachRate {
  receipts: number;
  misses: number;
  /** It fell under the alarm, and has not got well again. */
  isLow: boolean;
}

export const UNREACHED: ReachRate = { receipts: 0, misses: 0, isLow: false };

/** Beyond so many the older half counts half: what was is forgotten little by little. */
const WINDOW = 1_000;
/** Fewer deliveries say nothing. */
const SAMPLE_MIN = 100;
const LOW = 0.99;
/** An alarm is over a little above where it began, so that one delivery more does not tell it twice. */
const WELL = 0.995;

/** The rate after one more delivery ended, with or without a receipt. */
export function noteReach(before: ReachRate, isReceipt: boolean): ReachRate {
  const share = before.receipts + before.misses >= WINDOW ? 0.5 : 1;
  const receipts = before.receipts * share + (isReceipt ? 1 : 0);
  const misses = before.misses * share + (isReceipt ? 0 : 1);
  const sample = receipts + misses;
  const rate = receipts / sample;
  const isLow = before.isLow ? rate < WELL : sample >= SAMPLE_MIN && rate < LOW;
  return { receipts, misses, isLow };
}

/** Receipts ÷ deliveries, 0 to 1; undefined before the first. */
export function reachRate({ receipts, misses }: ReachRate): number | undefined {
  const sample = receipts + misses;
  return sample === 0 ? undefined : receipts / sample;
}
