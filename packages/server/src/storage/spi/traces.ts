import type { AuditHead, AuditLink, AuditRecord, AuditSeal, TraceRecord } from '@agent-reach/core';

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
   * Keeps audit lines, append only, each as the next record of its tenant's chain (`auditLink`):
   * whoever else appends to it, in this process or another, there is one chain, without a gap. Lines
   * of one tenant keep their order. All are kept or none. Once answered they are as durable as the
   * driver is; that may take some milliseconds longer than another move, for company.
   */
  appendAudit(records: AuditRecord[]): Promise<void>;

  find(query: TraceQuery): Promise<TraceRecord[]>;

  /** `seq` is the number in the tenant's chain: from 1, and never given twice. */
  findAudit(query: AuditQuery): Promise<(AuditRecord & { seq: number })[]>;

  /** Chains by the names of their tenants, after `after`. `limit`: 1 to 1000. */
  auditChains(query: { after: string; limit: number }): Promise<AuditChain[]>;

  /** One of them. */
  auditChain(query: { tenant: string }): Promise<AuditChain | undefined>;

  /**
   * Records of a chain as they stand there, by their numbers, after `after`: nothing is checked.
   * `limit`: 1 to 1000.
   */
  auditLinks(query: { tenant: string; after: number; limit: number }): Promise<AuditLink[]>;

  /**
   * Keeps a seal, for ever. `conflict`: it does not begin where the last one ended, for another gateway
   * was faster; nothing is changed then.
   */
  keepSeal(seal: AuditSeal): Promise<'stored' | 'conflict'>;

  /** Seals that end with record `from` or a later one, in their order. `limit`: 1 to 1000. */
  auditSeals(query: { tenant: string; from: number; limit: number }): Promise<AuditSeal[]>;

  /**
   * Forgets hops from before `before`, and the first kept beyond `rowsMax`; audit lines by whole
   * segments that were sealed before `auditBefore`, the first ones of a chain first. Answers how many
   * went. At most `limit` hops a call, and one segment.
   */
  prune(move: {
    before: number;
    rowsMax: number;
    auditBefore: number;
    limit: number;
  }): Promise<{ traces: number; audit: number }>;
}

/** Where a chain stands, and how far it is sealed. */
export interface AuditChain extends AuditHead {
  tenant: string;
  /** The last record under a seal; 0: none is. */
  sealedSeq: number;
  /** When the last seal was made; 0: there is none. */
  sealedAt: number;
}
