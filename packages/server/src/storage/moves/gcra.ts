/** How fast one may go: one each `everyUs`, and so many at once who has not gone for long. */
export interface Pace {
  /** Microseconds, whole. */
  everyUs: number;
  burst: number;
}

/** Whether one more may go, and what is left. */
export interface PaceAnswer {
  allowed: boolean;
  /** So many may follow at once. */
  remaining: number;
  /** Until one more may go; 0: it may. */
  retryMs: number;
  /** Until all of the burst is there again. */
  resetMs: number;
}

/**
 * The generic cell rate algorithm (ITU-T I.371): all that is remembered is `tat`, the theoretical
 * arrival time of the next one if all came in step, microseconds. Who is refused changes nothing.
 */
export function pace(
  tat: number,
  nowUs: number,
  { everyUs, burst }: Pace,
): { tat: number; answer: PaceAnswer } {
  const from = Math.max(tat, nowUs);
  const ahead = from - nowUs;
  const tolerance = (burst - 1) * everyUs;
  const allowed = ahead <= tolerance;
  const next = allowed ? from + everyUs : tat;
  return { tat: next, answer: answerOf(allowed, Math.max(0, next - nowUs), { everyUs, burst }) };
}

/** The answer by how far ahead of the time the next one is expected after the move, microseconds. */
export function answerOf(allowed: boolean, aheadUs: number, { everyUs, burst }: Pace): PaceAnswer {
  return {
    allowed,
    remaining: Math.max(0, Math.floor((burst * everyUs - aheadUs) / everyUs)),
    retryMs: allowed ? 0 : Math.ceil((aheadUs - (burst - 1) * everyUs) / 1_000),
    resetMs: Math.ceil(aheadUs / 1_000),
  };
}
