import type { AuditRecord, TraceRecord } from '@agent-reach/core';
import type { Clock, Log, Service } from '@agent-reach/core/kernel';
import type { TracesStore } from '../storage/spi/traces.ts';

/** What may be forgotten in a crash is written in batches this far apart. */
const FLUSH_MS = 50;
/** A full batch goes at once. */
const BATCH_MAX = 512;
/** Beyond this the store is too slow: records are dropped and counted, memory is not eaten up. */
const WAITING_MAX = 10_000;

/**
 * Writes down what happened. Traces, and the audit of reads, leave in batches behind the
 * caller's back; the audit of a write is awaited, so that no effect is without its line.
 */
export class Recorder implements Service {
  readonly #store: TracesStore;
  readonly #clock: Clock;
  readonly #log: Log;
  #traces: TraceRecord[] = [];
  #audits: AuditRecord[] = [];
  #timer: Disposable | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #dropped = 0;

  constructor(store: TracesStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    do await this.flush();
    while (this.#queued > 0); // What came while the last batch was written.
  }

  /** How many records a slow store has cost so far. */
  get dropped(): number {
    return this.#dropped;
  }

  trace(record: TraceRecord): void {
    this.#queue(this.#traces, record);
  }

  /** For what changed nothing: written soon. */
  auditSoon(record: AuditRecord): void {
    this.#queue(this.#audits, record);
  }

  /** For what may have changed something: resolves when the line is as durable as the store. */
  audit(record: AuditRecord): Promise<void> {
    return this.#store.appendAudit([record]);
  }

  /** Writes what waits. Resolves when it is written or given up. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const traces = this.#traces;
    const audits = this.#audits;
    this.#traces = [];
    this.#audits = [];
    if (traces.length + audits.length > 0) {
      this.#flushing = this.#flushing.then(() => this.#write(traces, audits));
    }
    return this.#flushing;
  }

  /** Records that no batch has taken yet. */
  get #queued(): number {
    return this.#traces.length + this.#audits.length;
  }

  #queue<R>(queue: R[], record: R): void {
    if (this.#waiting >= WAITING_MAX) {
      if (this.#dropped++ % WAITING_MAX === 0) {
        this.#log.warn(
          { dropped: this.#dropped },
          'the store is too slow for traces; some are lost',
        );
      }
      return;
    }
    this.#waiting += 1;
    queue.push(record);
    if (this.#queued >= BATCH_MAX) void this.flush();
    else this.#timer ??= this.#clock.timer(FLUSH_MS, () => void this.flush());
  }

  /** Each kind by itself: one that cannot be written does not cost the other. */
  async #write(traces: TraceRecord[], audits: AuditRecord[]): Promise<void> {
    await Promise.all([
      this.#keep('traces', traces.length, () => this.#store.append(traces)),
      this.#keep('audit lines', audits.length, () => this.#store.appendAudit(audits)),
    ]);
  }

  async #keep(what: string, count: number, write: () => Promise<void>): Promise<void> {
    if (count === 0) return;
    try {
      await write();
    } catch (error) {
      this.#log.error({ err: error, lost: count }, `${what} could not be written and are lost`);
    } finally {
      this.#waiting -= count;
    }
  }
}

const SHOWN_CHARS_MAX = 4_096;

/** A value as the audit keeps it: JSON, cut so that one call cannot fill the log. */
export function forAudit(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  if (text.length <= SHOWN_CHARS_MAX) return text;
  // The cut may go through a character, and half of one is neither stored nor read back.
  return `${text.slice(0, SHOWN_CHARS_MAX).toWellFormed()}…`;
}
