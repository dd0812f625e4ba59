import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AuditRecord, ChainCheck } from '@agent-reach/core';
import { silentLog, systemClock } from '@agent-reach/core/kernel';
import { tempStores, whyNoRedis } from '../storage/redis/testing/kit.ts';
import { Recorder } from '../telemetry/recorder.ts';

const why = await whyNoRedis();

function line(n: number, principal: string): AuditRecord {
  return {
    at: n,
    tenant: 'acme',
    principal,
    operation: 'calls.invoke',
    outcome: 'ok',
    executed: 'yes',
  };
}

suite('two gateways on one store', { skip: why ?? false }, () => {
  test('their recorders make one chain of reads and writes, with nothing lost', async () => {
    const stores = await tempStores();
    await using one = await stores.open();
    await using two = await stores.beside(one);
    const recorders = [one, two].map(({ traces }) => new Recorder(traces, systemClock, silentLog));

    const writers = recorders.flatMap((recorder, gateway) =>
      Array.from({ length: 25 }, async (_, writer) => {
        for (let n = 0; n < 8; n++) {
          recorder.auditSoon(line(n, `read-${gateway}-${writer}`));
          await recorder.audit(line(n, `write-${gateway}-${writer}`));
        }
      }),
    );
    await Promise.all(writers);
    await Promise.all(recorders.map((recorder) => recorder.stop()));

    const check = new ChainCheck({ tenant: 'acme', from: 1 });
    const order = new Map<string, number[]>();
    for (const link of await one.traces.auditLinks({ tenant: 'acme', after: 0, limit: 1_000 })) {
      check.take(link);
      const { principal, at } = JSON.parse(link.record) as AuditRecord;
      order.set(principal, [...(order.get(principal) ?? []), at]);
    }
    check.end(await two.traces.auditChain({ tenant: 'acme' }));
    assert.deepEqual([check.faults, check.records], [[], 2 * 25 * 8 * 2]);
    assert.equal(order.size, 100);
    for (const moments of order.values()) assert.deepEqual(moments, [0, 1, 2, 3, 4, 5, 6, 7]);
  });
});
