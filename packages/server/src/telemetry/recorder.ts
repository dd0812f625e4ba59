import type { AuditRecord, TraceRecord } from '@agent-reach/core';
import {
  type Clock,
  type EpochMs,
  type Log,
  scrubText,
  type Service,
} from '@agent-reach/core/kernel';
import type { TracesStore } from '../storage/spi/traces.ts';

/** What may be forgotten in a crash is written in batches this far apart. */
const FLUSH_MS = 50;
/** A full batch goes at once. */
const BATCH_MAX = 512;
/** Beyond this the store is too slow: records are dropped and counted, memory is not eaten up. */
const WAITING_MAX = 10_000;

/** When it is tried again to say what is missing, if nothing else is to be written. */
const GAP_RETRY_MS = 1_000;
/** Tenants whose losses are counted apart; beyond them the log alone tells. */
const GAPS_MAX = 1_000;

/**
 * Writes down what happened. Traces, and the audit of reads, leave in batches behind the
 * caller's back; the audit of a write is awaited, so that no effect is without its line. Where lines of
 * reads were lost, the audit itself says how many.
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
  readonly #gaps = new Map<string, Gap>();

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
    if (!this.#queue(this.#audits, clean(record))) this.#miss([record]);
  }

  /** For what may have changed something: resolves when the line is as durable as the store. */
  audit(record: AuditRecord): Promise<void> {
    return this.#store.appendAudit([clean(record)]);
  }

  /** Writes what waits. Resolves when it is written or given up. */
  flush(): Promise<void> {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const traces = this.#traces;
    const audits = this.#audits;
    this.#traces = [];
    this.#audits = [];
    if (traces.length + audits.length + this.#gaps.size > 0) {
      this.#flushing = this.#flushing.then(() => this.#write(traces, audits));
    }
    return this.#flushing;
  }

  /** Records that no batch has taken yet. */
  get #queued(): number {
    return this.#traces.length + this.#audits.length;
  }

  /** False: it was dropped. */
  #queue<R>(queue: R[], record: R): boolean {
    if (this.#waiting >= WAITING_MAX) {
      if (this.#dropped++ % WAITING_MAX === 0) {
        this.#log.warn(
          { dropped: this.#dropped },
          'the store is too slow for traces; some are lost',
        );
      }
      return false;
    }
    this.#waiting += 1;
    queue.push(record);
    if (this.#queued >= BATCH_MAX) void this.flush();
    else this.#timer ??= this.#clock.timer(FLUSH_MS, () => void this.flush());
    return true;
  }

  /** Each kind by itself: one that cannot be written does not cost the other. */
  async #write(traces: TraceRecord[], audits: AuditRecord[]): Promise<void> {
    await Promise.all([
      this.#keep('traces', traces.length, () => this.#store.append(traces)),
      this.#keepAudit(audits),
    ]);
  }

  async #keepAudit(audits: AuditRecord[]): Promise<void> {
    const gaps = [...this.#gaps.values()];
    this.#gaps.clear();
    const lines = [...audits, ...gaps.map((gap) => gapLine(gap, this.#clock.now()))];
    if (lines.length === 0) return;
    const write = () => this.#store.appendAudit(lines);
    if (await this.#keep('audit lines', audits.length, write, lines.length)) return;
    for (const gap of gaps) this.#addGap(gap);
    this.#miss(audits);
    this.#timer ??= this.#clock.timer(GAP_RETRY_MS, () => void this.flush());
  }

  async #keep(
    what: string,
    count: number,
    write: () => Promise<void>,
    written = count,
  ): Promise<boolean> {
    if (written === 0) return true;
    try {
      await write();
      return true;
    } catch (error) {
      this.#log.error({ err: error, lost: count }, `${what} could not be written and are lost`);
      return false;
    } finally {
      this.#waiting -= count;
    }
  }

  /** Counts lines that are lost, for their tenants. */
  #miss(records: readonly AuditRecord[]): void {
    for (const { tenant, at } of records) this.#addGap({ tenant, lines: 1, since: at, until: at });
  }

  #addGap(more: Gap): void {
    const gap = this.#gaps.get(more.tenant);
    if (gap === undefined) {
      if (this.#gaps.size < GAPS_MAX) this.#gaps.set(more.tenant, more);
      return;
    }
    gap.lines += more.lines;
    gap.since = Math.min(gap.since, more.since);
    gap.until = Math.max(gap.until, more.until);
  }
}

/** How many lines of a tenant are lost, and from when. */
interface Gap {
  tenant: string;
  lines: number;
  since: EpochMs;
  until: EpochMs;
}

function gapLine({ tenant, lines, since, until }: Gap, at: EpochMs): AuditRecord {
  return {
    at,
    tenant,
    principal: 'gateway',
    operation: 'audit.gap',
    outcome: 'ok',
    executed: 'yes',
    params: JSON.stringify({ lines, since, until }),
  };
}

/** For whom somebody asks is free text, and may hold anything. */
function clean(record: AuditRecord): AuditRecord {
  if (record.on_behalf_of === undefined) return record;
  return { ...record, on_behalf_of: scrubText(record.on_behalf_of) };
}
