import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { AuditRecord, TraceRecord } from '@agent-reach/core';
import { idsFrom, silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openSqlite } from '../packages/server/src/storage/sqlite/open.ts';

/**
 * What the embedded store costs: latency, CPU of the process and of the calling thread, and how
 * long its event loop is held up. `node bench/storage.ts [seconds per case]`; the folder is made
 * under TMPDIR, so that names the disk.
 *
 * A disk whose sync takes 5 ms is had by `strace -f --seccomp-bpf -o /dev/null -e
 * trace=fsync,fdatasync -e inject=fsync,fdatasync:delay_exit=5000 node bench/storage.ts`.
 */
const seconds = Number(process.argv[2] ?? 3);
type Storage = Awaited<ReturnType<typeof openSqlite>>;

const random = systemRandom();
const ids = idsFrom(systemClock, random);

const dir = mkdtempSync(join(tmpdir(), 'reach-bench-'));
try {
  await using storage = await openSqlite({
    dir,
    clock: systemClock,
    random,
    log: silentLog,
  });
  console.log(`node ${process.version}, load ${loadavg()[0]?.toFixed(2)}, ${dir}`);
  await measure('idle', () => pause(10));
  await measure('claim, one at a time', () => claim(storage));
  await measure('claim, 50 at a time', () => claim(storage), { writers: 50 });
  await measure('claim, 500 a second', () => claim(storage), { perSecond: 500 });
  await measure('lookup, one at a time', () => lookup(storage));
  const records = async () => callRecords();
  await measure('records made alone, 2000 a second', records, { perSecond: 2_000 });
  await measure('call (hop and line), 200 a second', () => keepCall(storage), { perSecond: 200 });
  await measure('call (hop and line), 2000 a second', () => keepCall(storage), {
    perSecond: 2_000,
  });
} finally {
  rmSync(dir, { recursive: true });
}

function claim(storage: Storage): Promise<unknown> {
  return storage.ledger.claim({
    scope: 'internal:bench',
    key: ids.next('key'),
    fingerprint: 'f'.repeat(64),
    pinned: '{"capability":"query.orders"}',
    token: ids.span(),
    claimMs: 3_000,
    ttlMs: 86_400_000,
    now: 'store',
  });
}

function lookup(storage: Storage): Promise<unknown> {
  return storage.ledger.lookup({ scope: 'internal:bench', key: 'nothing', now: 'store' });
}

function keepCall(storage: Storage): Promise<unknown> {
  const [hop, line] = callRecords();
  return Promise.all([storage.traces.append([hop]), storage.traces.appendAudit([line])]);
}

/** Runs `act` as one writer, as several, or so many times a second, and prints what it cost. */
async function measure(
  name: string,
  act: () => Promise<unknown>,
  how: { writers?: number; perSecond?: number } = {},
): Promise<void> {
  const took: number[] = [];
  const timed = async () => {
    const begin = performance.now();
    await act();
    took.push(performance.now() - begin);
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const end = performance.now() + seconds * 1_000;
  delay.enable();
  const cpu = process.cpuUsage();
  const own = process.threadCpuUsage();
  if (how.perSecond === undefined) {
    const writers = Array.from({ length: how.writers ?? 1 }, async () => {
      while (performance.now() < end) await timed();
    });
    await Promise.all(writers);
  } else await paced(timed, how.perSecond, end);
  const used = process.cpuUsage(cpu);
  const usedHere = process.threadCpuUsage(own);
  delay.disable();
  took.sort((a, b) => a - b);
  const at = (share: number) => (took[Math.floor(took.length * share)] ?? 0).toFixed(2);
  const each = (usage: NodeJS.CpuUsage) => ((usage.user + usage.system) / took.length).toFixed(0);
  console.log(
    `${name.padEnd(36)} ${Math.round(took.length / seconds)}/s  p50 ${at(0.5)} p99 ${at(0.99)} ms` +
      `  CPU ${each(used)} µs, own thread ${each(usedHere)} µs` +
      `  loop p99 ${(delay.percentile(99) / 1e6).toFixed(1)} max ${(delay.max / 1e6).toFixed(1)} ms`,
  );
}

async function paced(act: () => Promise<void>, perSecond: number, end: number): Promise<void> {
  const begin = performance.now();
  const running: Promise<void>[] = [];
  for (let now = begin; now < end; now = performance.now()) {
    const due = Math.floor(((now - begin) * perSecond) / 1_000);
    while (running.length < due) running.push(act());
    await pause(1);
  }
  await Promise.all(running);
}

function callRecords(): [TraceRecord, AuditRecord] {
  const at = systemClock.now();
  const request_id = ids.next('call');
  const trace_id = ids.trace();
  const agent = `agent-${random.below(50)}`;
  return [
    {
      trace_id,
      span_id: ids.span(),
      request_id,
      route_id: ids.next('rte'),
      tenant: 'internal',
      at,
      hop: 0,
      agent_from: 'shop',
      agent_to: agent,
      instance: 'i-1',
      capability: 'query.orders',
      route_strategy: 'exact',
      status_code: 200,
      executed: 'yes',
      retry_count: 0,
      replayed: false,
      execute_ms: 12.25,
      match_ms: 0.125,
      queue_ms: 0.0625,
      agent_ms: 11.5,
      return_ms: 0.125,
      attempts: [
        { agent, instance: 'i-1', started_ms: 0.25, ms: 11.5, status: 200, executed: 'yes' },
      ],
    },
    {
      at,
      tenant: 'internal',
      principal: 'shop',
      operation: 'calls.invoke',
      target: agent,
      capability: 'query.orders',
      request_id,
      trace_id,
      outcome: 'ok',
      executed: 'yes',
      params: '{"order_id":"o-12345","fields":["status","eta"]}',
      result: '{"status":"shipped","eta":"2026-12-01"}',
    },
  ];
}
