import type { AuditRecord, AuditSeal } from '@agent-reach/core';
import {
  AUDIT_GENESIS,
  type AuditHead,
  type AuditLink,
  auditLine,
  auditLinks as linked,
} from '@agent-reach/core/audit-chain';
import type { AuditChain, AuditQuery, TracesStore } from '../spi/traces.ts';
import type { Database } from './database.ts';
import type { Operation } from './operation.ts';
import { inBlocks, newestFirst, timeFilters } from './search.ts';

/** One connection writes, so whoever reads the head here is the next one to append to it. */
export const appendAudit: Operation<TracesStore['appendAudit']> = (db, records) => {
  for (const [tenant, lines] of Map.groupBy(records, (line) => line.tenant)) {
    const links = linked(headOf(db, tenant), lines);
    for (const [n, link] of links.entries()) keepLink(db, lines[n] as AuditRecord, link);
    const { seq, hash } = links.at(-1) as AuditLink;
    db.write(MOVE_HEAD, tenant, seq, hash);
  }
};

export const findAudit: Operation<TracesStore['findAudit']> = (db, query) =>
  db.all<{ body: string }>(searchLines(query), query).map(({ body }) => auditLine(body));

export const auditChains: Operation<TracesStore['auditChains']> = (db, query) =>
  db
    .all<AuditChain>(`${CHAINS} WHERE tenant > :after ORDER BY tenant LIMIT :limit`, query)
    .map((chain) => ({ ...chain }));

export const auditChain: Operation<TracesStore['auditChain']> = (db, query) => {
  const chain = db.get<AuditChain>(`${CHAINS} WHERE tenant = :tenant`, query);
  return chain === undefined ? undefined : { ...chain };
};

export const auditLinks: Operation<TracesStore['auditLinks']> = (db, query) =>
  db.all<AuditLink>(LINKS, query).map((link) => ({ ...link }));

export const keepSeal: Operation<TracesStore['keepSeal']> = (db, seal) => {
  const { tenant, first_seq: first, last_seq: last, sealed_at: at } = seal;
  const is = db.first<{ sealed: number }>(
    'SELECT sealed FROM audit_heads WHERE tenant = ?',
    tenant,
  );
  if (is === undefined || is.sealed + 1 !== first) return 'conflict';
  db.write(KEEP_SEAL, tenant, first, last, at, JSON.stringify(seal));
  db.write('UPDATE audit_heads SET sealed = ?, sealed_at = ? WHERE tenant = ?', last, at, tenant);
  return 'stored';
};

export const auditSeals: Operation<TracesStore['auditSeals']> = (db, query) =>
  db.all<{ body: string }>(SEALS, query).map(({ body }) => JSON.parse(body) as AuditSeal);

/** Forgets the oldest segment that was sealed before a moment; answers how many lines it had. */
export function pruneSegment(db: Database, before: number): number {
  const segment = db.get<{ tenant: string; last: number }>(OLDEST_SEGMENT, { before });
  if (segment === undefined) return 0;
  const { tenant, last } = segment;
  db.write('UPDATE audit_seals SET removed = 1 WHERE tenant = ? AND last = ?', tenant, last);
  return db.run('DELETE FROM audit WHERE tenant = :tenant AND chain <= :last', segment);
}

/** Puts the lines that were kept before there were chains into them, in the order they were kept. */
export function chainOldLines(db: Database): void {
  for (let after = 0; ; ) {
    const rows = db.all<{ seq: number; tenant: string; body: string }>(OLD_LINES, { after });
    for (const { seq, tenant, body } of rows) {
      const [link] = linked(headOf(db, tenant), [JSON.parse(body) as AuditRecord]);
      const { seq: chain, prev, hash, record } = link as AuditLink;
      db.write(CHAIN_LINE, chain, prev, hash, record, seq);
      db.write(MOVE_HEAD, tenant, chain, hash);
      after = seq;
    }
    if (rows.length < OLD_LINES_MAX) break;
  }
  // Not before: so far all of them were number 0.
  db.exec('CREATE UNIQUE INDEX audit_by_chain ON audit (tenant, chain)');
}

/** The text of a search: SQLite sees only the filters that were asked for, so that it finds their index. */
export function searchLines(query: AuditQuery): string {
  const hits: string[] = [];
  if (query.traceId !== undefined) hits.push(inBlocks('audit', 'trace_id', ':traceId'));
  if (query.requestId !== undefined) hits.push(inBlocks('audit', 'request_id', ':requestId'));
  const filters = timeFilters(query);
  if (query.principal !== undefined) filters.push('principal = :principal');
  if (query.target !== undefined) filters.push('target = :target');
  return newestFirst('audit', hits, filters);
}

function headOf(db: Database, tenant: string): AuditHead {
  return db.first<AuditHead>(HEAD, tenant) ?? AUDIT_GENESIS;
}

function keepLink(db: Database, line: AuditRecord, link: AuditLink): void {
  db.write(
    APPEND_LINE,
    line.tenant,
    line.at,
    line.trace_id ?? null,
    line.request_id ?? null,
    line.principal,
    line.target ?? null,
    link.record,
    link.seq,
    link.prev,
    link.hash,
  );
}

const APPEND_LINE = `
  INSERT INTO audit
    (tenant, at, trace_id, request_id, principal, target, body, chain, prev, hash)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

const HEAD = 'SELECT seq, hash FROM audit_heads WHERE tenant = ?';

const MOVE_HEAD = `
  INSERT INTO audit_heads (tenant, seq, hash) VALUES (?, ?, ?)
  ON CONFLICT (tenant) DO UPDATE SET seq = excluded.seq, hash = excluded.hash`;

const CHAINS = `
  SELECT tenant, seq, hash, sealed AS sealedSeq, sealed_at AS sealedAt FROM audit_heads`;

const LINKS = `
  SELECT chain AS seq, prev, hash, body AS record FROM audit
  WHERE tenant = :tenant AND chain > :after ORDER BY chain LIMIT :limit`;

const KEEP_SEAL = 'INSERT INTO audit_seals (tenant, first, last, at, body) VALUES (?, ?, ?, ?, ?)';

const SEALS = `
  SELECT body FROM audit_seals WHERE tenant = :tenant AND last >= :from ORDER BY last LIMIT :limit`;

/** Seals of one chain follow each other in time, so the oldest is the first one of its chain. */
const OLDEST_SEGMENT = `
  SELECT tenant, last FROM audit_seals WHERE removed = 0 AND at < :before ORDER BY at, last LIMIT 1`;

const OLD_LINES_MAX = 1_000;

const OLD_LINES = `
  SELECT seq, tenant, body FROM audit WHERE seq > :after ORDER BY seq LIMIT ${OLD_LINES_MAX}`;

const CHAIN_LINE = 'UPDATE audit SET chain = ?, prev = ?, hash = ?, body = ? WHERE seq = ?';

/** What the audit needs since it is a chain; a fork would be one number given twice. */
export const CHAIN_SCHEMA = `
  ALTER TABLE audit ADD COLUMN chain INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE audit ADD COLUMN prev TEXT NOT NULL DEFAULT '';
  ALTER TABLE audit ADD COLUMN hash TEXT NOT NULL DEFAULT '';

  -- Outlives the lines: a number is never given twice, and a tail that is cut off is missed.
  CREATE TABLE audit_heads (
    tenant TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    hash TEXT NOT NULL,
    sealed INTEGER NOT NULL DEFAULT 0,
    sealed_at INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE audit_seals (
    tenant TEXT NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, last)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX audit_seals_by_time ON audit_seals (at, last) WHERE removed = 0;
`;
