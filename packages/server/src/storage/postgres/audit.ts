import type { AuditRecord, AuditSeal } from '@agent-reach/core';
import {
  AUDIT_GENESIS,
  type AuditHead,
  type AuditLink,
  auditLine,
  auditLinks as linked,
} from '@agent-reach/core/audit-chain';
import type { AuditChain, TracesStore } from '../spi/traces.ts';
import { type Columns, columnsOf, keepText, rowsText } from './bulk.ts';
import type { Operation } from './operation.ts';
import { Search } from './search.ts';
import type { Transaction } from './transaction.ts';

/**
 * Keeps audit lines. Whoever holds the row of a chain's head is the next one to append to it: a lock on
 * the last record would not keep another one from following it.
 */
export async function keepLines(tx: Transaction, records: AuditRecord[]): Promise<void> {
  const chains = Map.groupBy(records, (line) => line.tenant);
  const heads = await lockHeads(tx, [...chains.keys()]);
  const rows: LineRow[] = [];
  const moved: HeadRow[] = [];
  for (const [tenant, lines] of chains) {
    const links = linked(heads.get(tenant) ?? AUDIT_GENESIS, lines);
    for (const [n, link] of links.entries()) rows.push(rowOf(lines[n] as AuditRecord, link));
    const { seq, hash } = links.at(-1) as AuditLink;
    moved.push({ tenant, seq, hash });
  }
  tx.put(KEEP_LINES, columnsOf(LINE_COLUMNS, rows));
  tx.put(MOVE_HEADS, columnsOf(HEAD_COLUMNS, moved));
}

/** In the order of the tenants, so that two gateways never wait for each other. */
async function lockHeads(tx: Transaction, tenants: string[]): Promise<Map<string, AuditHead>> {
  const sorted = tenants.sort();
  tx.put(MAKE_HEADS, [sorted]);
  const heads = await tx.writeRows<HeadRow>(LOCK_HEADS, [sorted]);
  return new Map(heads.map(({ tenant, ...head }) => [tenant, head]));
}

export const findAudit: Operation<TracesStore['findAudit']> = async (tx, query) => {
  const search = new Search('audit', query);
  search.where('trace_id = ?', query.traceId);
  search.where('request_id = ?', query.requestId);
  search.where('principal = ?', query.principal);
  search.where('target = ?', query.target);
  return (await search.ask(tx)).map(({ body }) => auditLine(body));
};

export const auditChains: Operation<TracesStore['auditChains']> = (tx, { after, limit }) =>
  tx.rows<AuditChain>(`${CHAINS} WHERE tenant > $1 AND seq > 0 ORDER BY tenant LIMIT $2`, [
    after,
    limit,
  ]);

export const auditChain: Operation<TracesStore['auditChain']> = async (tx, { tenant }) =>
  (await tx.rows<AuditChain>(`${CHAINS} WHERE tenant = $1 AND seq > 0`, [tenant]))[0];

export const auditLinks: Operation<TracesStore['auditLinks']> = (tx, { tenant, after, limit }) =>
  tx.rows<AuditLink>(LINKS, [tenant, after, limit]);

export const keepSeal: Operation<TracesStore['keepSeal']> = async (tx, seal) => {
  const { tenant, first_seq: first, last_seq: last, sealed_at: at } = seal;
  // The row is locked by this, so of two gateways one finds that the other was faster.
  const moved = await tx.write(MOVE_SEALED, [tenant, first - 1, last, at]);
  if (moved === 0) return 'conflict';
  tx.put(KEEP_SEAL, [tenant, first, last, at, JSON.stringify(seal)]);
  return 'stored';
};

export const auditSeals: Operation<TracesStore['auditSeals']> = async (
  tx,
  { tenant, from, limit },
) => {
  const rows = await tx.rows<{ body: string }>(SEALS, [tenant, from, limit]);
  return rows.map(({ body }) => JSON.parse(body) as AuditSeal);
};

/** Forgets the oldest segment that was sealed before a moment; answers how many lines it had. */
export async function pruneSegment(tx: Transaction, before: number): Promise<number> {
  const [segment] = await tx.writeRows<{ tenant: string; last: number }>(TAKE_SEGMENT, [before]);
  if (segment === undefined) return 0;
  return tx.write('DELETE FROM audit WHERE tenant = $1 AND chain <= $2', [
    segment.tenant,
    segment.last,
  ]);
}

/** Puts the lines that were kept before there were chains into them, in the order they were kept. */
export async function chainOldLines(tx: Transaction): Promise<void> {
  const heads = new Map<string, AuditHead>();
  for (let after = 0; ; ) {
    const rows = await tx.rows<OldLine>(OLD_LINES, [after, OLD_LINES_MAX]);
    const chained = rows.map(({ seq, tenant, body }) => {
      const head = heads.get(tenant) ?? AUDIT_GENESIS;
      const [link] = linked(head, [JSON.parse(body) as AuditRecord]);
      const { seq: chain, prev, hash, record } = link as AuditLink;
      heads.set(tenant, { seq: chain, hash });
      return { seq, chain, prev, hash, body: record };
    });
    if (rows.length > 0) await tx.write(CHAIN_LINES, columnsOf(CHAINED_COLUMNS, chained));
    after = rows.at(-1)?.seq ?? after;
    if (rows.length < OLD_LINES_MAX) break;
  }
  const moved = [...heads].map(([tenant, head]) => ({ tenant, ...head }));
  tx.put(MAKE_HEADS, [moved.map(({ tenant }) => tenant)]);
  tx.put(MOVE_HEADS, columnsOf(HEAD_COLUMNS, moved));
  // Not before: so far all of them were number 0.
  await tx.script('CREATE UNIQUE INDEX audit_by_chain ON audit (tenant, chain)');
}

interface OldLine {
  seq: number;
  tenant: string;
  body: string;
}

type HeadRow = AuditHead & { tenant: string };
type LineRow = Record<keyof typeof LINE_COLUMNS, string | number | undefined>;

function rowOf(line: AuditRecord, { seq, prev, hash, record }: AuditLink): LineRow {
  return {
    tenant: line.tenant,
    at: line.at,
    trace_id: line.trace_id,
    request_id: line.request_id,
    principal: line.principal,
    target: line.target,
    body: record,
    chain: seq,
    prev,
    hash,
  };
}

const LINE_COLUMNS = {
  tenant: 'text',
  at: 'bigint',
  trace_id: 'text',
  request_id: 'text',
  principal: 'text',
  target: 'text',
  body: 'text',
  chain: 'bigint',
  prev: 'text',
  hash: 'text',
} as const;

const HEAD_COLUMNS: Columns<HeadRow> = { tenant: 'text', seq: 'bigint', hash: 'text' };

const CHAINED_COLUMNS = {
  seq: 'bigint',
  chain: 'bigint',
  prev: 'text',
  hash: 'text',
  body: 'text',
} as const;

const KEEP_LINES = keepText('audit', LINE_COLUMNS);

const MAKE_HEADS = `
  INSERT INTO audit_heads (tenant, seq, hash)
  SELECT tenant, ${AUDIT_GENESIS.seq}, '${AUDIT_GENESIS.hash}' FROM unnest($1::text[]) AS tenant
  ON CONFLICT (tenant) DO NOTHING`;

const LOCK_HEADS = `
  SELECT tenant, seq, hash FROM audit_heads WHERE tenant = ANY ($1::text[])
  ORDER BY tenant FOR UPDATE`;

const MOVE_HEADS = `
  UPDATE audit_heads SET seq = rows.seq, hash = rows.hash FROM ${rowsText(HEAD_COLUMNS)}
  WHERE audit_heads.tenant = rows.tenant`;

const CHAINS = `
  SELECT tenant, seq, hash, sealed AS "sealedSeq", sealed_at AS "sealedAt" FROM audit_heads`;

const LINKS = `
  SELECT chain AS seq, prev, hash, body AS record FROM audit
  WHERE tenant = $1 AND chain > $2 ORDER BY chain LIMIT $3`;

const MOVE_SEALED = `
  UPDATE audit_heads SET sealed = $3, sealed_at = $4 WHERE tenant = $1 AND sealed = $2`;

const KEEP_SEAL =
  'INSERT INTO audit_seals (tenant, first, last, at, body) VALUES ($1, $2, $3, $4, $5)';

const SEALS = `
  SELECT body FROM audit_seals WHERE tenant = $1 AND last >= $2 ORDER BY last LIMIT $3`;

/** Seals of one chain follow each other in time, so the oldest is the first one of its chain. */
const TAKE_SEGMENT = `
  UPDATE audit_seals SET removed = true WHERE (tenant, last) = (
    SELECT tenant, last FROM audit_seals WHERE NOT removed AND at < $1
    ORDER BY at, last LIMIT 1 FOR UPDATE)
  RETURNING tenant, last`;

const OLD_LINES_MAX = 1_000;

const OLD_LINES = 'SELECT seq, tenant, body FROM audit WHERE seq > $1 ORDER BY seq LIMIT $2';

const CHAIN_LINES = `
  UPDATE audit SET chain = rows.chain, prev = rows.prev, hash = rows.hash, body = rows.body
  FROM ${rowsText(CHAINED_COLUMNS)} WHERE audit.seq = rows.seq`;

/** What the audit needs since it is a chain; a fork would be one number given twice. */
export const CHAIN_SCHEMA = `
  ALTER TABLE audit ADD COLUMN chain bigint NOT NULL DEFAULT 0;
  ALTER TABLE audit ADD COLUMN prev text NOT NULL DEFAULT '';
  ALTER TABLE audit ADD COLUMN hash text NOT NULL DEFAULT '';

  -- Outlives the lines: a number is never given twice, and a tail that is cut off is missed.
  CREATE TABLE audit_heads (
    tenant word PRIMARY KEY,
    seq bigint NOT NULL,
    hash text NOT NULL,
    sealed bigint NOT NULL DEFAULT 0,
    sealed_at bigint NOT NULL DEFAULT 0
  ) WITH (fillfactor = 50);

  CREATE TABLE audit_seals (
    tenant word NOT NULL,
    first bigint NOT NULL,
    last bigint NOT NULL,
    at bigint NOT NULL,
    body text NOT NULL,
    removed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tenant, last)
  );
  CREATE INDEX audit_seals_by_time ON audit_seals (at, last) WHERE NOT removed;
`;
