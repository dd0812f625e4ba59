import {
  AUDIT_GENESIS,
  type AuditHead,
  type AuditLink,
  auditHash,
  isAuditSeal,
} from './audit-chain.ts';
import type { AuditFault, AuditSeal } from './trace.ts';

/** More faults of one chain are counted, not listed: it is lost as evidence by then. */
const FAULTS_MAX = 20;

/** What a chain is checked against. */
export interface ChainCheckOptions {
  tenant: string;
  /** The first number to be checked. */
  from: number;
  /** The record before it, as it stands there; undefined: the chain begins with what comes first. */
  before?: AuditHead | undefined;
  /** With which seals are made; undefined: they are compared with the chain, and not verified. */
  key?: Uint8Array | undefined;
}

/**
 * Checks a chain record by record, in memory that does not grow with it. Records come in the order of
 * their numbers, seals before the record they end with.
 */
export class ChainCheck {
  readonly faults: AuditFault[] = [];
  faultsMore = 0;
  records = 0;
  /** Seals that were compared with the chain, and those of them that the key vouches for. */
  seals = 0;
  sealsVerified = 0;
  readonly #options: ChainCheckOptions;
  /** The last record that was looked at; undefined: none was yet. */
  #last: (AuditHead & { prev: string; isBad: boolean }) | undefined;
  /** By the number of the record that a seal ends with. */
  readonly #awaited = new Map<number, AuditSeal[]>();

  constructor(options: ChainCheckOptions) {
    this.#options = options;
    const { before } = options;
    if (before !== undefined) this.#last = { ...before, prev: '', isBad: false };
  }

  /** The number of the last record that was looked at, or of the one before the first. */
  get seq(): number {
    return this.#last?.seq ?? this.#options.from - 1;
  }

  /** Awaits the record with which a seal ends. */
  await(seal: AuditSeal): void {
    const { key, tenant } = this.#options;
    if (seal.tenant !== tenant) return;
    const verdict = isAuditSeal(seal, key);
    if (verdict === true) this.sealsVerified += 1;
    else if (key !== undefined)
      this.#fault('seal-mismatch', seal.first_seq, unverified(seal, verdict));
    const others = this.#awaited.get(seal.last_seq);
    if (others === undefined) this.#awaited.set(seal.last_seq, [seal]);
    else others.push(seal);
  }

  /** Looks at the next record. */
  take(link: AuditLink): void {
    this.records += 1;
    const expected = this.seq + 1;
    const isBad = this.#judge(link, expected);
    this.#last = { seq: link.seq, hash: link.hash, prev: link.prev, isBad };
    for (const seal of this.#awaited.get(link.seq) ?? []) this.#compare(seal, link);
    this.#awaited.delete(link.seq);
  }

  /**
   * Says what is missing at the end: `head` is where the chain stands, and a seal beyond the last
   * record vouches for records that are not there.
   */
  end(head: AuditHead | undefined): void {
    const seq = this.#last?.seq ?? this.#options.from - 1;
    const sealed = Math.max(0, ...this.#awaited.keys());
    const known = Math.max(sealed, head?.seq ?? 0);
    if (known > seq) {
      const by = sealed > (head?.seq ?? 0) ? 'a seal' : 'the head of the chain';
      this.#fault(
        'truncated',
        seq + 1,
        `the records up to ${known}, of which ${by} tells, are not there`,
      );
    } else if (head !== undefined && head.seq === seq && this.#last !== undefined) {
      if (head.hash !== this.#last.hash && !this.#last.isBad) {
        this.#fault('changed', seq, 'the head of the chain vouches for another last record');
      }
    }
  }

  /** Lists what its user found besides, unless too much is listed already. */
  note({ kind, seq, detail }: AuditFault): void {
    this.#fault(kind, seq, detail);
  }

  #judge(link: AuditLink, expected: number): boolean {
    const { seq } = link;
    const last = this.#last;
    if (last !== undefined && seq === last.seq) {
      return this.#fault('fork', seq, 'two records have this number');
    }
    if (seq !== expected) {
      const many = seq - expected === 1 ? '' : ` to ${seq - 1}`;
      this.#fault('gap', expected, `record ${expected}${many} is not there`);
      return this.#judgeItself(link);
    }
    if (this.#judgeItself(link)) return true;
    const before = last ?? (seq === 1 ? { ...AUDIT_GENESIS, prev: '', isBad: false } : undefined);
    if (before === undefined || before.isBad || link.prev === before.hash) return false;
    if (before.prev !== '' && link.prev === before.prev) {
      return this.#fault('fork', seq, `it follows the same record as ${before.seq} does`);
    }
    const at = before.seq < this.#options.from ? seq : before.seq;
    this.#fault('changed', at, `record ${seq} vouches for another one before it`);
    return false;
  }

  /** What a record says of itself, whatever is before it. */
  #judgeItself({ seq, prev, hash, record }: AuditLink): boolean {
    const said = saidIn(record);
    const isWhole = auditHash(prev, record) === hash;
    if (said?.seq !== undefined && said.seq !== seq && isWhole) {
      return this.#fault(
        'reordered',
        seq,
        `record ${JSON.stringify(said.seq)} stands in its place`,
      );
    }
    if (!isWhole) return this.#fault('changed', seq, 'its hash is not that of its text');
    if (said?.seq === seq && said.tenant === this.#options.tenant) return false;
    return this.#fault('changed', seq, 'its text is not that of a record of this chain');
  }

  #compare(seal: AuditSeal, link: AuditLink): void {
    this.seals += 1;
    if (seal.hash === link.hash) return;
    const detail = `${spanOf(seal)} vouches for another record ${seal.last_seq}`;
    this.#fault('seal-mismatch', seal.first_seq, detail);
  }

  #fault(kind: AuditFault['kind'], seq: number, detail: string): true {
    if (this.faults.length < FAULTS_MAX) this.faults.push({ kind, seq, detail });
    else this.faultsMore += 1;
    return true;
  }
}

function spanOf({ first_seq: first, last_seq: last }: AuditSeal): string {
  return `the seal of ${first} to ${last}`;
}

function unverified(seal: AuditSeal, verdict: false | undefined): string {
  if (verdict === false) return `${spanOf(seal)} was not made with the key that it names`;
  const by = seal.key === '' ? 'without a key' : `with another key, ${seal.key}`;
  return `${spanOf(seal)} was made ${by}: it vouches for nothing`;
}

function saidIn(record: string): { seq?: unknown; tenant?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(record);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
