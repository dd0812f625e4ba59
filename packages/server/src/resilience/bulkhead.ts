import type { Clock } from '@agent-reach/core/kernel';

/** How many may be inside at once, and how many may wait for it. */
export interface BulkheadLimits {
  running: number;
  waiting: number;
}

/** How an attempt to enter ended; who is inside calls `free` once when he leaves. */
export type Entrance =
  | { is: 'inside'; free: () => void }
  /** Too many wait already. */
  | { is: 'full'; waiting: number }
  /** He has waited for as long as he may. */
  | { is: 'late' }
  /** He left while he waited. */
  | { is: 'gone' };

interface Waiter {
  enter: (how: Entrance) => void;
}

interface Room {
  running: number;
  /** As the last who asked said. */
  limit: number;
  /** First come, first served. */
  waiters: Set<Waiter>;
}

/** More places than are in use at once. Beyond, those where nobody is are dropped. */
const ROOMS_MAX = 10_000;

/**
 * Keeps one slow place from taking all of the gateway: so many are inside each place at once, so
 * many wait, and no more. An empty room is kept, for the next one is mostly on his way. Whoever
 * stops waiting is out of the line at once, so that nobody frees a place for one who has left.
 */
export class Bulkhead {
  readonly #rooms = new Map<string, Room>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Enters, or waits up to `waitMs` for somebody to leave. */
  enter(
    key: string,
    limits: BulkheadLimits,
    { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  ): Entrance | Promise<Entrance> {
    const room = this.#rooms.get(key);
    const running = room?.running ?? 0;
    if (running < limits.running) return { is: 'inside', free: this.occupy(key) };
    const waiting = room?.waiters.size ?? 0;
    if (room === undefined || waiting >= limits.waiting) return { is: 'full', waiting };
    room.limit = limits.running;
    if (signal.aborted) return { is: 'gone' };
    return this.#wait(room, { waitMs, signal });
  }

  /** Enters whatever the limit: for those whom somebody else has counted. */
  occupy(key: string): () => void {
    const room = this.#rooms.get(key) ?? this.#open(key);
    room.running += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#leave(key, room);
    };
  }

  #open(key: string): Room {
    if (this.#rooms.size >= ROOMS_MAX) this.#dropEmpty();
    const room = { running: 0, limit: 0, waiters: new Set<Waiter>() };
    this.#rooms.set(key, room);
    return room;
  }

  #dropEmpty(): void {
    for (const [key, { running, waiters }] of this.#rooms) {
      if (running === 0 && waiters.size === 0) this.#rooms.delete(key);
    }
  }

  #wait(
    room: Room,
    { waitMs, signal }: { waitMs: number; signal: AbortSignal },
  ): Promise<Entrance> {
    return new Promise((resolve) => {
      const waiter: Waiter = {
        enter: (how) => {
          room.waiters.delete(waiter);
          timer[Symbol.dispose]();
          signal.removeEventListener('abort', leave);
          resolve(how);
        },
      };
      const leave = () => waiter.enter({ is: 'gone' });
      const timer = this.#clock.timer(waitMs, () => waiter.enter({ is: 'late' }));
      signal.addEventListener('abort', leave, { once: true });
      room.waiters.add(waiter);
    });
  }

  /** A place becomes free: it goes to the first who waits, unless more are inside than may be. */
  #leave(key: string, room: Room): void {
    room.running -= 1;
    for (const next of room.waiters) {
      if (room.running >= room.limit) return;
      next.enter({ is: 'inside', free: this.occupy(key) });
    }
  }
}
