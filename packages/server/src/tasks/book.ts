import type { QueueCounts } from '../storage/spi/tasks.ts';
import { type Estimate, estimateOf, type Pace, paced } from './pace.ts';
import { noteReach, type ReachRate, UNREACHED } from './reach-rate.ts';
import {
  CALM,
  type Fill,
  type Level,
  type Mark,
  type Measure,
  remark,
  type Watermarks,
  worseOf,
} from './watermarks.ts';

/** The queue of an agent, or of a task type that nobody offers. */
export interface QueueName {
  tenant: string;
  agentId: string | undefined;
  taskType: string;
}

/** What is known of one queue. */
export interface QueueView {
  tenant: string;
  agentId: string | undefined;
  /** Of the unbound queue; of an agent's it says one of many. */
  taskType: string;
  /** blocked + queued + waiting: what `flowcontrol.max-pending` bounds. */
  pending: number;
  queued: number;
  /** delivered + running. */
  held: number;
  /** How long its runs take, whatever their type; undefined until one ended. */
  pace: Pace | undefined;
}

interface Entry extends QueueView {
  mark: Mark;
  /** What brought it to its level. */
  by: Measure;
  /** Since when its oldest queued task has been ready, as last read. */
  oldestAt: number | undefined;
  /** When it was last seen that nobody is there for it: who is away lets nobody wait by his pace. */
  awayAt: number | undefined;
  /** By task type. */
  paces: Map<string, Pace>;
  reach: ReachRate;
}

/** More types than an agent offers; what else comes by over the years is measured as a whole. */
const TYPES_MAX = 256;
/** More agents than a tenant has: beyond it, what is known of idle queues is forgotten. */
const ENTRIES_MAX = 10_000;
/** Where nothing was measured yet. */
const GUESS: Pace = { runs: 0, meanMs: 1_000, variance: 0 };
const RETRY_AFTER_MIN_MS = 1_000;
const RETRY_AFTER_MAX_MS = 60_000;
const RETRY_SPREAD = 0.2;
/** A full queue is worth another try once it has shrunk to this share. */
const RESUME = 0.9;

/**
 * What this gateway knows of the queues: their figures as last read, moved along by its own moves,
 * and how long runs take. It chooses, estimates and warns by it; the bounds themselves are kept by
 * the store. One entry a queue, forgotten when the queue is empty at a reading.
 */
export class QueueBook {
  readonly #entries = new Map<string, Entry>();
  /** Of these the unbound ones: few, and asked for whenever an agent comes. */
  readonly #unbound = new Set<Entry>();

  of(name: QueueName): QueueView {
    return this.#entries.get(keyOf(name)) ?? { ...name, ...EMPTY };
  }

  /** Every queue that had a task when last read, or got one since. */
  all(): QueueView[] {
    return [...this.#entries.values()];
  }

  /** What waits for each agent, by `tenant/agent`, for the board. */
  waiting(): Map<string, number> {
    const waiting = new Map<string, number>();
    for (const { tenant, agentId, pending } of this.#entries.values()) {
      if (agentId !== undefined && pending > 0) waiting.set(`${tenant}/${agentId}`, pending);
    }
    return waiting;
  }

  /** Queues of a tenant that hold tasks which nobody offered to do. */
  unbound(tenant: string): QueueView[] {
    return [...this.#unbound].filter((queue) => queue.tenant === tenant && queue.pending > 0);
  }

  /** Takes in what the store says of all queues. */
  read(counts: readonly QueueCounts[]): void {
    for (const entry of this.#entries.values()) Object.assign(entry, NOTHING);
    for (const row of counts) {
      const entry = this.#entry({ taskType: '', agentId: undefined, ...row });
      entry.pending += row.blocked + row.queued + row.waiting;
      entry.queued += row.queued;
      entry.held += row.delivered + row.running;
      const { oldestAt = row.oldestAt } = entry;
      entry.oldestAt = oldestAt && Math.min(oldestAt, row.oldestAt ?? oldestAt);
    }
    for (const [key, entry] of this.#entries) {
      const isIdle = entry.pending === 0 && entry.held === 0 && entry.mark.level === 'calm';
      const isMeasured = entry.pace !== undefined || entry.reach !== UNREACHED;
      const isKnown = isMeasured && this.#entries.size <= ENTRIES_MAX;
      if (!isIdle || isKnown) continue;
      this.#entries.delete(key);
      this.#unbound.delete(entry);
    }
  }

  /** Moves the figures along, between two readings. */
  move(name: QueueName, by: { pending?: number; queued?: number; held?: number }): void {
    const entry = this.#entry(name);
    entry.pending = Math.max(0, entry.pending + (by.pending ?? 0));
    entry.queued = Math.max(0, entry.queued + (by.queued ?? 0));
    entry.held = Math.max(0, entry.held + (by.held ?? 0));
  }

  /** Notes how long a run took. */
  ran(name: QueueName, ms: number): void {
    const entry = this.#entry(name);
    const { paces } = entry;
    entry.pace = paced(entry.pace, ms);
    if (paces.has(name.taskType) || paces.size < TYPES_MAX) {
      paces.set(name.taskType, paced(paces.get(name.taskType), ms));
    }
  }

  /** How long runs of this type take in this queue; undefined until one ended. */
  paceOf(name: QueueName): Pace | undefined {
    return this.#entries.get(keyOf(name))?.paces.get(name.taskType);
  }

  /**
   * Notes whether a delivery out of this queue brought a receipt; the rate, when its alarm began or
   * ended by this.
   */
  reached(name: QueueName, isReceipt: boolean): ReachRate | undefined {
    const entry = this.#entry(name);
    const before = entry.reach;
    entry.reach = noteReach(before, isReceipt);
    return entry.reach.isLow === before.isLow ? undefined : entry.reach;
  }

  reachOf(name: QueueName): ReachRate {
    return this.#entries.get(keyOf(name))?.reach ?? UNREACHED;
  }

  /** The level of a queue when it was last looked at, and by which measure. */
  markOf(name: QueueName): { level: Level; by: Measure } {
    const { mark, by } = this.#entries.get(keyOf(name)) ?? { mark: CALM, by: 'depth' };
    return { level: mark.level, by };
  }

  /** Notes that nobody is there for a queue, as of `at`, by the clock that its times are of. */
  noteAway(name: QueueName, at: number): void {
    this.#entry(name).awayAt = at;
  }

  /** How long the oldest queued task has waited, not counting when nobody was there for it. */
  waitedMs(name: QueueName, at: number): number {
    const { oldestAt = at, awayAt = 0 } = this.#entries.get(keyOf(name)) ?? {};
    return Math.max(0, at - Math.max(oldestAt, awayAt));
  }

  /** The level of a queue after its fill was measured; `changed` when it is another one than before. */
  level(
    name: QueueName,
    fill: Fill,
    at: { now: number; marks: Watermarks },
  ): { level: Level; by: Measure; changed: boolean } {
    const entry = this.#entry(name);
    const before = entry.mark.level;
    const worse = worseOf(fill);
    entry.mark = remark(entry.mark, fill[worse], at.now, at.marks);
    // A level that is about to be left is that of what it was entered by.
    if (entry.mark.belowSince === undefined) entry.by = worse;
    return { level: entry.mark.level, by: entry.by, changed: entry.mark.level !== before };
  }

  #entry(name: QueueName): Entry {
    const key = keyOf(name);
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      const { tenant, agentId, taskType } = name;
      entry = {
        tenant,
        agentId,
        taskType,
        ...EMPTY,
        mark: CALM,
        by: 'depth',
        awayAt: undefined,
        paces: new Map(),
        reach: UNREACHED,
      };
      this.#entries.set(key, entry);
      if (agentId === undefined) this.#unbound.add(entry);
    }
    return entry;
  }
}

const NOTHING = { pending: 0, queued: 0, held: 0, oldestAt: undefined };
const EMPTY = { ...NOTHING, pace: undefined };

function keyOf({ tenant, agentId, taskType }: QueueName): string {
  return agentId === undefined ? `${tenant}/?/${taskType}` : `${tenant}/${agentId}`;
}

/**
 * When a task with `ahead` before it is likely delivered: those before it, in rounds of `slots` at
 * once, each as long as runs of this queue take. Undefined without anybody to run them.
 */
export function waitFor(queue: QueueView, ahead: number, slots: number): Estimate | undefined {
  if (slots <= 0) return undefined;
  const rounds = Math.max(0, ahead + queue.held + 1 - slots) / slots;
  return estimateOf(queue.pace ?? GUESS, rounds);
}

/**
 * When a submitter refused by a full queue may come again: once it has shrunk to nine tenths at
 * its present pace, 1 to 60 s, ± 20 % by `chance` (0 to 1) so that not all come back at once.
 */
export function retryAfterMs(
  queue: QueueView,
  pendingMax: number,
  load: { slots: number; chance: number },
): number {
  const surplus = Math.max(1, queue.pending - pendingMax * RESUME);
  const pace = (queue.pace ?? GUESS).meanMs / Math.max(1, load.slots);
  const bounded = Math.min(RETRY_AFTER_MAX_MS, Math.max(RETRY_AFTER_MIN_MS, surplus * pace));
  return Math.round(bounded * (1 - RETRY_SPREAD + 2 * RETRY_SPREAD * load.chance));
}
