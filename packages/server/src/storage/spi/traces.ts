import type { AuditRecord, TraceRecord } from '@agent-reach/core';

/**
 * Filters are joined by *and*; an absent one does not filter. Newest first; of one moment, the one
 * kept last.
 */
export interface TraceQuery {
  tenant: string;
  /** Matches the trace id or the caller's own legacy one. */
  traceId?: string;
  requestId?: string;
  /** Either end of the hop. */
  agent?: string;
  capability?: string;
  /** From this moment on. */
  since?: number;
  /** Until just before this moment. */
  until?: number;
  /** 1 to 1000. */
  limit: number;
}

/** As `TraceQuery`. */
export interface AuditQuery {
  tenant: string;
  principal?: string;
  target?: string;
  traceId?: string;
  requestId?: string;
  since?: number;
  until?: number;
  limit: number;
}

export interface TracesStore {
  /**
   * Keeps hops, if it can: losing the last moments in a crash, or the oldest of too many, is
   * allowed, for no caller waits for this. Resolves once they can be found or are given up; never
   * throws.
   */
  append(records: TraceRecord[]): Promise<void>;

  /**
   * Keeps audit lines, append only. Once answered they are as durable as the driver is; that may
   * take some milliseconds longer than another move, for company.
   */
  appendAudit(records: AuditRecord[]): Promise<void>;

  find(query: TraceQuery): Promise<TraceRecord[]>;

  /** `seq` rises with each line of the store and is never given twice. */
  findAudit(query: AuditQuery): Promise<(AuditRecord & { seq: number })[]>;

  /**
   * Forgets hops from before `before`, and the first kept beyond `rowsMax`; audit lines from before
   * `auditBefore`. At most `limit` of each a call; answers how many went.
   */
  prune(move: {
    before: number;
    rowsMax: number;
    auditBefore: number;
    limit: number;
  }): Promise<{ traces: number; audit: number }>;
}
