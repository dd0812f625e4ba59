import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type AuditRecord, ChainCheck } from '@agent-reach/core';
import { idsFrom, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { type AuditStore, openStores } from './audit/stores.ts';
import { fileSystemOf, load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import { median } from './call/round.ts';

/**
 * What the audit can take: lines of one tenant's chain a second, by writers that wait for each of their
 * lines, and records that are verified a second. `node bench/audit.ts [--rounds=5] [--seconds=1]
 * [--dsn=postgres://127.0.0.1:5432/postgres] [--write]`.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
    dsn: {
      type: 'string',
      default: process.env['REACH_POSTGRES_DSN'] ?? 'postgres://127.0.0.1:5432/postgres',
    },
    write: { type: 'boolean', default: false },
  },
});

const WRITERS = [1, 50, 500] as const;
const LIMITS = `All lines are of one tenant: chains of several tenants are written side by side where the store can. Not
measured: a network between gateway and store, more than one gateway on one chain.`;

const ids = idsFrom(systemClock, systemRandom());
let tenants = 0;

/** Figures of one store, a round each. */
interface Measured {
  name: string;
  /** Lines a second, by how many writers there are. */
  lines: Record<(typeof WRITERS)[number], number[]>;
  verified: number[];
}

async function main(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
  try {
    mkdirSync(join(dir, 'sqlite'));
    const before = load();
    const measured = await measure(dir);
    const text = [
      `${machineFacts()}; data on ${fileSystemOf(dir)}; load before / after ${before} → ${load()} (1 / 5 minutes).`,
      `Medians of ${options.rounds} interleaved rounds of ${options.seconds} s a figure.`,
      '',
      '| lines a second, each waited for | 1 writer | 50 writers | 500 writers | verified a second |',
      '| --- | ---: | ---: | ---: | ---: |',
      ...measured.map(rowOf),
    ].join('\n');
    console.log(`\n${text}`);
    const command = ['npm run bench -- audit', ...process.argv.slice(2)].join(' ');
    if (options.write) keepResults('audit', command, `${text}\n\n${LIMITS}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function rowOf({ name, lines, verified }: Measured): string {
  const figures = [...WRITERS.map((writers) => lines[writers]), verified];
  return `| ${[name, ...figures.map((all) => String(Math.round(median(all))))].join(' | ')} |`;
}

async function measure(dir: string): Promise<Measured[]> {
  await using held = new AsyncDisposableStack();
  const stores = await openStores(dir, options.dsn);
  for (const store of stores) held.use(store);
  const measured = stores.map(({ name }): Measured => {
    return { name, lines: { 1: [], 50: [], 500: [] }, verified: [] };
  });
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [n, store] of stores.entries()) {
      const own = measured[n];
      if (own === undefined) continue;
      for (const writers of WRITERS) own.lines[writers].push(await linesASecond(store, writers));
      own.verified.push(await verifiedASecond(store));
    }
  }
  return measured;
}

async function linesASecond({ storage }: AuditStore, writers: number): Promise<number> {
  const tenant = `bench-${++tenants}`;
  const began = performance.now();
  const until = began + Number(options.seconds) * 1_000;
  let lines = 0;
  const write = async () => {
    while (performance.now() < until) {
      await storage.traces.appendAudit([lineOf(tenant)]);
      lines++;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return (lines * 1_000) / (performance.now() - began);
}

const RECORDS = 10_000;
const PAGE = 1_000;

async function verifiedASecond({ storage }: AuditStore): Promise<number> {
  const tenant = `bench-${++tenants}`;
  for (let n = 0; n < RECORDS; n += PAGE) {
    await storage.traces.appendAudit(Array.from({ length: PAGE }, () => lineOf(tenant)));
  }
  const began = performance.now();
  const check = new ChainCheck({ tenant, from: 1, before: undefined, key: undefined });
  while (check.seq < RECORDS) {
    const links = await storage.traces.auditLinks({ tenant, after: check.seq, limit: PAGE });
    if (links.length === 0) break;
    for (const link of links) check.take(link);
  }
  if (check.faults.length > 0 || check.records !== RECORDS) {
    throw new Error('What was written does not verify.');
  }
  return (RECORDS * 1_000) / (performance.now() - began);
}

function lineOf(tenant: string): AuditRecord {
  return {
    at: systemClock.now(),
    tenant,
    principal: 'agent-monitor-01',
    operation: 'calls.invoke',
    capability: 'query_order_status',
    request_id: ids.next('call'),
    trace_id: ids.trace(),
    outcome: 'ok',
    executed: 'yes',
    params: '{"order_no":"ORD202501180001"}',
  };
}

await main();
