import { ReachError } from '@agent-reach/core';
import type { Clock, Log } from '@agent-reach/core/kernel';
import type { Pool, PoolClient } from 'pg';
import type { Pg } from './client.ts';
import type { Prepared } from './flight.ts';
import { ConnectionFailed, failureOf, isBroken, isRace } from './failure.ts';
import { limitOf, type Purpose, type Settings, settingsOf } from './settings.ts';
import { Transaction } from './transaction.ts';

/** What the connections of a store are made with. */
export interface ConnectionsOptions {
  pg: Pick<Pg, 'Pool'>;
  /** `postgres://user:password@host:port/database`. */
  url: string;
  /** Where the tables are; a plain name. */
  schema: string;
  connectionsMax: number;
  timeoutMs: number;
  isPooled: boolean;
  clock: Clock;
  log: Log;
}

/**
 * The way to the database: transactions on a bounded pool of connections, each with a deadline, and
 * run again where a neighbour was in the way.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #pool: Pool;
  readonly #settings: Settings;
  /** Absent behind a pooler: what is prepared stays in a session. */
  readonly #prepared: WeakMap<PoolClient, Prepared> | undefined;
  readonly #running = new Set<Promise<unknown>>();
  readonly #clients = new Set<PoolClient>();
  #closing: Promise<void> | undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#settings = settingsOf(options);
    this.#prepared = options.isPooled ? undefined : new WeakMap();
    this.#pool = new options.pg.Pool({
      ...this.#settings.connection,
      max: options.connectionsMax,
      connectionTimeoutMillis: options.timeoutMs,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      application_name: 'agent-reach',
    });
    // A connection that breaks says so twice: to whoever waits on it, and here, where the word must
    // be heard or it would end the process.
    this.#pool.on('connect', (client) => {
      client.on('error', () => {});
      client.on('end', () => this.#clients.delete(client));
      this.#clients.add(client);
      this.#prepared?.set(client, new Map());
    });
    this.#pool.on('error', (error) => {
      options.log.warn({ err: error }, 'An idle connection to PostgreSQL was lost.');
    });
  }

  /**
   * Runs `work` in one transaction and answers what it did, once that is committed.
   *
   * Throws `store-unavailable` when the deadline passes, whatever is under way by then. A lost race
   * or a connection that broke before the commit left is tried again within the deadline.
   */
  run<T>(work: (tx: Transaction) => Promise<T>, how: How | Purpose = 'move'): Promise<T> {
    if (this.#closing !== undefined) return Promise.reject(storeClosed());
    if (this.#running.size >= RUNNING_MAX) return Promise.reject(fellBehind());
    const running = this.#byDeadline(work, typeof how === 'string' ? { purpose: how } : how);
    this.#track(running.catch(() => {}));
    return running;
  }

  /** Finishes what was asked, then closes. Twice is fine. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    await this.#pool.end();
    // A farewell that nobody takes, on a wire that is dead, must not keep the process.
    for (const client of this.#clients) (client as Unreferable).unref();
  }

  async #byDeadline<T>(work: (tx: Transaction) => Promise<T>, how: How): Promise<T> {
    const { clock, timeoutMs, log } = this.#options;
    const { purpose, limitMs = limitOf(purpose, timeoutMs) } = how;
    const attempt: Attempt = { isOver: false };
    const { promise: over, reject } = Promise.withResolvers<never>();
    using _ = clock.timer(limitMs, () => {
      attempt.isOver = true;
      attempt.client?.connection.stream.destroy();
      reject(new ConnectionFailed(`nothing came back within ${limitMs} ms`));
    });
    try {
      return await Promise.race([over, this.#tryAgain(work, purpose, attempt)]);
    } catch (error) {
      const failure = failureOf(error, attempt.isCommitting?.() ?? false);
      if (failure.code !== 'internal') log.debug({ err: error }, 'PostgreSQL failed a move.');
      throw failure;
    }
  }

  async #tryAgain<T>(
    work: (tx: Transaction) => Promise<T>,
    purpose: Purpose,
    attempt: Attempt,
  ): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#try(work, purpose, attempt);
      } catch (error) {
        const hasCommitLeft = attempt.isCommitting?.() ?? false;
        const mayRetry =
          isRace(error) || (attempt.client !== undefined && isBroken(error) && !hasCommitLeft);
        if (!mayRetry || tries === TRIES_MAX || attempt.isOver) throw error;
      }
    }
  }

  async #try<T>(
    work: (tx: Transaction) => Promise<T>,
    purpose: Purpose,
    attempt: Attempt,
  ): Promise<T> {
    delete attempt.client;
    delete attempt.isCommitting;
    const client = await this.#connect();
    // Nobody waits any more; the connection is as good as it was.
    if (attempt.isOver) {
      client.release();
      throw new ConnectionFailed('too late');
    }
    const tx = new Transaction(
      client,
      this.#settings.openings[purpose],
      this.#prepared?.get(client),
    );
    attempt.client = client;
    attempt.isCommitting = () => tx.hasWritten && tx.isCommitting;
    try {
      const answer = await work(tx);
      // What a move has locked is free when it is answered: who is answered may ask for that next.
      if (purpose === 'read' || purpose === 'search') {
        this.#endBehind(client, tx);
        return answer;
      }
      await tx.commit();
      client.release();
      return answer;
    } catch (error) {
      await giveBack(client, tx, error);
      throw tx.failure ?? error;
    }
  }

  /** Ends a transaction that only looked: its answer need not wait for that. */
  #endBehind(client: PoolClient, tx: Transaction): void {
    const { clock, timeoutMs } = this.#options;
    const timer = clock.timer(timeoutMs, () => client.connection.stream.destroy());
    const ended = tx
      .commit()
      .then(() => client.release())
      .catch(() => client.release(true))
      .finally(() => timer[Symbol.dispose]());
    this.#track(ended);
  }

  #track(ended: Promise<unknown>): void {
    this.#running.add(ended);
    void ended.finally(() => this.#running.delete(ended));
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      // The server may answer and refuse; whatever else this is, it is no connection.
      const known = error as Error;
      throw 'severity' in known ? known : new ConnectionFailed(known.message, { cause: known });
    }
  }
}

/** What a transaction is for and, if that is not its purpose's, how long it may take. */
interface How {
  purpose: Purpose;
  limitMs?: number;
}

/** The client's own method, which its types leave out. */
type Unreferable = PoolClient & { unref(): void };

/** One attempt, as the deadline sees it. */
interface Attempt {
  isOver: boolean;
  client?: PoolClient;
  /** Whether it has written and its commit has left. */
  isCommitting?: () => boolean;
}

/** Gives a connection back whose transaction failed: as new, or not at all. */
async function giveBack(client: PoolClient, tx: Transaction, error: unknown): Promise<void> {
  const isLost = isBroken(tx.failure ?? error);
  const isClean =
    !isLost &&
    (await tx
      .rollback()
      .then(() => true)
      .catch(() => false));
  if (!isClean) client.connection.stream.destroy();
  client.release(!isClean);
}

/** A calm gateway gives its connections back after half a minute. */
const IDLE_MS = 30_000;

/** A race has a winner each time; who lost five in a row is told that the store is too busy. */
const TRIES_MAX = 5;

/** Ten seconds of a thousand moves a second: some 20 MB. */
const RUNNING_MAX = 10_000;

function storeClosed(): ReachError {
  return new ReachError('store-unavailable', 'The store is closed.');
}

function fellBehind(): ReachError {
  const detail = `The store is ${RUNNING_MAX} moves behind and takes no more.`;
  return new ReachError('store-unavailable', detail, { limit: RUNNING_MAX });
}
