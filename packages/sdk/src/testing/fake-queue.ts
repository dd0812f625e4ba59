import {
  type Delivery,
  type HolderAnswer,
  type Input,
  type LeaseState,
  ReachError,
} from '@agent-reach/core';
import type { FakeGateway } from './fake-gateway.ts';

/** A task as the fake keeps it. */
interface Entry {
  delivery: Delivery;
  epoch: number;
  status: HolderAnswer['status'];
  /** Somebody took it or ended it since the lease of that epoch: its holder is out. */
  result?: unknown;
  reason?: string;
}

type Told = HolderAnswer | Promise<HolderAnswer> | undefined;

/** What `lease_ms` a fake queue gives. */
export const FAKE_LEASE_MS = 30_000;

/**
 * A queue of one agent behind a fake gateway: hands out what a test puts in, holds questions until
 * there is something, fences by epoch, and remembers every word of the holders in order.
 */
export class FakeQueue {
  /** `ack t-1`, `complete t-1`, …, as they came. */
  readonly words: string[] = [];
  /** Questions for work that are being held. */
  waiting = 0;
  isDraining = false;
  readonly #entries = new Map<string, Entry>();
  readonly #queued: Entry[] = [];
  #generation = 0;
  #wake = Promise.withResolvers<void>();
  /** Looked at before each word; what it gives or throws is the answer. */
  meddle: (word: string, taskId: string) => Told = () => undefined;

  constructor(gateway: FakeGateway) {
    this.serve(gateway);
  }

  /** Answers through this gateway from now on: the one before was restarted. */
  serve(gateway: FakeGateway): void {
    // Questions that the gateway before was holding died with it.
    this.waiting = 0;
    const generation = ++this.#generation;
    this.#stir();
    gateway
      .on('tasks.claim', (input) => this.#claim(input, generation))
      .on('tasks.extend', ({ leases }) => this.#extend(leases))
      .on('tasks.ack', (input) => this.#word('ack', input, (one) => (one.status = 'running')))
      .on('tasks.progress', (input) => this.#word('progress', input, () => {}))
      .on('tasks.complete', (input) =>
        this.#word('complete', input, (one, said) => {
          one.status = 'succeeded';
          one.result = said['result'];
        }),
      )
      .on('tasks.fail', (input) =>
        this.#word('fail', input, (one, said) => {
          one.status = said['retryable'] === true ? 'waiting' : 'failed';
          one.reason = String(said['reason']);
        }),
      )
      .on('tasks.release', (input) =>
        this.#word('release', input, (one) => (one.status = 'queued')),
      )
      .on('agents.drain', ({ agent_id }) => {
        this.isDraining = true;
        this.#stir();
        return { agent_id, instances: [] };
      });
  }

  /** Puts a task in, or the same one once more. */
  put(taskId: string, changes: Partial<Delivery> = {}): void {
    const known = this.#entries.get(taskId);
    const epoch = (known?.epoch ?? 0) + 1;
    const delivery = { ...deliveryOf(taskId, epoch), ...changes };
    const entry: Entry = { delivery, epoch, status: 'queued' };
    this.#entries.set(taskId, entry);
    this.#queued.push(entry);
    this.#stir();
  }

  /** Takes a task away from its holder, who is not told before it speaks. */
  take(taskId: string, status: HolderAnswer['status'] = 'delivered'): void {
    const entry = this.of(taskId);
    entry.epoch++;
    entry.status = status;
  }

  /** Its lease is none any more: as if it had never been given. */
  forget(taskId: string): void {
    this.#entries.delete(taskId);
  }

  /** As the fake keeps it now. */
  of(taskId: string): Entry {
    const entry = this.#entries.get(taskId);
    if (entry === undefined) throw new Error(`Nobody put ${taskId} in.`);
    return entry;
  }

  #stir(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  async #claim(asked: Input<'tasks.claim'>, generation: number) {
    const { credits = 1, wait = 0, task_types: types } = asked;
    const isWanted = (entry: Entry) => types?.includes(entry.delivery.task_type) ?? true;
    const isIdle = () => !this.#queued.some(isWanted) && !this.isDraining;
    if (wait > 0 && isIdle()) {
      this.waiting++;
      while (isIdle() && generation === this.#generation) await this.#wake.promise;
      if (generation !== this.#generation) return { tasks: [] };
      this.waiting--;
    }
    const taken: Delivery[] = [];
    for (const entry of this.#queued.filter(isWanted).slice(0, credits)) {
      this.#queued.splice(this.#queued.indexOf(entry), 1);
      entry.status = 'delivered';
      taken.push(entry.delivery);
    }
    return { tasks: taken };
  }

  #extend(leases: readonly string[]) {
    const states = leases.map((lease): LeaseState => {
      const [taskId = '', epoch] = lease.split('~');
      const entry = this.#entries.get(taskId);
      if (entry === undefined) return { outcome: 'invalid' };
      const { status } = entry;
      if (entry.epoch === Number(epoch)) return { task_id: taskId, outcome: 'kept', status };
      const outcome = status === 'cancelled' ? 'cancelled' : 'lost';
      return { task_id: taskId, outcome, status };
    });
    this.words.push(`extend ${states.map(({ task_id: id }) => id ?? '?').join(' ')}`);
    return { lease_ms: FAKE_LEASE_MS, leases: states };
  }

  async #word(
    word: string,
    said: { task_id: string },
    move: (entry: Entry, said: Record<string, unknown>) => void,
  ): Promise<HolderAnswer> {
    const { task_id: taskId } = said;
    const fields = said as Record<string, unknown>;
    this.words.push(`${word} ${taskId}`);
    const meddled = await this.meddle(word, taskId);
    if (meddled !== undefined) return meddled;
    const entry = this.of(taskId);
    const [, epoch] = String(fields['lease']).split('~');
    if (entry.epoch !== Number(epoch)) {
      if (['succeeded', 'failed', 'cancelled'].includes(entry.status)) {
        return { task_id: taskId, outcome: 'ended', status: entry.status };
      }
      throw new ReachError('lease-lost', `${taskId} is another’s.`);
    }
    move(entry, fields);
    return { task_id: taskId, outcome: 'ok', status: entry.status, lease_ms: FAKE_LEASE_MS };
  }
}

function deliveryOf(taskId: string, epoch: number): Delivery {
  return {
    task_id: taskId,
    task_type: 'query',
    kind: 'task',
    payload: { n: 1 },
    lease: `${taskId}~${epoch}~orders-1~seal`,
    lease_ms: FAKE_LEASE_MS,
    attempt: epoch,
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    call_token: 'a.b',
    caller: 'customer-service',
    idempotency_key: `key-${taskId}`,
  };
}
