import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditSeal, isAuditSeal } from '@agent-reach/core';
import { defaultsOf } from '@agent-reach/core/kernel';
import { TELEMETRY_OPTIONS } from './options.ts';
import { sealer } from './sealer.ts';
import { auditRecord, BEGAN, KEY, sealedChain } from './testing/chain.ts';

const { sealAfterMs: AFTER_MS } = defaultsOf(TELEMETRY_OPTIONS);

const spans = (seals: readonly AuditSeal[]) => seals.map((seal) => [seal.first_seq, seal.last_seq]);

test('full segments are sealed at the next look, the rest when it is old enough', async () => {
  await using chain = await sealedChain();
  const seals = () => chain.store.auditSeals({ tenant: 'acme', from: 0, limit: 9 });
  assert.deepEqual(spans(await seals()), [
    [1, 10],
    [11, 20],
  ]);

  // Counted from the first record that is not sealed: number 21.
  await chain.clock.advance(BEGAN + 21 + AFTER_MS - chain.clock.now() - 1);
  assert.equal((await seals()).length, 2);
  await chain.clock.advance(10_000);

  assert.deepEqual(spans(await seals()).at(-1), [21, 25]);
  for (const seal of await seals()) assert.equal(isAuditSeal(seal, KEY), true);
  await chain.clock.advance(AFTER_MS);
  assert.equal((await seals()).length, 3, 'nothing is not sealed');
});

test('each seal is a line in the second place', async () => {
  await using chain = await sealedChain();

  const lines = chain.outside.map((line) => JSON.parse(line) as AuditSeal);

  assert.ok(chain.outside.every((line) => line.endsWith('}\n')));
  assert.deepEqual(lines, await chain.store.auditSeals({ tenant: 'acme', from: 0, limit: 9 }));
});

test('of two gateways that seal one is too late, and what it said outside is true all the same', async () => {
  await using chain = await sealedChain();
  const other = sealer(chain.ports);
  await other.start();
  await chain.store.appendAudit(Array.from({ length: 5 }, (_, n) => auditRecord(n + 30)));

  await chain.clock.advance(10_000);

  const seals = await chain.store.auditSeals({ tenant: 'acme', from: 0, limit: 9 });
  assert.deepEqual(spans(seals).slice(2), [[21, 30]]);
  for (const line of chain.outside) {
    const { last_seq: last, hash } = JSON.parse(line) as AuditSeal;
    const [link] = await chain.store.auditLinks({ tenant: 'acme', after: last - 1, limit: 1 });
    assert.equal(hash, link?.hash);
  }
  await other.stop();
});

test('while the second place cannot be written to nothing is sealed, and that is told', async () => {
  await using chain = await sealedChain({ records: 0 });
  const told: string[] = [];
  const log = {
    ...chain.ports.log,
    error: (_: object, message: string) => void told.push(message),
  };
  let isFull = true;
  const other = sealer({
    ...chain.ports,
    log,
    store: chain.store,
    keepOutside: async () => {
      if (isFull) throw new Error('disk full');
    },
  });
  await other.start();
  await chain.store.appendAudit(Array.from({ length: 3 }, (_, n) => auditRecord(n)));
  // Only the other one finds it old enough.
  chain.ports.options.sealAfterMs = Infinity;
  await other.stop();
  const eager = sealer({
    ...chain.ports,
    log,
    options: { ...chain.ports.options, sealAfterMs: 1 },
    keepOutside: async () => {
      if (isFull) throw new Error('disk full');
    },
  });
  await eager.start();
  await chain.clock.advance(10_000);
  assert.deepEqual(told, ['the audit could not be sealed']);
  assert.equal((await chain.store.auditChain({ tenant: 'acme' }))?.sealedSeq, 0);

  isFull = false;
  await chain.clock.advance(10_000);

  assert.equal((await chain.store.auditChain({ tenant: 'acme' }))?.sealedSeq, 3);
  await eager.stop();
});

test('without a key segments are marked, so that they can be forgotten', async () => {
  await using chain = await sealedChain({ records: 0 });
  chain.ports.options.sealAfterMs = Infinity;
  const keyless = sealer({
    ...chain.ports,
    key: undefined,
    options: { ...chain.ports.options, sealAfterMs: 1 },
  });
  await chain.store.appendAudit([auditRecord(1)]);
  await keyless.start();

  await chain.clock.advance(10_000);

  const [seal] = await chain.store.auditSeals({ tenant: 'acme', from: 0, limit: 9 });
  assert.deepEqual([seal?.key, seal?.mac, seal?.last_seq], ['', '', 1]);
  await keyless.stop();
});
