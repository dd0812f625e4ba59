import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { json, reset } from '../main/testing/network.ts';
import { callsTo, disable } from './testing/fallbacks.ts';

const put = {
  name: 'put_note',
  description: 'Notes it at once.',
  effect: 'write',
  idempotency: 'gateway',
};
const later = { ...put, name: 'queue_note', description: 'Notes it later.' };
const set = { ...later, effect: 'idempotent_write' };

const body = {
  capability: 'put_note',
  params: { text: 'x' },
  idempotency_key: 'k1',
  context: { fallback: ['queue_note'] },
};

test('a repeated key gets the fallback’s answer again, though what was asked for is back', async () => {
  await using house = await openHouse();
  await house.agent('notes', put, () => json(200, { noted: true }));
  await house.agent('ledger', later, () => json(200, { queued: true }));
  await disable(house, 'notes');

  const first = await house.call(body);
  await house.ask('POST', '/v1/agents/notes/enable', {});
  const again = await house.call({ ...body, context: {} });

  assert.deepEqual(again, { ...first, replayed: true });
  assert.equal(again.status, 'degraded');
  assert.equal(callsTo(house, 'queue_note'), 1);
  assert.equal(callsTo(house, 'put_note'), 0);
  await assert.rejects(
    house.call({ ...body, capability: 'queue_note' }),
    failsWith('idempotency-key-reused'),
    'the key is that of what was asked',
  );
});

test('a fallback that may have run is final: told as such, and its key is bound to it', async () => {
  await using house = await openHouse();
  await house.agent('notes', put, () => json(200, { noted: true }));
  await house.agent('ledger', later, () => reset());
  await house.agent('third', { ...later, name: 'third' }, () => json(200, {}));
  await disable(house, 'notes');
  const two = { ...body, context: { fallback: ['queue_note', 'third'] } };

  await assert.rejects(
    house.during(house.call(two), 1_000),
    failsWith('agent-error', (error) => {
      assert.equal(error.executed, 'unknown');
      assert.equal(error.facts['fallback_of'], 'put_note');
    }),
  );
  await house.ask('POST', '/v1/agents/notes/enable', {});
  await assert.rejects(house.call(two), failsWith('outcome-unknown'));
  assert.deepEqual(
    ['put_note', 'queue_note', 'third'].map((name) => callsTo(house, name)),
    [0, 1, 0],
  );
});

test('a repeat of what may have run at a fallback goes to that again, and to nobody else', async () => {
  await using house = await openHouse();
  await house.agent('notes', { ...put, effect: 'idempotent_write' }, () => json(200, {}));
  let runs = 0;
  await house.agent('ledger', set, () => (++runs === 1 ? reset() : json(200, { run: runs })));
  await disable(house, 'notes');

  await assert.rejects(house.during(house.call(body), 1_000), failsWith('agent-error'));
  await house.ask('POST', '/v1/agents/notes/enable', {});
  const again = await house.call(body);

  assert.deepEqual(again.result, { run: 2 });
  assert.deepEqual([again.status, again.degraded_to], ['degraded', 'queue_note']);
  assert.match(again.warnings.join(), /earlier request with this key turned to queue_note/);
  await disable(house, 'ledger');
  assert.equal((await house.call(body)).replayed, true);
  assert.equal(callsTo(house, 'put_note'), 0);
});

test('a repeat of what may have run where it was asked for is never turned to a fallback', async () => {
  await using house = await openHouse();
  await house.agent('notes', { ...put, effect: 'idempotent_write' }, () => reset());
  await house.agent('ledger', set, () => json(200, {}));
  await assert.rejects(house.during(house.call(body), 2_000), failsWith('agent-error'));
  await disable(house, 'notes');

  await assert.rejects(house.call(body), failsWith('no-reachable-agent'));
  assert.equal(callsTo(house, 'queue_note'), 0);
});

test('a key whose request nobody could do is free: the next one routes anew', async () => {
  await using house = await openHouse();
  await house.agent('notes', put, () => json(429, {}));
  await house.agent('ledger', later, () => json(429, {}));

  await assert.rejects(
    house.during(house.call(body), 2_000),
    failsWith('agent-busy', (error) => assert.equal(error.executed, 'no')),
  );
  await house.agent('notes', put, () => json(200, { noted: true }));
  const answer = await house.call(body);

  assert.deepEqual([answer.status, answer.result], ['ok', { noted: true }]);
});

test('while a fallback works under a key, a repeat of it is told that it is in progress', async () => {
  await using house = await openHouse();
  const started = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  await house.agent('notes', put, () => json(429, {}));
  await house.agent('ledger', later, async () => {
    started.resolve();
    await finished.promise;
    return json(200, {});
  });
  const first = house.during(house.call(body), 2_000);
  await started.promise;

  await assert.rejects(house.call(body), failsWith('idempotency-in-progress'));
  finished.resolve();
  assert.equal((await first).status, 'degraded');
  assert.equal((await house.call(body)).replayed, true);
  assert.equal(callsTo(house, 'queue_note'), 1);
});

test('a fallback’s refusal is the verdict, and is kept', async () => {
  await using house = await openHouse();
  await house.agent('notes', put, () => json(200, {}));
  await house.agent('ledger', later, () => json(409, { code: 'queued-already' }));
  await disable(house, 'notes');

  for (const replayed of [undefined, true]) {
    await assert.rejects(
      house.call(body),
      failsWith('agent-rejected', (error) => {
        assert.equal(error.facts['replayed'], replayed);
        assert.equal(error.facts['fallback_of'], 'put_note');
      }),
    );
  }
  assert.equal(callsTo(house, 'queue_note'), 1);
});

test('a write falls back to nothing without a key, and says that it needs one', async () => {
  await using house = await openHouse();
  await house.agent('notes', put, () => json(200, {}));
  await house.agent('ledger', later, () => json(200, {}));
  const { idempotency_key: _, ...keyless } = body;

  await assert.rejects(house.call(keyless), failsWith('idempotency-key-missing'));
  assert.equal(house.network.calls.length, 0);
});
