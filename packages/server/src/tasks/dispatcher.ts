import type { Service } from '@agent-reach/core/kernel';
import { awayOf, longestRunMs, type Place, pushPlaces } from '../pipeline/plan.ts';
import { push, pushLeaseMs, toldClaimed } from './push.ts';
import { moveOn } from './rebind.ts';
import { agentName, type TaskRoom } from './room.ts';
import type { StoredTask } from './work.ts';

interface At {
  tenant: string;
  agentId: string;
}

/** Tasks taken in one move: enough to fill an instance, few enough to lose in a crash. */
const BATCH_MAX = 20;
const PAUSE_FIRST_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** Remembered refusals; those that are over go when there are more. */
const PAUSES_MAX = 10_000;

/**
 * Sends queued tasks to agents that have an address: as many at once as each instance takes. An
 * instance that did not take one is left alone for as long as it asks, or longer each time, so
 * that a task does not spin between a queue and a closed door.
 */
export class Dispatcher implements Service {
  readonly #room: TaskRoom;
  readonly #looking = new Map<string, { again: boolean }>();
  readonly #running = new Set<Promise<void>>();
  /** Instances that took nothing: until when, and how often in a row. */
  readonly #pauses = new Map<string, { until: number; fails: number; timer: Disposable }>();
  #open = false;

  constructor(room: TaskRoom) {
    this.#room = room;
    room.kick = (at) => this.kick(at);
    room.isPaused = (at) => this.isPaused(at);
  }

  async start(): Promise<void> {
    this.#open = true;
  }

  /** Sends nothing more, and waits for what is under way, but not for ever. */
  async stop(): Promise<void> {
    this.#open = false;
    for (const { timer } of this.#pauses.values()) timer[Symbol.dispose]();
    this.#pauses.clear();
    const all = Promise.allSettled(this.#running);
    const { clock, options } = this.#room;
    const patience = new AbortController();
    const over = clock.sleep(options.drainMs, patience.signal).catch(() => {});
    await Promise.race([all, over]);
    patience.abort();
  }

  /** Tasks under way. */
  get underWay(): number {
    return this.#running.size;
  }

  /** Whether any instance of the agent is being left alone. */
  isPaused(at: At): boolean {
    const places = this.#places(at);
    return places.length > 0 && places.every((place) => this.#isPaused(place));
  }

  /** Looks whether there is work for this agent; looks again if asked meanwhile. */
  kick(at: At): void {
    if (!this.#open) return;
    const name = agentName(at);
    const looking = this.#looking.get(name);
    if (looking !== undefined) {
      looking.again = true;
      return;
    }
    const mine = { again: false };
    this.#looking.set(name, mine);
    void this.#look(at, mine).finally(() => this.#looking.delete(name));
  }

  async #look(at: At, mine: { again: boolean }): Promise<void> {
    try {
      do {
        mine.again = false;
        while (await this.#fill(at)) mine.again = true;
      } while (mine.again && this.#open);
    } catch (error) {
      this.#room.log.error(
        { err: error, agent: at.agentId },
        'tasks could not be taken for sending',
      );
    }
  }

  /**
   * Takes work for the instance with the most room; for others only while there is work that must
   * be for one of them, by its version or its home. False when there is no work or no room.
   */
  async #fill(at: At): Promise<boolean> {
    const { book } = this.#room;
    for (const [i, { place, free }] of this.#byRoom(at).entries()) {
      if (!this.#open || (i > 0 && book.of({ ...at, taskType: '' }).queued === 0)) return false;
      const rows = await this.#claimFor(place, free, at);
      toldClaimed(rows, this.#room);
      for (const row of rows) this.#send(row, place, at);
      if (rows.length > 0) return true;
    }
    return false;
  }

  #claimFor(place: Place, free: number, at: At): Promise<StoredTask[]> {
    const { store, road, options, now } = this.#room;
    const { ackTimeoutMs, agingMs, agingEvery } = options;
    return store.claim({
      ...at,
      holder: place.instanceId,
      groups: place.version === undefined ? [] : [place.version],
      homes: [place.instanceId, ...awayOf(at, road)],
      limit: Math.min(free, BATCH_MAX),
      leaseMs: pushLeaseMs(ackTimeoutMs, longestRunMs(at, road)),
      fairness: { agingMs, agingEvery },
      now: now(),
    });
  }

  #send(row: StoredTask, place: Place, at: At): void {
    const work = this.#see(row, place, at).finally(() => {
      this.#running.delete(work);
      if (this.#room.book.of({ ...at, taskType: '' }).queued > 0) this.kick(at);
    });
    this.#running.add(work);
  }

  async #see(row: StoredTask, place: Place, at: At): Promise<void> {
    let isClosed = false;
    const closed = (pauseMs: number | undefined) => {
      isClosed = true;
      this.#pause(place, at, pauseMs);
    };
    const end = await push(row, { place, closed }, this.#room);
    if (!isClosed) this.#forgive(place);
    // Nobody else of the agent takes it either: perhaps another agent does.
    if (end === 'taken' || !this.isPaused(at)) return;
    await moveOn([row], this.#room).catch((error: unknown) => {
      this.#room.log.error({ err: error, task: row.taskId }, 'a task could not be moved');
    });
  }

  /** Instances that this gateway sends to: each is one gateway's, so that its bound holds. */
  #places(at: At): Place[] {
    const { options, road, peers } = this.#room;
    const places = pushPlaces(at, options.pushConcurrency, road);
    return places.filter(({ key }) => peers.isMine(key));
  }

  /** Instances that take more, the one with the most room first. */
  #byRoom(at: At): { place: Place; free: number }[] {
    const { holds } = this.#room;
    return this.#places(at)
      .filter((place) => !this.#isPaused(place))
      .map((place) => {
        const held = holds.countOf({ ...at, instanceId: place.instanceId });
        return { place, free: place.slots - Math.max(held, place.inflight) };
      })
      .filter(({ free }) => free > 0)
      .sort((a, b) => b.free - a.free);
  }

  /** Instances that came and went: what they once refused is of no use any more. */
  #forgetOver(): void {
    const now = this.#room.clock.monotonic();
    for (const [key, { until }] of this.#pauses) if (until <= now) this.#pauses.delete(key);
  }

  #forgive({ key }: Place): void {
    this.#pauses.get(key)?.timer[Symbol.dispose]();
    this.#pauses.delete(key);
  }

  #isPaused({ key }: Place): boolean {
    const pause = this.#pauses.get(key);
    return pause !== undefined && pause.until > this.#room.clock.monotonic();
  }

  #pause(place: Place, at: At, askedMs: number | undefined): void {
    if (!this.#open) return;
    const { clock } = this.#room;
    const before = this.#pauses.get(place.key);
    // Several of one batch come back together: they count once.
    if (before !== undefined && before.until > clock.monotonic()) return;
    const fails = (before?.fails ?? 0) + 1;
    const own = Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** (fails - 1));
    const pauseMs = Math.max(own, Math.min(askedMs ?? 0, PAUSE_MAX_MS));
    const timer = clock.timer(pauseMs, () => this.kick(at));
    if (this.#pauses.size >= PAUSES_MAX) this.#forgetOver();
    this.#pauses.set(place.key, { until: clock.monotonic() + pauseMs, fails, timer });
  }
}
