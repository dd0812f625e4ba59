import { TASK_CAUSES, TASK_STATES, type TaskState } from '@agent-reach/core';
import type { Random } from '@agent-reach/core/kernel';
import type {
  LeaseName,
  NewTask,
  Settlement,
  TaskName,
  TaskRow,
  TasksStore,
} from '../spi/tasks.ts';
import { NOON } from './driver.ts';

/** What a history asks of a store, as data. Pages are asked for by the task they go on from. */
export type Step = {
  [Act in keyof TasksStore]: { act: Act; move: Parameters<TasksStore[Act]>[0]; pageAfter?: string };
}[keyof TasksStore];

/**
 * Makes up the steps of one history. A small world, so that everything meets everything: few ids,
 * often used again, two agents, two chains, callers whose names sort otherwise by bytes than by
 * characters; short leases, and words of old leases more often than of present ones.
 */
export class Historian {
  readonly #random: Random;
  #now = NOON;
  /** Every lease that was ever given, the newest last. */
  readonly #leases: LeaseName[] = [];
  /** Where tasks stood when they were last spoken of. */
  readonly #seen = new Map<string, TaskName & { state: TaskState }>();
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): Step {
    this.#count += 1;
    // Often not at all: neighbours in one moment are where bounds are tried.
    if (this.#random.below(3) > 0) this.#now += this.#random.below(500);
    let draw = this.#random.below(WEIGHT);
    for (const [weight, make] of MAKERS) {
      draw -= weight;
      if (draw < 0) return make(this);
    }
    return { act: 'counts', move: {} };
  }

  /** Learns from an answer which leases were given, and where tasks stand. */
  learn({ act }: Step, answer: unknown): void {
    for (const row of rowsIn(answer)) {
      const { tenant, taskId, epoch, state } = row;
      this.#seen.set(`${tenant} ${taskId}`, { tenant, taskId, state });
      if (act === 'claim') this.#leases.push({ tenant, taskId, epoch });
    }
  }

  get now(): number {
    return this.#now;
  }

  /** A word that no other step has. */
  get word(): string {
    return `w${this.#count}`;
  }

  below(bound: number): number {
    return this.#random.below(bound);
  }

  /** True `percent` times of a hundred. */
  chance(percent: number): boolean {
    return this.#random.below(100) < percent;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.#random.below(items.length)] ?? items[0];
  }

  some<Item>(items: readonly Item[]): Item[] {
    return items.filter(() => this.chance(50));
  }

  /** Any task, or rather one that stands in one of these states. */
  name(...states: TaskState[]): TaskName {
    const fitting = [...this.#seen.values()].filter(({ state }) => states.includes(state));
    const { tenant, taskId } = fitting[this.below(fitting.length)] ?? {};
    if (tenant !== undefined && taskId !== undefined && this.chance(75)) return { tenant, taskId };
    return { tenant: this.chance(90) ? 'acme' : 'other', taskId: `t${this.below(IDS)}` };
  }

  /** Of the present or, as often, of the past; now and then one that nobody ever gave. */
  lease(): LeaseName {
    const back = this.chance(60) ? 3 : 30;
    const lease = this.#leases.at(-1 - this.below(Math.min(back, this.#leases.length || 1)));
    return lease === undefined || this.chance(4)
      ? { ...this.name(), epoch: this.below(4) }
      : { ...lease };
  }
}

/** Enough for queues, few enough that each is met again. */
const IDS = 16;

const MAKERS: readonly (readonly [weight: number, make: (h: Historian) => Step])[] = [
  [24, (h) => ({ act: 'submit', move: submission(h) })],
  [20, (h) => ({ act: 'claim', move: claim(h) })],
  [9, (h) => ({ act: 'ack', move: { ...h.lease(), leaseMs: 1 + h.below(3_000), now: h.now } })],
  [4, (h) => ({ act: 'extend', move: extension(h) })],
  [4, (h) => ({ act: 'progress', move: progress(h) })],
  [24, (h) => ({ act: 'settle', move: { ...h.lease(), settlement: settlement(h), now: h.now } })],
  [9, (h) => ({ act: 'expire', move: expiry(h) })],
  [7, (h) => ({ act: 'tick', move: { limit: 1 + h.below(6), now: h.now } })],
  [1, (h) => ({ act: 'grace', move: { leaseMs: 1 + h.below(3_000), now: h.now } })],
  [4, (h) => ({ act: 'bind', move: binding(h) })],
  [3, (h) => ({ act: 'cancel', move: { ...h.name(), tree: h.chance(60), ...said(h) } })],
  [2, (h) => ({ act: 'kill', move: killing(h) })],
  [3, (h) => ({ act: 'edit', move: edition(h) })],
  [2, (h) => ({ act: 'skip', move: { ...h.name('dead'), ...said(h) } })],
  [2, (h) => ({ act: 'hasten', move: haste(h) })],
  [4, (h) => ({ act: 'redrive', move: redrive(h) })],
  [2, (h) => ({ act: 'prune', move: pruning(h) })],
  [4, listing],
];
const WEIGHT = MAKERS.reduce((sum, [weight]) => sum + weight, 0);

function submission(h: Historian) {
  const size = h.chance(80) ? 1 : 1 + h.below(4);
  const tasks = Array.from({ length: size }, () => newTask(h));
  return { tasks, pendingMax: h.chance(85) ? 1_000 : h.below(5), reserve: h.below(3), now: h.now };
}

function newTask(h: Historian): NewTask {
  const name = h.name();
  return {
    ...name,
    taskType: h.pick(['query', 'write']),
    kind: h.chance(85) ? 'task' : h.pick(['call', 'event']),
    fingerprint: h.chance(90) ? `f-${name.taskId}` : h.word,
    principal: h.pick(PRINCIPALS),
    traceId: `trace-${h.below(4)}`,
    ...(h.chance(30) ? { parentId: `t${h.below(IDS)}` } : {}),
    ...place(h),
    priority: h.chance(60) ? h.pick([3, 4]) : h.below(11),
    ...(h.chance(50) ? { chain: h.pick(CHAINS) } : {}),
    ...(h.chance(50) ? { chainSeq: h.below(4) - 1 } : {}),
    ...(h.chance(50) ? { onDead: h.pick(['block', 'skip'] as const) } : {}),
    attemptsMax: 1 + h.below(3),
    selector: h.word,
    payload: h.word,
    ...(h.chance(25) ? { delayMs: h.below(h.chance(50) ? 900 : 9_000) } : {}),
    ...(h.chance(25) ? { deadlineMs: h.below(15_000) } : {}),
    ...(h.chance(15) ? { key: key(h) } : {}),
  };
}

/** By UTF-16 the last comes before the one before it, by bytes it comes after. */
export const PRINCIPALS = ['crm', 'shop', '～', '😀'] as const;
export const CHAINS = ['k1', 'k2'] as const;

function place(h: Historian) {
  return {
    ...(h.chance(88) ? { agentId: h.pick(['a', 'a', 'b']) } : {}),
    ...(h.chance(30) ? { group: h.pick(['v1', 'v2']) } : {}),
    ...(h.chance(25) ? { home: h.pick(['h1', 'h2']) } : {}),
    ...(h.chance(75)
      ? { effect: h.pick(['read', 'read', 'idempotent_write', 'write'] as const) }
      : {}),
  };
}

function key(h: Historian) {
  const { word } = h;
  return {
    scope: 'acme/shop',
    key: `key-${h.below(3)}`,
    fingerprint: word,
    pinned: word,
    answer: word,
    ttlMs: h.below(4_000),
  };
}

function claim(h: Historian) {
  return {
    tenant: h.chance(90) ? 'acme' : 'other',
    agentId: h.pick(['a', 'a', 'b']),
    ...(h.chance(25) ? { groups: h.some(['v1', 'v2']) } : {}),
    ...(h.chance(25) ? { taskTypes: h.some(['query', 'write']) } : {}),
    ...(h.chance(60) ? { homes: h.some(['h1', 'h2']) } : {}),
    holder: h.pick(['i-1', 'i-2']),
    limit: 1 + h.below(4),
    leaseMs: 1 + h.below(3_000),
    ...(h.chance(70)
      ? { fairness: { agingMs: 50 + h.below(200), agingEvery: 1 + h.below(3) } }
      : {}),
    now: h.now,
  };
}

function extension(h: Historian) {
  const leases = Array.from({ length: h.below(5) }, () => h.lease());
  return { leases, leaseMs: 1 + h.below(3_000), now: h.now };
}

function progress(h: Historian) {
  const note = h.chance(50) ? { note: h.word } : {};
  return { ...h.lease(), percent: h.below(101), ...note, leaseMs: 1 + h.below(3_000), now: h.now };
}

function settlement(h: Historian): Settlement {
  const result = h.chance(30) ? { result: h.word } : {};
  const draw = h.below(100);
  if (draw < 50) return { end: 'complete', result: h.word };
  if (draw < 70) {
    const wait = { delayMs: h.below(900), ...spent(h) };
    return { end: 'fail', retryable: true, reason: h.word, ...wait, ...result };
  }
  if (draw < 78) return { end: 'fail', retryable: false, reason: h.word, ...result };
  if (draw < 82) return { end: 'doubt', reason: h.word, ...result };
  return {
    end: 'release',
    ...(h.chance(50) ? { reason: h.word } : {}),
    ...(h.chance(50) ? { delayMs: h.below(900) } : {}),
  };
}

function expiry(h: Historian) {
  const delaysMs = [300, 600].slice(0, 1 + h.below(2));
  const limit = 1 + h.below(5);
  return { deliveriesMax: 2 + h.below(4), delaysMs, ...spent(h), limit, now: h.now };
}

function spent(h: Historian) {
  return h.chance(40) ? { whenSpent: h.pick(['dead', 'failed'] as const) } : {};
}

function binding(h: Historian) {
  const tasks = Array.from({ length: 1 + h.below(3) }, () => ({ ...h.name(), ...place(h) }));
  return { tasks, now: h.now };
}

function killing(h: Historian) {
  return { ...h.name('queued', 'waiting'), by: 'ops', reason: h.word, now: h.now };
}

function said(h: Historian) {
  return { ...(h.chance(50) ? { reason: h.word } : {}), by: 'ops', now: h.now };
}

function edition(h: Historian) {
  const version = h.chance(30) ? { version: 1 + h.below(9) } : {};
  return { ...h.name('dead'), payload: h.word, ...version, ...said(h) };
}

function haste(h: Historian) {
  const name = h.name('blocked', 'waiting');
  const reason = h.chance(50) ? { reason: h.word } : {};
  return { ...name, delayMs: h.below(h.chance(50) ? 1 : 900), ...reason, now: h.now };
}

function redrive(h: Historian) {
  return {
    ...h.name('dead'),
    ...(h.chance(40) ? { payload: h.word } : {}),
    ...(h.chance(40) ? { deadlineMs: h.below(5_000) } : {}),
    ...said(h),
  };
}

function pruning(h: Historian) {
  const endedBefore = h.now - h.below(4_000);
  return { endedBefore, deadBefore: h.now - h.below(8_000), limit: 1 + h.below(8), now: h.now };
}

function listing(h: Historian): Step {
  const states = h.some<TaskState>(TASK_STATES);
  const move = {
    tenant: 'acme',
    ...(h.chance(20) ? { states } : {}),
    ...(h.chance(15) ? { states: [h.pick(['dead', 'waiting', 'running'] as const)] } : {}),
    ...(h.chance(20) ? { causes: h.some(TASK_CAUSES) } : {}),
    ...(h.chance(20) ? { agentId: h.pick(['a', 'b', 'nobody', null]) } : {}),
    ...(h.chance(15) ? { taskType: 'query' } : {}),
    ...(h.chance(15) ? { principal: h.pick(PRINCIPALS) } : {}),
    ...(h.chance(15) ? { traceId: `trace-${h.below(4)}` } : {}),
    ...(h.chance(15) ? { parentId: `t${h.below(IDS)}` } : {}),
    ...(h.chance(25) ? { chain: h.pick(CHAINS) } : {}),
    ...(h.chance(15) ? { chainSeq: h.below(4) - 1 } : {}),
    limit: 1 + h.below(6),
  };
  return h.chance(30)
    ? { act: 'list', move, pageAfter: `t${h.below(IDS)}` }
    : { act: 'list', move };
}

/** The rows that an answer holds, at whatever depth. */
function rowsIn(value: unknown): TaskRow[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'taskId' in value && 'state' in value ? [value as TaskRow] : [];
  return [...own, ...Object.values(value).flatMap(rowsIn)];
}
