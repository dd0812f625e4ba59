import { createHash, createHmac, hash as hashOnce, timingSafeEqual } from 'node:crypto';
import { canonicalize } from './jcs.ts';
import type { AuditRecord, AuditSeal } from './trace.ts';

// Light on purpose: the thread of a store links its lines, and must not load all of core for it.

/** Where a chain stands: its last record. */
export interface AuditHead {
  /** 0: it has none yet. */
  seq: number;
  /** SHA-256 in hex. */
  hash: string;
}

/** One record of a chain as it is kept. */
export interface AuditLink extends AuditHead {
  /** The hash of the record before it. */
  prev: string;
  /** The canonical text (RFC 8785) of the line with its `seq` and form `v`: what is hashed. */
  record: string;
}

/** Where every chain begins. */
export const AUDIT_GENESIS: AuditHead = { seq: 0, hash: '0'.repeat(64) };

/** The form of a record; a later one would say another number. */
const FORM = 1;

/** What binds a record to the one before it. */
export function auditHash(prev: string, record: string): string {
  return hashOnce('sha256', `reach.audit.v1\n${prev}\n${record}`, 'hex');
}

/** The next record of a chain. */
export function auditLink(head: AuditHead, line: AuditRecord): AuditLink {
  const seq = head.seq + 1;
  const record = canonicalLine({ ...line, seq, v: FORM });
  return { seq, prev: head.hash, hash: auditHash(head.hash, record), record };
}

/** The next records of a chain, in the order of the lines. */
export function auditLinks(head: AuditHead, lines: readonly AuditRecord[]): AuditLink[] {
  let last = head;
  return lines.map((line) => {
    const link = auditLink(last, line);
    last = link;
    return link;
  });
}

/** The line of a record, with its number, as a search answers it. */
export function auditLine(record: string): AuditRecord & { seq: number } {
  const { v: _, ...line } = JSON.parse(record) as AuditRecord & { seq: number; v: number };
  return line;
}

/** The text that was hashed, of a record that was read as JSON. */
export function auditRecordText(record: unknown): string {
  return canonicalize(record);
}

/** RFC 8785 of an object that holds texts and whole numbers alone: three times as fast as of any. */
function canonicalLine(line: Readonly<Record<string, unknown>>): string {
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(line).sort()) sorted[name] = line[name];
  return JSON.stringify(sorted);
}

/** What a seal vouches for. */
export type AuditSealed = Omit<AuditSeal, 'key' | 'mac'>;

/** A seal under a key of 32 bytes; without one it marks where a segment ends and vouches for nothing. */
export function sealAudit(sealed: AuditSealed, key: Uint8Array | undefined): AuditSeal {
  if (key === undefined) return { ...sealed, key: '', mac: '' };
  return { ...sealed, key: auditKeyId(key), mac: macOf(sealed, key).toString('hex') };
}

/** Whether a seal was made with this key; undefined: it was made with another, or with none. */
export function isAuditSeal(seal: AuditSeal, key: Uint8Array | undefined): boolean | undefined {
  if (key === undefined || seal.key !== auditKeyId(key)) return undefined;
  const given = Buffer.from(seal.mac, 'hex');
  const right = macOf(seal, key);
  return given.length === right.length && timingSafeEqual(given, right);
}

/** Which key it is: said with every seal. */
export function auditKeyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8);
}

function macOf(sealed: AuditSealed, key: Uint8Array): Buffer {
  const { tenant, first_seq, last_seq, hash, sealed_at } = sealed;
  const text = canonicalLine({ tenant, first_seq, last_seq, hash, sealed_at });
  return createHmac('sha256', key).update(`reach.audit.seal.v1\n${text}`).digest();
}
