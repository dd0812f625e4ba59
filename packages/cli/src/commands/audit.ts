import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type AuditFault,
  type AuditLinkView,
  type AuditReport,
  type AuditSeal,
  auditRecordText,
  ChainCheck,
  type Output,
} from '@agent-reach/core';
import type { Reach } from '@agent-reach/sdk';
import { EXIT, UsageError } from '../failure.ts';
import { readCount } from '../input.ts';
import { moment } from '../render/moments.ts';
import type { Page } from '../render/page.ts';
import { type Column, type Fact, facts, table } from '../render/table.ts';
import type { Session } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';
import { given, type Use } from '../use.ts';

/** Of one question: a page of records, or as many as are verified at once. */
const PAGE = 1_000;
const TIMEOUT_MS = 30_000;

/** `reach audit export`: a line of JSON for each record and each seal, as `verify --file` reads them. */
export async function exportAudit(use: Use, session: Session): Promise<void> {
  const after = readCount(use.text('after'), '--after') ?? 0;
  const { out } = session.world;
  await session.withReach(async (reach) => {
    for await (const { links, seals } of pages(reach, session, after)) {
      for (const seal of seals) out.write(`${JSON.stringify({ seal })}\n`);
      for (const link of links) out.write(`${JSON.stringify(link)}\n`);
    }
  });
}

/** `reach audit verify`: fails when the audit is not what was written. */
export async function verifyAudit(use: Use, session: Session): Promise<number> {
  const file = use.text('file');
  const sealsFile = use.text('seals');
  const outside = sealsFile === undefined ? [] : await readSeals(sealsFile, session);
  const report =
    file === undefined
      ? await session.withReach((reach) => verifyThere(use, session, { reach, outside }))
      : await verifyFile(file, session, outside);
  session.answer(report, (page) => reportText(report, page));
  return report.intact ? EXIT.ok : EXIT.failed;
}

/** Asks the gateway, some records at a time; seals of another place are held to the records here. */
async function verifyThere(
  use: Use,
  session: Session,
  { reach, outside }: { reach: Reach; outside: readonly AuditSeal[] },
): Promise<AuditReport> {
  using going = untilStopped(session.world);
  const { signal } = going;
  const to = readCount(use.text('to'), '--to');
  let from = readCount(use.text('from'), '--from') ?? 1;
  let sum: AuditReport | undefined;
  for (;;) {
    const input = { from, ...given({ to }) };
    const part = await reach.invoke('audit.verify', input, { signal, timeoutMs: TIMEOUT_MS });
    sum = sum === undefined ? part : joined(sum, part);
    if (part.next === undefined) break;
    from = part.next;
  }
  if (outside.length === 0) return sum;
  const own = new FileCheck(outside);
  for await (const { links } of pages(reach, session, 0)) for (const link of links) own.take(link);
  const faults = [...sum.faults, ...own.end(sum.tenant)];
  return { ...sum, faults, seals: sum.seals + own.seals, intact: faults.length === 0 };
}

function joined(sum: AuditReport, part: AuditReport): AuditReport {
  const { next: _, ...rest } = sum;
  return {
    ...rest,
    ...(part.next === undefined ? {} : { next: part.next }),
    to: part.to,
    head: part.head,
    records: sum.records + part.records,
    seals: sum.seals + part.seals,
    seals_verified: sum.seals_verified + part.seals_verified,
    intact: sum.intact && part.intact,
    faults: [...sum.faults, ...part.faults].slice(0, FAULTS_MAX),
    faults_more: sum.faults_more + part.faults_more,
  };
}

/** What is listed of a chain that is broken everywhere. */
const FAULTS_MAX = 100;

/** Checks what `export` wrote, without a gateway. Seals are held to the records; nobody has the key here. */
async function verifyFile(
  path: string,
  session: Session,
  outside: readonly AuditSeal[],
): Promise<AuditReport> {
  const check = new FileCheck(outside);
  for await (const line of linesOf(path, session)) {
    if (isSealLine(line)) check.seal(line.seal);
    else if (isLink(line)) check.take(line);
    else throw new UsageError(`${path} is not what reach audit export writes.`);
  }
  const faults = check.end();
  return {
    tenant: check.tenant,
    from: check.from,
    to: check.seq,
    head: check.seq,
    records: check.records,
    seals: check.seals,
    seals_verified: 0,
    intact: faults.length === 0,
    faults,
    faults_more: check.faultsMore,
  };
}

/** A check that learns from the first record whose chain it is, and where it begins. */
class FileCheck {
  readonly #seals: AuditSeal[];
  #check: ChainCheck | undefined;
  tenant = '';
  from = 1;

  constructor(outside: readonly AuditSeal[]) {
    this.#seals = [...outside];
  }

  get seq(): number {
    return this.#check?.seq ?? 0;
  }

  get records(): number {
    return this.#check?.records ?? 0;
  }

  get seals(): number {
    return this.#check?.seals ?? 0;
  }

  get faultsMore(): number {
    return this.#check?.faultsMore ?? 0;
  }

  /** Before the record it ends with. */
  seal(seal: AuditSeal): void {
    if (this.#check === undefined) this.#seals.push(seal);
    else this.#check.await(seal);
  }

  take({ record, ...link }: AuditLinkView): void {
    this.#check ??= this.#begin(record.tenant, link.seq);
    this.#check.take({ ...link, record: auditRecordText(record) });
  }

  end(tenant?: string): AuditFault[] {
    this.#check ??= this.#begin(tenant ?? this.#seals[0]?.tenant ?? '', 1);
    this.#check.end(undefined);
    return this.#check.faults;
  }

  #begin(tenant: string, from: number): ChainCheck {
    this.tenant = tenant;
    this.from = from;
    const own = this.#seals.filter((seal) => seal.tenant === tenant);
    const gone = own.find((seal) => seal.last_seq === from - 1);
    const before = gone && { seq: gone.last_seq, hash: gone.hash };
    const check = new ChainCheck({ tenant, from, before });
    for (const seal of own) if (seal.last_seq >= from) check.await(seal);
    return check;
  }
}

async function* pages(reach: Reach, session: Session, from: number) {
  using going = untilStopped(session.world);
  for (let after: number | undefined = from; after !== undefined; ) {
    const input = { after, limit: PAGE };
    const options = { signal: going.signal, timeoutMs: TIMEOUT_MS };
    const page: Output<'audit.export'> = await reach.invoke('audit.export', input, options);
    yield page;
    after = page.next;
  }
}

/** The lines of the second place: a year of them for each tenant is some 50,000. */
const SEALS_MAX = 1_000_000;

async function readSeals(path: string, session: Session): Promise<AuditSeal[]> {
  const seals: AuditSeal[] = [];
  for await (const line of linesOf(path, session)) {
    const seal = isSealLine(line) ? line.seal : line;
    if (!isSeal(seal)) throw new UsageError(`${path} holds a line that is no seal.`);
    if (seals.length >= SEALS_MAX) throw new UsageError(`${path} holds over ${SEALS_MAX} seals.`);
    seals.push(seal);
  }
  return seals;
}

async function* linesOf(path: string, { world }: Session): AsyncGenerator {
  const input = createReadStream(resolve(world.cwd, path));
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() !== '') yield JSON.parse(line);
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : message;
    throw new UsageError(`${path} cannot be read: ${why}.`);
  }
}

function isSeal(value: unknown): value is AuditSeal {
  const { tenant, last_seq: last, hash } = (value ?? {}) as Partial<AuditSeal>;
  return typeof tenant === 'string' && typeof last === 'number' && typeof hash === 'string';
}

function isSealLine(value: unknown): value is { seal: AuditSeal } {
  return isSeal((value as { seal?: unknown } | null)?.seal);
}

function isLink(value: unknown): value is AuditLinkView {
  const { seq, prev, hash, record } = (value ?? {}) as Partial<AuditLinkView>;
  const isRecord = typeof record === 'object' && record !== null;
  return (
    typeof seq === 'number' && typeof prev === 'string' && typeof hash === 'string' && isRecord
  );
}

function reportText(report: AuditReport, page: Page): string {
  const { records, seals, removed, faults } = report;
  const list: Fact[] = [
    ['audit', report.intact ? 'intact' : 'NOT INTACT', report.intact ? 'green' : 'red'],
    ['tenant', report.tenant],
    ['records', records === 0 ? 'none' : `${records}, ${report.from} to ${report.to}`],
    ['seals', seals === 0 ? 'none' : `${seals}, ${report.seals_verified} verified by the key`],
    ['removed', removed && `up to ${removed.last_seq}, sealed ${moment(removed.sealed_at, false)}`],
    ['more faults', report.faults_more === 0 ? undefined : report.faults_more],
  ];
  const shown = faults.length === 0 ? '' : table(faults, FAULTS, page);
  return `${facts(list, page)}${shown}`;
}

const FAULTS: Column<AuditFault>[] = [
  { title: 'SEQ', of: ({ seq }) => seq, align: 'right' },
  { title: 'FAULT', of: ({ kind }) => kind },
  { title: 'DETAIL', of: ({ detail }) => detail, flexible: true },
];
