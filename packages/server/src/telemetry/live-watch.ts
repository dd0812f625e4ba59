import type { StreamEvent } from '@agent-reach/core';
import type { Clock, MonotonicMs } from '@agent-reach/core/kernel';

/** More a second no person reads and no console draws; what is over is counted. */
export const WATCH_MAX_PER_S = 100;
/** What waits for a slow reader: a second of it. */
const WAITING_MAX = 100;
const SECOND_MS = 1_000;

/** What is watched for; an absent part admits everything. */
export interface WatchFor {
  /** What one of the subject's texts contains; `*` stands for anything between. */
  pattern?: string | undefined;
  agent?: string | undefined;
}

/** By what it is told whether something is watched for, before it is rendered. */
export interface WatchSubject {
  tenant: string;
  texts: readonly (string | undefined)[];
  agents: () => Iterable<string>;
}

/** How many were not shown. */
export interface Gap {
  type: 'gap';
  missed: number;
}

/**
 * Shows what happens, while it happens, to whoever looks. Nothing is rendered while nobody looks, or
 * while what happens is not what anybody looks for.
 */
export class LiveWatch<T extends { type: string }> {
  readonly #clock: Clock;
  readonly #watchers = new Map<string, Set<Watcher<T>>>();
  /** How often something was rendered, for those who count. */
  rendered = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Asked first, wherever something could be told: usually nobody looks. */
  isWatched(tenant: string): boolean {
    return this.#watchers.has(tenant);
  }

  tell(subject: WatchSubject, render: () => T): void {
    let news: T | undefined;
    for (const watcher of this.#watchers.get(subject.tenant) ?? []) {
      if (!watcher.wants(subject) || !watcher.hasRoom()) continue;
      if (news === undefined) this.rendered += 1;
      news ??= render();
      watcher.take(news);
    }
  }

  /** What is told from now on, until the signal is aborted. */
  async *watch(
    tenant: string,
    what: WatchFor,
    signal: AbortSignal,
  ): AsyncGenerator<StreamEvent<T | Gap>> {
    const watcher = new Watcher<T>(what, this.#clock);
    const watchers = this.#watchers.get(tenant) ?? new Set();
    this.#watchers.set(tenant, watchers.add(watcher));
    try {
      yield* watcher.events(signal);
    } finally {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#watchers.delete(tenant);
    }
  }
}

/** One reader: a hundred a second, and a number for the rest. */
class Watcher<T> {
  readonly #wanted: readonly string[];
  readonly #agent: string | undefined;
  readonly #clock: Clock;
  #queue: (T | Gap)[] = [];
  #missed = 0;
  #second: MonotonicMs = Number.NEGATIVE_INFINITY;
  #inSecond = 0;
  #timer: Disposable | undefined;
  #wake = Promise.withResolvers<void>();

  constructor({ pattern, agent }: WatchFor, clock: Clock) {
    this.#wanted = pattern === undefined ? [] : plain(pattern).split('*').filter(Boolean);
    this.#agent = agent;
    this.#clock = clock;
  }

  wants({ texts, agents }: WatchSubject): boolean {
    const isText = (text: string | undefined) => text !== undefined && this.#isIn(plain(text));
    if (this.#wanted.length > 0 && !texts.some(isText)) return false;
    return this.#agent === undefined || [...agents()].includes(this.#agent);
  }

  /** Whether one more is shown. If not, it is counted. */
  hasRoom(): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#second >= SECOND_MS) {
      this.#second = now;
      this.#inSecond = 0;
    }
    if (this.#inSecond < WATCH_MAX_PER_S && this.#queue.length < WAITING_MAX) {
      this.#inSecond += 1;
      return true;
    }
    this.#missed += 1;
    this.#timer ??= this.#clock.timer(SECOND_MS, () => {
      this.#timer = undefined;
      this.#tellGap();
    });
    return false;
  }

  take(news: T): void {
    this.#tellGap();
    this.#queue.push(news);
    this.#wake.resolve();
  }

  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent<T | Gap>> {
    const gone = () => this.#wake.resolve();
    signal.addEventListener('abort', gone, { once: true });
    try {
      while (!signal.aborted) {
        const next = this.#queue.shift();
        if (next !== undefined) {
          yield { data: next };
          continue;
        }
        this.#wake = Promise.withResolvers();
        await this.#wake.promise;
      }
    } finally {
      signal.removeEventListener('abort', gone);
      this.#timer?.[Symbol.dispose]();
    }
  }

  /** One number for all that was missed; at most one waits behind what is full. */
  #tellGap(): void {
    if (this.#missed === 0) return;
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const last = this.#queue.at(-1) as Partial<Gap> | undefined;
    const before = last?.type === 'gap' ? (last.missed ?? 0) : 0;
    if (before > 0) this.#queue.pop();
    this.#queue.push({ type: 'gap', missed: before + this.#missed });
    this.#missed = 0;
    this.#wake.resolve();
  }

  /** Its pieces one behind the other: linear, whatever the pattern. */
  #isIn(text: string): boolean {
    let from = 0;
    for (const piece of this.#wanted) {
      const at = text.indexOf(piece, from);
      if (at < 0) return false;
      from = at + piece.length;
    }
    return true;
  }
}

function plain(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
