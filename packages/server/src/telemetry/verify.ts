import {
  type AuditFault,
  type AuditHead,
  type AuditLink,
  type AuditReport,
  type AuditSeal,
  ChainCheck,
  isAuditSeal,
  ReachError,
} from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import type { AuditChain, TracesStore } from '../storage/spi/traces.ts';
import { another, type KnownHeads, shorter } from './known-heads.ts';

/** What a chain is checked with. */
export interface VerifyPorts {
  store: TracesStore;
  /** With which seals are made; absent: they are compared with the chain, and not verified. */
  key: (() => Promise<Uint8Array>) | undefined;
  clock: Clock;
  /** How long lines are kept: what is younger may not be gone. */
  auditRetentionMs: number;
  /** Where chains were seen to stand. */
  heads: KnownHeads;
}

/** Which part of a chain is looked at. */
export interface VerifyQuery {
  tenant: string;
  from: number;
  to: number | undefined;
  recordsMax: number;
}

/** Records of one look: 5 ms of the loop, and a megabyte. */
const PAGE = 1_000;

/**
 * Checks part of a chain by its hashes and seals, page by page. Throws `cancelled` when nobody waits for
 * it any more.
 */
export async function verifyChain(
  query: VerifyQuery,
  ports: VerifyPorts,
  signal: AbortSignal,
): Promise<AuditReport> {
  const { store } = ports;
  const { tenant, from } = query;
  const key = await ports.key?.();
  // Before the chain is looked at, which may only have grown by then.
  const known = ports.heads.of(tenant);
  const chain = await store.auditChain({ tenant });
  const head = chain?.seq ?? 0;
  // Without a head there may be records all the same: then it was taken away.
  const to = Math.min(query.to ?? Infinity, chain === undefined ? Infinity : head);
  const start = await beginning(query, head, ports);
  const check = new ChainCheck({ tenant, from, before: start.before, key });
  for (const fault of start.faultsOf(key, ports)) check.note(fault);
  let isEnd = false;
  while (!isEnd && check.seq < to && check.records < query.recordsMax) {
    if (signal.aborted) throw new ReachError('cancelled', 'Nobody waits for the audit any more.');
    const limit = Math.min(PAGE, to - check.seq, query.recordsMax - check.records);
    const links = await store.auditLinks({ tenant, after: check.seq, limit });
    const wanted = links.filter(({ seq }) => seq <= to);
    await takeAll(check, wanted, { store, tenant });
    if (wanted.some((link) => link.seq === known?.seq && link.hash !== known.hash)) {
      check.note(another(known as AuditHead));
    }
    isEnd = wanted.length < limit;
  }
  const next = !isEnd && check.seq < to ? { next: check.seq + 1 } : {};
  if (next.next === undefined) {
    if (to >= head) await judgeEnd(check, { chain, known }, { store, tenant });
    else if (check.seq < to) check.note(missing(check.seq + 1, to));
  }
  const { faults } = check;
  return {
    tenant,
    from,
    to: check.seq,
    head,
    records: check.records,
    seals: check.seals,
    seals_verified: check.sealsVerified,
    intact: faults.length === 0,
    faults,
    faults_more: check.faultsMore,
    ...(start.removed === undefined ? {} : { removed: removedBy(start.removed) }),
    ...next,
  };
}

async function takeAll(
  check: ChainCheck,
  links: readonly AuditLink[],
  { store, tenant }: { store: TracesStore; tenant: string },
): Promise<void> {
  const last = links.at(-1);
  if (last === undefined) return;
  const seals = await store.auditSeals({ tenant, from: check.seq + 1, limit: PAGE });
  for (const seal of seals) if (seal.last_seq <= last.seq) check.await(seal);
  for (const link of links) check.take(link);
}

/** What must be there behind the last record. */
async function judgeEnd(
  check: ChainCheck,
  { chain, known }: { chain: AuditChain | undefined; known: AuditHead | undefined },
  { store, tenant }: { store: TracesStore; tenant: string },
): Promise<void> {
  // First the seal and then the head: what was written and sealed meanwhile is no fault.
  const beyond = await store.auditSeals({ tenant, from: check.seq + 1, limit: 1 });
  const now = await store.auditChain({ tenant });
  for (const seal of beyond) if (seal.last_seq > (now?.seq ?? 0)) check.await(seal);
  check.end(chain);
  const isTold = check.faults.some(({ kind }) => kind === 'truncated');
  if (!isTold && known !== undefined && known.seq > Math.max(check.seq, chain?.seq ?? 0)) {
    check.note(shorter(known, check.seq));
  }
  if (chain === undefined && check.records > 0) {
    const detail = 'where the chain stands is not there any more';
    check.note({ kind: 'changed', seq: check.seq, detail });
  }
}

/** What is not there of a part that ends before the chain does. */
function missing(seq: number, to: number): AuditFault {
  const detail = `the records ${seq} to ${to}, which were asked for, are not there`;
  return { kind: 'gap', seq, detail };
}

/** How a look begins: what the first record follows, and what is gone before it. */
interface Beginning {
  before: { seq: number; hash: string } | undefined;
  /** The seal of what is gone. */
  removed: AuditSeal | undefined;
  faultsOf(key: Uint8Array | undefined, ports: VerifyPorts): AuditReport['faults'];
}

async function beginning(
  { tenant, from }: VerifyQuery,
  head: number,
  { store }: VerifyPorts,
): Promise<Beginning> {
  const [before] = from === 1 ? [] : await store.auditLinks({ tenant, after: from - 2, limit: 1 });
  if (before?.seq === from - 1) return { before, removed: undefined, faultsOf: () => [] };
  const [first] = await store.auditLinks({ tenant, after: from - 1, limit: 1 });
  const kept = first?.seq ?? head + 1;
  const [seal] = kept === 1 ? [] : await store.auditSeals({ tenant, from: kept - 1, limit: 1 });
  if (seal?.last_seq !== kept - 1 || !(await isAllGone(tenant, from, store))) {
    return { before: undefined, removed: undefined, faultsOf: () => [] };
  }
  return {
    before: { seq: seal.last_seq, hash: seal.hash },
    removed: seal,
    faultsOf: (key, ports) => removalFaults(seal, key, ports),
  };
}

/** Whether nothing is kept before a record: retention takes away from the beginning alone. */
async function isAllGone(tenant: string, from: number, store: TracesStore): Promise<boolean> {
  const [first] = await store.auditLinks({ tenant, after: 0, limit: 1 });
  return first === undefined || first.seq >= from;
}

/** What is gone must be old enough, by a seal that holds. */
function removalFaults(
  seal: AuditSeal,
  key: Uint8Array | undefined,
  { clock, auditRetentionMs }: VerifyPorts,
): AuditReport['faults'] {
  const { first_seq: seq, last_seq: last, sealed_at: at } = seal;
  if (key !== undefined && isAuditSeal(seal, key) !== true) {
    const detail = `the seal of ${seq} to ${last}, which are gone, was not made with the key`;
    return [{ kind: 'seal-mismatch', seq, detail }];
  }
  if (at <= clock.now() - auditRetentionMs) return [];
  const detail = `records ${seq} to ${last} are gone and were sealed less than audit.retention ago`;
  return [{ kind: 'gap', seq, detail }];
}

function removedBy({ last_seq, sealed_at }: AuditSeal) {
  return { last_seq, sealed_at };
}
