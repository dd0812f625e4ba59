import type { MonotonicMs } from '@agent-reach/core/kernel';

/** What looks at an instance have shown, by this gateway and by others. */
export interface Sight {
  /** Probes that passed in a row. */
  passed: number;
  /** Since when probes are lost; undefined: the last one passed, or none was made. */
  losingSince: MonotonicMs | undefined;
  /**
   * The last loss leaves no doubt: it was refused, or answered by another, or answered that it is not
   * well. What is not answered at all may be lost on the way.
   */
  isDefinite: boolean;
  /** The last passed probe said which instance it is; undefined: none passed. */
  isVerified: boolean | undefined;
  /** It would be fenced, and is only called degraded, for this reason. */
  spared: string | undefined;
  /** What each gateway found last when it looked for itself, this one among them, by its id. */
  readonly found: Map<string, { passed: boolean; at: MonotonicMs }>;
  /** Whom this gateway asked to look, and when. */
  asked: { of: readonly string[]; at: MonotonicMs } | undefined;
  /** When a call got through at another gateway. */
  vouchedAt: MonotonicMs | undefined;
}

/** Of an instance at which nobody has looked. */
export function noSight(): Sight {
  return {
    passed: 0,
    losingSince: undefined,
    isDefinite: false,
    isVerified: undefined,
    spared: undefined,
    found: new Map(),
    asked: undefined,
    vouchedAt: undefined,
  };
}

/** How the looks of others stand to the losses of one gateway. */
export type Opinion =
  /** Another gateway reaches it: the fault is on the way from here. */
  | 'reached-elsewhere'
  /** Others have been asked, and may answer yet. */
  | 'open'
  /** Nobody says otherwise. */
  | 'agreed';

/**
 * What the others say. A look counts from when the losses began, and only as long as a look is
 * fresh; who was asked and says nothing in time says nothing.
 */
export function opinionOf(
  { found, losingSince, asked }: Sight,
  self: string,
  { now, freshMs, patienceMs }: { now: MonotonicMs; freshMs: number; patienceMs: number },
): Opinion {
  const since = Math.max(losingSince ?? now, now - freshMs);
  for (const [id, { passed, at }] of found) {
    if (id !== self && passed && at >= since) return 'reached-elsewhere';
  }
  if (asked === undefined || now - asked.at >= patienceMs) return 'agreed';
  const isAnswered = (id: string) => (found.get(id)?.at ?? -Infinity) >= asked.at;
  return asked.of.every(isAnswered) ? 'agreed' : 'open';
}

/** Whether anybody but `teller` reached it since his losses began. */
export function isContradicted(
  { found }: Sight,
  teller: string,
  { now, losingMs, freshMs }: { now: MonotonicMs; losingMs: number; freshMs: number },
): boolean {
  const since = now - Math.min(losingMs, freshMs);
  for (const [id, { passed, at }] of found) {
    if (id !== teller && passed && at >= since) return true;
  }
  return false;
}
