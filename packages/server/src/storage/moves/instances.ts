import type { AgentsStore, InstanceRow } from '../spi/agents.ts';

/** What an operator wants of an agent as a whole; null where he said nothing. */
export interface OperatorsWish {
  intent: InstanceRow['intent'] | null;
  reason: string | null;
}

/** The row of an instance that has just joined. */
export function seated(
  move: Omit<Parameters<AgentsStore['join']>[0], 'now'> & { now: number },
  before: InstanceRow | undefined,
  seat: { addrVersion: number; sameProcess: boolean; wish: OperatorsWish },
): InstanceRow {
  const { tenant, agentId, instance, now } = move;
  // A process that counts its beats goes on counting; one without a boot id may have restarted.
  const counts = seat.sameProcess && instance.bootId !== undefined;
  return {
    tenant,
    agentId,
    ...instance,
    addrVersion: seat.addrVersion,
    ...intentOf(before, seat.wish),
    leaseEndsAt: now + instance.leaseMs,
    lastHeartbeatAt: now,
    seq: counts && before !== undefined ? before.seq : NO_BEAT,
    reported: {},
  };
}

/** An operator's word on the instance, else his word on the agent, else the agent has just come. */
function intentOf(before: InstanceRow | undefined, wish: OperatorsWish) {
  if (before?.intentBy === 'operator') {
    const { intent, intentBy, intentReason } = before;
    return { intent, intentBy, ...(intentReason === undefined ? {} : { intentReason }) };
  }
  if (wish.intent === null) return { intent: 'enabled', intentBy: 'agent' } as const;
  const reason = wish.reason === null ? {} : { intentReason: wish.reason };
  return { intent: wish.intent, intentBy: 'operator', ...reason } as const;
}

/** Below every count, so that a process whose first beat is number 0 is heard. */
const NO_BEAT = -1;

/** Whether a beat is not that of the process that holds the seat, or an older one of it. */
export function isStaleBeat(before: InstanceRow, beat: { bootId?: string; seq?: number }): boolean {
  const { bootId, seq } = beat;
  // Who leaves out its boot id or its count cannot be told from the present holder.
  const otherBoot = bootId !== undefined && before.bootId !== undefined && bootId !== before.bootId;
  return otherBoot || (seq !== undefined && seq <= before.seq);
}

/** A row after a beat that counts. */
export function renewed(
  before: InstanceRow,
  move: Pick<InstanceRow, 'leaseMs' | 'reported'> & { seq?: number; now: number },
): InstanceRow {
  return {
    ...before,
    seq: move.seq ?? before.seq,
    reported: move.reported,
    leaseMs: move.leaseMs,
    leaseEndsAt: move.now + move.leaseMs,
    lastHeartbeatAt: move.now,
  };
}

/** A row as an engine keeps it: maps are JSON text, what is absent is null. */
export type StoredInstance = Omit<
  InstanceRow,
  'tags' | 'reported' | 'bootId' | 'baseUrl' | 'intentReason'
> & {
  tags: string;
  reported: string;
  bootId: string | null;
  baseUrl: string | null;
  intentReason: string | null;
};

/** A row to be kept. */
export function storedInstance(row: InstanceRow): StoredInstance {
  return {
    ...row,
    bootId: row.bootId ?? null,
    baseUrl: row.baseUrl ?? null,
    intentReason: row.intentReason ?? null,
    tags: JSON.stringify(row.tags),
    reported: JSON.stringify(row.reported),
  };
}

/** A row that was kept. */
export function toInstance(row: StoredInstance): InstanceRow {
  const { bootId, baseUrl, intentReason, tags, reported, ...rest } = row;
  return {
    ...rest,
    ...(bootId === null ? {} : { bootId }),
    ...(baseUrl === null ? {} : { baseUrl }),
    ...(intentReason === null ? {} : { intentReason }),
    tags: JSON.parse(tags) as InstanceRow['tags'],
    reported: JSON.parse(reported) as InstanceRow['reported'],
  };
}
