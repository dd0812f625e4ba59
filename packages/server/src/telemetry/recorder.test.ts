import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditRecord, TraceRecord } from '@agent-reach/core';
import type { Log } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import type { TracesStore } from '../storage/spi/traces.ts';
import { Recorder } from './recorder.ts';

const BATCH_MAX = 512;
const WAITING_MAX = 10_000;

/** Records differ by their number alone: the recorder looks into none. */
const hop = (n: number) => ({ hop: n }) as TraceRecord;
const line = (n: number) => ({ at: n }) as AuditRecord;

interface Write {
  kind: 'traces' | 'audit';
  numbers: number[];
  answer: PromiseWithResolvers<void>;
}

/** A recorder on a store that answers when the test says so, or at once. */
function steered({ atOnce = true } = {}) {
  const clock = new ManualClock();
  const writes: Write[] = [];
  const lines: AuditRecord[] = [];
  const said: { level: string; fields: Record<string, unknown> }[] = [];
  const note = (level: string) => (fields: object) =>
    void said.push({ level, fields: { ...fields } });
  const log: Log = {
    debug: note('debug'),
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
  };
  const take = (kind: Write['kind'], numbers: number[]) => {
    const write = { kind, numbers, answer: Promise.withResolvers<void>() };
    writes.push(write);
    if (atOnce) write.answer.resolve();
    return write.answer.promise;
  };
  const store = {
    append: (records: TraceRecord[]) =>
      take(
        'traces',
        records.map((record) => record.hop),
      ),
    appendAudit: (records: AuditRecord[]) => {
      lines.push(...records);
      return take(
        'audit',
        records.map((record) => record.at),
      );
    },
  } as TracesStore;
  return { clock, writes, lines, said, recorder: new Recorder(store, clock, log) };
}

const shape = (writes: Write[]) => writes.map(({ kind, numbers }) => [kind, numbers]);

test('records leave in one batch 50 ms after the first of them', async () => {
  const { clock, recorder, writes } = steered();
  recorder.trace(hop(1));
  await clock.advance(30);
  recorder.trace(hop(2));
  recorder.auditSoon(line(3));

  await clock.advance(19);
  assert.deepEqual(writes, []);
  await clock.advance(1);

  assert.deepEqual(shape(writes), [
    ['traces', [1, 2]],
    ['audit', [3]],
  ]);
  assert.equal(clock.waiting, 0);
});

test('the clock of a batch begins with its own first record', async () => {
  const { clock, recorder, writes } = steered();
  recorder.trace(hop(1));
  await clock.advance(50);
  await clock.advance(1_000);
  recorder.trace(hop(2));

  await clock.advance(49);
  assert.equal(writes.length, 1);
  await clock.advance(1);

  assert.deepEqual(shape(writes), [
    ['traces', [1]],
    ['traces', [2]],
  ]);
});

test('a full batch goes at once, and the one past it does not stay behind', async () => {
  const { clock, recorder, writes } = steered();
  for (let n = 0; n < BATCH_MAX - 1; n++) recorder.trace(hop(n));
  await settled();
  assert.equal(writes.length, 0);
  recorder.auditSoon(line(BATCH_MAX));
  await settled();
  assert.equal(writes.length, 2);

  for (let n = 0; n < BATCH_MAX + 1; n++) recorder.trace(hop(n));
  await clock.advance(50);

  assert.deepEqual(
    writes.slice(2).map(({ numbers }) => numbers.length),
    [BATCH_MAX, 1],
  );
});

test('batches are written one after another, in the order they filled', async () => {
  const { clock, recorder, writes } = steered({ atOnce: false });
  recorder.trace(hop(1));
  await clock.advance(50);
  recorder.trace(hop(2));
  await clock.advance(50);
  assert.deepEqual(shape(writes), [['traces', [1]]], 'the first is still on its way');

  writes[0]?.answer.resolve();
  await settled();

  assert.deepEqual(shape(writes).slice(1), [['traces', [2]]]);
  writes[1]?.answer.resolve();
});

test('a flush resolves when what came before it is written, and disturbs no timer after it', async () => {
  const { clock, recorder, writes } = steered({ atOnce: false });
  recorder.trace(hop(1));
  let done = false;
  const flush = recorder.flush().then(() => (done = true));
  await settled();
  assert.equal(done, false);
  assert.equal(clock.waiting, 0);

  writes[0]?.answer.resolve();
  await flush;

  assert.equal(done, true);
  await clock.advance(1_000);
  assert.equal(writes.length, 1);
});

test('a flush of nothing waits for the batch that is on its way', async () => {
  const { recorder, writes } = steered({ atOnce: false });
  recorder.trace(hop(1));
  void recorder.flush();
  let done = false;
  const second = recorder.flush().then(() => (done = true));
  await settled();
  assert.equal(done, false);

  writes[0]?.answer.resolve();
  await second;
});

test('beyond ten thousand waiting records the newest are dropped and counted', async () => {
  const { recorder, said, writes } = steered({ atOnce: false });
  for (let n = 0; n < WAITING_MAX; n++) recorder.trace(hop(n));
  assert.equal(recorder.dropped, 0);

  recorder.trace(hop(-1));
  recorder.auditSoon(line(-2));
  assert.equal(recorder.dropped, 2);
  assert.deepEqual(
    said.map(({ level }) => level),
    ['warn'],
    'a flood of records must not be a flood of lines',
  );

  const flush = recorder.flush();
  for (let i = 0; i < Math.ceil(WAITING_MAX / BATCH_MAX); i++) {
    await settled();
    for (const write of writes) write.answer.resolve();
  }
  await flush;
  const hops = writes.filter(({ kind }) => kind === 'traces');
  assert.equal(hops.flatMap(({ numbers }) => numbers).length, WAITING_MAX);
  recorder.trace(hop(1));
  assert.equal(recorder.dropped, 2, 'there is room again');
});

test('a store that fails costs its records, is told in the log, and throws at nobody', async () => {
  const { clock, recorder, said, writes } = steered({ atOnce: false });
  const fault = new Error('disk full');
  recorder.trace(hop(1));
  recorder.auditSoon(line(2));
  await clock.advance(50);

  writes[0]?.answer.reject(fault);
  writes[1]?.answer.resolve();
  await recorder.flush();

  assert.deepEqual(said, [{ level: 'error', fields: { err: fault, lost: 1 } }]);
  recorder.trace(hop(3));
  const flush = recorder.flush();
  await settled();
  writes[2]?.answer.resolve();
  await flush;
  assert.deepEqual(shape(writes)[2], ['traces', [3]]);
});

test('a failing store gives its room back, so that it can fail again', async () => {
  const { recorder, writes } = steered({ atOnce: false });
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < WAITING_MAX; n++) recorder.trace(hop(n));
    const flush = recorder.flush();
    for (let i = 0; i < Math.ceil(WAITING_MAX / BATCH_MAX); i++) {
      await settled();
      for (const write of writes) write.answer.reject(new Error('disk full'));
    }
    await flush;
  }

  assert.equal(recorder.dropped, 0);
});

test('an awaited line is written by itself and its failure reaches who waits', async () => {
  const { recorder, writes } = steered({ atOnce: false });
  const kept = recorder.audit(line(1));
  const lost = recorder.audit(line(2));
  assert.deepEqual(shape(writes), [
    ['audit', [1]],
    ['audit', [2]],
  ]);

  writes[0]?.answer.resolve();
  writes[1]?.answer.reject(new Error('disk full'));

  await kept;
  await assert.rejects(lost, /disk full/);
});

test('stop writes what waits, what comes meanwhile too, and leaves no timer', async () => {
  const { clock, recorder, writes } = steered({ atOnce: false });
  await recorder.start();
  recorder.trace(hop(1));
  let stopped = false;
  const stopping = recorder.stop().then(() => (stopped = true));
  await settled();
  recorder.trace(hop(2));
  writes[0]?.answer.resolve();
  await settled();
  assert.equal(stopped, false);

  writes[1]?.answer.resolve();
  await stopping;

  assert.deepEqual(shape(writes), [
    ['traces', [1]],
    ['traces', [2]],
  ]);
  assert.equal(clock.waiting, 0);
  await recorder.stop();
});

test('lines of reads that a slow store cost are counted in the audit of their tenants', async () => {
  const { clock, recorder, lines, writes } = steered({ atOnce: false });
  for (let n = 0; n < WAITING_MAX; n++) recorder.trace(hop(n));
  recorder.auditSoon({ ...line(7), tenant: 'acme' });
  recorder.auditSoon({ ...line(9), tenant: 'acme' });
  recorder.auditSoon({ ...line(8), tenant: 'other' });

  const flush = recorder.flush();
  for (let i = 0; i < Math.ceil(WAITING_MAX / BATCH_MAX); i++) {
    await settled();
    for (const write of writes) write.answer.resolve();
  }
  await flush;

  const said = lines.map(({ tenant, operation, principal, params }) => ({
    tenant,
    operation,
    principal,
    params,
  }));
  const gap = { operation: 'audit.gap', principal: 'gateway' };
  assert.deepEqual(said, [
    { ...gap, tenant: 'acme', params: '{"lines":2,"since":7,"until":9}' },
    { ...gap, tenant: 'other', params: '{"lines":1,"since":8,"until":8}' },
  ]);
  assert.ok(lines.every(({ at }) => at === clock.now()));
});

test('lines that could not be written are counted once there is a store again', async () => {
  const { clock, recorder, lines, writes } = steered({ atOnce: false });
  recorder.auditSoon({ ...line(5), tenant: 'acme' });
  await clock.advance(50);
  writes[0]?.answer.reject(new Error('disk full'));
  await settled();
  await clock.advance(999);
  assert.equal(writes.length, 1);
  await clock.advance(1);
  writes[1]?.answer.reject(new Error('disk full'));
  await settled();

  recorder.auditSoon({ ...line(6), tenant: 'acme' });
  await clock.advance(1_000);
  writes[2]?.answer.resolve();
  await recorder.flush();

  assert.deepEqual(
    lines.slice(2).map(({ operation, params }) => [operation, params]),
    [
      [undefined, undefined],
      ['audit.gap', '{"lines":1,"since":5,"until":5}'],
    ],
  );
  assert.equal(clock.waiting, 0);
});

test('for whom somebody asks is free text, and is kept without the secrets in it', async () => {
  const { recorder, lines } = steered();
  void recorder.audit({ ...line(1), on_behalf_of: `张三 rsk_${'A'.repeat(43)}` });
  recorder.auditSoon({ ...line(2), on_behalf_of: 'Bearer abcdefgh' });
  await recorder.flush();

  assert.deepEqual(
    lines.map(({ on_behalf_of: whom }) => whom),
    ['张三 [redacted]', '[redacted]'],
  );
});
