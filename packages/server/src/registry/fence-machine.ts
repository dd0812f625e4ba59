// Design. An instance whose probes are not answered while its heartbeats come is there and cannot be
// reached: it hangs, or the way to it is broken, or our own sight is. It is fenced: a lease under which nothing
// is sent to it while anybody else is there. As every lease it has an epoch, an end, and a holder who
// may be wrong, so it is bounded: few at once, nobody to whom calls get through, and each one of the
// same instance twice as long as the one before. It ends by itself; nobody needs to be alive for that.
//
// All fences of a tenant are one document, which one writer at a time puts after the version that he
// read. So the bounds hold over all gateways, and the version is the epoch.

/** One fence of one process at one address. */
export interface Fence {
  agent: string;
  instance: string;
  /** Of the address: who comes at another, or as another process, is another. */
  addr: number;
  /** The version of the document with which it began. */
  epoch: number;
  /** From when to when it holds, epoch ms. */
  from: number;
  until: number;
  reason: string;
  /** When it was taken off; absent: it holds, or has lapsed. */
  liftedAt?: number;
}

/** All fences of a tenant, those of the last ten minutes that have ended too: they count. */
export interface FenceDoc {
  fences: readonly Fence[];
}

export const NO_FENCES: FenceDoc = { fences: [] };

/** The bounds that operators set. */
export interface FenceLimits {
  /** The first of an instance; each further one in ten minutes is twice as long. */
  leaseMs: number;
  leaseMaxMs: number;
  /** A call that got through so lately speaks against a fence. */
  vetoMs: number;
  /** How many of those who offer one capability may be fenced at once. */
  part: number;
}

/** Whose fence. */
export type Fenced = Pick<Fence, 'agent' | 'instance' | 'addr'>;

/** All that is known of an instance when it is looked at whether to fence it. */
export interface FenceFacts {
  who: Fenced;
  now: number;
  /** Probes lost in a row, and passed in a row. One of both is 0. */
  lost: number;
  passed: number;
  /** What the last lost one found. */
  failure: string;
  /** It was refused, or answered: then it is no question whether the way is broken. */
  isDefinite: boolean;
  /** How long ago it beat, and how often it does; 0: it does not beat. */
  beatAgoMs: number;
  beatEveryMs: number;
  /** How long ago a call got through, at any gateway; undefined: none did. */
  calledAgoMs: number | undefined;
  /** Who offers each of its capabilities, `agent/instance`, itself among them. */
  rooms: readonly { capability: string; members: ReadonlySet<string> }[];
  /** Instances of the tenant that are probed. */
  fleet: number;
  /** 0 to 1, for the spread of the length. */
  draw: number;
}

/** What is to be done with it. `spare`: it would be fenced, but for the reason. */
export type FenceMove =
  | { is: 'nothing' }
  | { is: 'fence'; fence: Fence }
  | { is: 'spare'; reason: string; isBound: boolean }
  | { is: 'lift'; fence: Fence };

const LOST_MIN = 2;
const PASSED_MIN = 2;
/** A beat is fresh for so many of its intervals. */
const FRESH_BEATS = 1.5;
/** Whoever fenced it has so long after the end to lift or to renew; then it lapses. */
export const GRACE_MS = 10_000;
/** How long an earlier fence counts. */
const MEMORY_MS = 600_000;
/** Those that begin together do not end together: U(0.9, 1.1). */
const SPREAD = 0.1;
/** Of the whole tenant no more than this part is fenced in so long, or so few. */
const PACE = { part: 0.2, ms: 30_000, few: 3 };

/** Whether a fence holds. */
export function holds({ liftedAt, until }: Fence, now: number): boolean {
  return liftedAt === undefined && now < until + GRACE_MS;
}

/** The fence that holds for one; undefined: none does. */
export function fenceOf(doc: FenceDoc, who: Fenced, now: number): Fence | undefined {
  return doc.fences.find((fence) => isOf(fence, who) && holds(fence, now));
}

/** How many of an instance began in the last ten minutes, whatever its address was. */
export function timesOf({ fences }: FenceDoc, who: Omit<Fenced, 'addr'>, now: number): number {
  return fences.filter((fence) => isOfName(fence, who) && fence.from > now - MEMORY_MS).length;
}

/** Whether it beats while its probes are lost. */
export function isBeating({
  beatAgoMs,
  beatEveryMs,
}: Pick<FenceFacts, 'beatAgoMs' | 'beatEveryMs'>): boolean {
  return beatAgoMs < FRESH_BEATS * beatEveryMs;
}

/** What is to be done with an instance, by the document as it stands. `epoch`: of what is put next. */
export function moveOf(
  doc: FenceDoc,
  facts: FenceFacts,
  limits: FenceLimits,
  epoch: number,
): FenceMove {
  const { who, now, lost, passed } = facts;
  const present = fenceOf(doc, who, now);
  if (present !== undefined && now < present.until) return { is: 'nothing' };
  if (present !== undefined && passed >= PASSED_MIN) return { is: 'lift', fence: present };
  if (lost < LOST_MIN || facts.isDefinite || !isBeating(facts)) return { is: 'nothing' };
  const spared = whySpared(doc, facts, limits);
  // What holds and may not be renewed lapses by itself.
  if (spared !== undefined) return present === undefined ? spared : { is: 'nothing' };
  const times = timesOf(doc, who, now);
  const lengthMs = Math.min(limits.leaseMaxMs, limits.leaseMs * 2 ** times);
  const spreadMs = Math.round(lengthMs * (1 - SPREAD + 2 * SPREAD * facts.draw));
  const reason = `it beats, but ${lost} probes in a row were lost: ${facts.failure}`;
  return {
    is: 'fence',
    fence: { ...who, epoch, from: now, until: now + spreadMs, reason: reason.slice(0, REASON_MAX) },
  };
}

/** The document after a move. What nobody counts any more is left out. */
export function afterMove(doc: FenceDoc, move: FenceMove, now: number): FenceDoc {
  const kept = doc.fences.filter((one) => one.from > now - MEMORY_MS || holds(one, now));
  if (move.is === 'lift') {
    return { fences: kept.map((one) => (one === move.fence ? { ...one, liftedAt: now } : one)) };
  }
  if (move.is !== 'fence') return { fences: kept };
  // A renewal ends what it renews.
  const ended = kept.map((one) =>
    isOf(one, move.fence) && holds(one, now) ? { ...one, liftedAt: now } : one,
  );
  return { fences: [...ended, move.fence] };
}

const REASON_MAX = 512;

function whySpared(
  { fences }: FenceDoc,
  { who, now, calledAgoMs, rooms, fleet }: FenceFacts,
  limits: FenceLimits,
): Extract<FenceMove, { is: 'spare' }> | undefined {
  if (calledAgoMs !== undefined && calledAgoMs < limits.vetoMs) {
    const ago = Math.round(calledAgoMs / 100) / 10;
    return spare(`probes are lost, but a call got through ${ago} s ago`, false);
  }
  const others = fences.filter((fence) => !isOfName(fence, who) && holds(fence, now));
  for (const { capability, members } of rooms) {
    const taken = others.filter((one) => members.has(nameOf(one))).length;
    const most = Math.max(1, Math.floor(limits.part * members.size));
    if (taken + 1 > most) {
      const whole = `${taken} of ${members.size} that offer ${capability} are fenced`;
      return spare(`probes are lost, but ${whole}, the most that may be at once`, true);
    }
  }
  const begun = others.filter((one) => one.from > now - PACE.ms).length;
  if (begun + 1 > Math.max(PACE.few, Math.floor(PACE.part * fleet))) {
    return spare(`probes are lost, but ${begun} were fenced within ${PACE.ms / 1_000} s`, true);
  }
  return undefined;
}

function spare(reason: string, isBound: boolean) {
  return { is: 'spare', reason, isBound } as const;
}

/** The name of an instance among all of its tenant. */
export function nameOf({ agent, instance }: Omit<Fenced, 'addr'>): string {
  return `${agent}/${instance}`;
}

function isOfName(fence: Fence, who: Omit<Fenced, 'addr'>): boolean {
  return fence.agent === who.agent && fence.instance === who.instance;
}

function isOf(fence: Fence, who: Fenced): boolean {
  return isOfName(fence, who) && fence.addr === who.addr;
}
