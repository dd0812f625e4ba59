import type { AuditRecord, AuditSeal } from '@agent-reach/core';
import { type AuditLink, auditLine } from '@agent-reach/core/audit-chain';
import type { AuditChain, AuditQuery, TracesStore } from '../../spi/traces.ts';
import { list, PIECE, pieces } from '../arguments.ts';
import type { Engine, Reply } from '../engine.ts';
import { items, json } from '../rows.ts';
import { boundsOf, collect, wordOf } from './search.ts';

/** What the audit of a store is asked for, all but to append to it. */
type AuditReads = Pick<
  TracesStore,
  'findAudit' | 'auditChains' | 'auditChain' | 'auditLinks' | 'keepSeal' | 'auditSeals'
>;

/**
 * Each tenant's chain is a stream whose entries have the numbers of the records, its head a hash that
 * outlives them, and its index a sorted set as that of the hops.
 */
export function auditOn(engine: Engine): AuditReads {
  const chainOf = async (tenant: string): Promise<AuditChain | undefined> => {
    const found = items(await engine.run('traces/audit-chain', [tenant])).map(String);
    const [seq, hash = '', sealedSeq, sealedAt] = found;
    if (seq === undefined) return undefined;
    const numbers = { seq: Number(seq), sealedSeq: Number(sealedSeq), sealedAt: Number(sealedAt) };
    return { tenant, hash, ...numbers };
  };
  return {
    findAudit: (query) => find(engine, query),
    auditChain: ({ tenant }) => chainOf(tenant),
    auditChains: async ({ after, limit }) => {
      const tenants = items(await engine.run('traces/audit-chains', [after, limit])).map(String);
      const chains = await Promise.all(tenants.map(chainOf));
      return chains.filter((chain) => chain !== undefined);
    },
    auditLinks: async ({ tenant, after, limit }) => {
      const links: AuditLink[] = [];
      while (links.length < limit) {
        const size = Math.min(PIECE, limit - links.length);
        const from = links.at(-1)?.seq ?? after;
        const page = items(await engine.run('traces/audit-links', [tenant, from, size])).map(
          toLink,
        );
        links.push(...page);
        if (page.length < size) break;
      }
      return links;
    },
    keepSeal: async (seal) => {
      const { tenant, first_seq: first, last_seq: last, sealed_at: at } = seal;
      const words = [tenant, first, last, at, JSON.stringify(seal)];
      const [outcome] = items(await engine.run('traces/audit-seal', words));
      return outcome as 'stored' | 'conflict';
    },
    auditSeals: async ({ tenant, from, limit }) => {
      const seals = items(await engine.run('traces/audit-seals', [tenant, from, limit]));
      return seals.map((seal) => json(seal) as AuditSeal);
    },
  };
}

/** Forgets the oldest segment that was sealed before a moment; answers how many records it had. */
export async function forgetSegment(engine: Engine, before: number): Promise<number> {
  const [tenant, last] = items(await engine.run('traces/audit-oldest', [before])).map(String);
  if (tenant === undefined) return 0;
  // First out of the index, some at a time; then all at once, so that no half of a segment is left.
  const { auditLinks } = auditOn(engine);
  for (let after = 0; ; ) {
    const links = await auditLinks({ tenant, after, limit: PIECE });
    const old = links.filter(({ seq }) => seq <= Number(last));
    if (old.length > 0) await unlist(engine, tenant, old);
    if (old.length < PIECE) break;
    after = old.at(-1)?.seq ?? after;
  }
  return Number(await engine.run('traces/audit-forget', [tenant, Number(last)]));
}

/** Under which words a line is found. */
export function wordsOf(line: AuditRecord): string[] {
  return [
    'at',
    ...(line.trace_id === undefined ? [] : [`trace ${line.trace_id}`]),
    ...(line.request_id === undefined ? [] : [`request ${line.request_id}`]),
  ];
}

async function unlist(engine: Engine, tenant: string, links: readonly AuditLink[]): Promise<void> {
  for (const piece of pieces(links)) {
    const told = piece.flatMap(({ seq, record }) => {
      const line = auditLine(record);
      return [line.at, seq, ...list(wordsOf(line))];
    });
    await engine.run('traces/audit-unlist', [tenant, piece.length, ...told]);
  }
}

function find(engine: Engine, query: AuditQuery): ReturnType<TracesStore['findAudit']> {
  const { tenant } = query;
  const [first, last] = boundsOf({ ...query, word: wordOf(query) });
  return collect({
    limit: query.limit,
    last,
    page: async (from) => {
      const words = [tenant, from, first, PIECE];
      const found = items(await engine.run('traces/audit-find', words));
      const rows = found.map((entry) => auditLine(String(items(entry)[1])));
      return { rows, ...(found.length < PIECE ? {} : { end: String(items(found.at(-1))[0]) }) };
    },
    isWanted: (line) => isLine(line, query),
  });
}

function isLine(line: AuditRecord, query: AuditQuery): boolean {
  return (
    (query.traceId === undefined || query.traceId === line.trace_id) &&
    (query.requestId === undefined || query.requestId === line.request_id) &&
    (query.principal === undefined || query.principal === line.principal) &&
    (query.target === undefined || query.target === line.target)
  );
}

function toLink(reply: Reply): AuditLink {
  const [id = '', prev = '', hash = '', record = ''] = items(reply).map(String);
  return { seq: Number.parseInt(id, 10), prev, hash, record };
}
