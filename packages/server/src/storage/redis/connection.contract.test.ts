import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock, openWire, type Wire } from '@agent-reach/core/testing';
import type { Storage } from '../spi/storage.ts';
import { openRedis } from './open.ts';
import { optionsOf, REDIS_URL, tempStores, whyNoRedis } from './testing/kit.ts';

const why = await whyNoRedis();

suite('the connection to Redis', { skip: why ?? false }, () => {
  const LATE_MS = 2_000;

  /** A store behind a wire, on a clock that the test moves. */
  async function wired(
    act: (house: { storage: Storage; wire: Wire; clock: ManualClock }) => Promise<void>,
  ) {
    const stores = await tempStores();
    await using direct = await stores.open();
    await using wire = await openWire(REDIS_URL);
    const clock = new ManualClock();
    const prefix = stores.prefixOf(direct);
    await using storage = await openRedis({ ...optionsOf(wire.url), clock, prefix });
    await act({ storage, wire, clock });
  }

  const look = (storage: Storage) => storage.rules.get({ tenant: 'acme', name: 'pins' });
  const write = (storage: Storage) =>
    storage.rules.put({
      tenant: 'acme',
      name: 'pins',
      doc: '{}',
      by: 'ops',
      expectVersion: 0,
      now: 1,
    });

  /**
   * Asks until there is an answer. How soon a connection is back is the machine's own time, in which
   * the clock moves on slowly, so that attempts follow each other and no answer is late.
   */
  async function answered<Answer>(clock: ManualClock, ask: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const asked = ask().then(
        (answer) => ({ answer }),
        () => 'failed' as const,
      );
      let told: { answer: Answer } | 'failed' | void = undefined;
      while (told === undefined) told = await Promise.race([asked, clock.advance(1)]);
      if (told !== 'failed') return told.answer;
    }
  }

  test('a line that is cut is made anew, and says that something may have been missed', () =>
    wired(async ({ storage, wire, clock }) => {
      const heard: string[] = [];
      const ear = { heard: (text: string) => heard.push(text), missed: () => heard.push('missed') };
      await using _ = await storage.shared?.channel.listen(ear);
      wire.cut();

      while (heard.length === 0) await clock.advance(1);
      while (heard.length === 1) {
        storage.shared?.channel.send('again');
        await clock.advance(1);
      }

      assert.deepEqual(heard.slice(0, 2), ['missed', 'again']);
    }));

  test('what is asked after a cut is answered by another connection', () =>
    wired(async ({ storage, wire, clock }) => {
      await write(storage);
      wire.cut();

      assert.equal((await answered(clock, () => look(storage)))?.version, 1);
    }));

  test('a change that a cut left unanswered may have happened; a question is asked again', () =>
    wired(async ({ storage, wire }) => {
      wire.freeze();
      const late = assert.rejects(write(storage), {
        code: 'store-unavailable',
        executed: 'unknown',
        retryable: false,
      });
      const read = look(storage);
      wire.thaw();
      wire.cut();

      await late;
      assert.ok([undefined, 1].includes((await read)?.version));
    }));

  test('nobody waits longer than two seconds for a server that is silent', () =>
    wired(async ({ storage, wire, clock }) => {
      wire.freeze();
      const late = assert.rejects(look(storage), { code: 'store-unavailable' });
      await clock.advance(LATE_MS);
      await late;

      wire.thaw();
      assert.equal(await answered(clock, () => look(storage)), undefined);
    }));

  test('nobody waits longer than that for one that is away, and all go on when it is back', () =>
    wired(async ({ storage, wire, clock }) => {
      await write(storage);
      await wire.refuse();
      const late = Promise.all([
        assert.rejects(look(storage), { code: 'store-unavailable', executed: 'no' }),
        assert.rejects(write(storage), { code: 'store-unavailable' }),
        storage.traces.append([]),
      ]);
      await clock.advance(LATE_MS);
      await late;

      await wire.listen();
      assert.equal((await answered(clock, () => look(storage)))?.version, 1);
    }));

  test('hops that cannot be kept are lost without a word', () =>
    wired(async ({ storage, wire, clock }) => {
      await wire.refuse();
      const hop = { tenant: 'acme', at: 1, trace_id: 't', request_id: 'r' } as never;
      const lost = storage.traces.append([hop]);
      await clock.advance(LATE_MS);
      await lost;

      const line = storage.traces.appendAudit([hop]);
      const refused = assert.rejects(line, { code: 'store-unavailable' });
      await clock.advance(LATE_MS);
      await refused;
    }));

  test('a store whose server is away can be closed', () =>
    wired(async ({ storage, wire, clock }) => {
      await wire.refuse();
      const late = assert.rejects(look(storage), { code: 'store-unavailable' });
      const closed = storage.close();
      await clock.advance(LATE_MS);
      await Promise.all([late, closed]);
    }));

  test('a store whose line is being laid over a wire that stands still can be closed', () =>
    wired(async ({ storage, wire }) => {
      wire.at('subscribe', 'freeze');
      const listening = storage.shared?.channel.listen({ heard() {}, missed() {} });
      await wire.frozen;

      await storage.close();

      await listening;
    }));

  test('a server that is not there is told when a store is opened', async () => {
    const wire = await openWire(REDIS_URL);
    await wire.refuse();
    const clock = new ManualClock();
    const opening = openRedis({ ...optionsOf(wire.url), clock });
    const refused = assert.rejects(opening, {
      code: 'store-unavailable',
      message: /^Redis at 127\.0\.0\.1:\d+ cannot be reached: ECONNREFUSED\.$/,
    });
    const told = refused.then(() => true);
    // How soon it begins to wait depends on how soon the library is loaded.
    while (!(await Promise.race([told, clock.advance(LATE_MS / 10)])));
  });

  test('a server that forgot the scripts is told them again', async () => {
    const stores = await tempStores();
    await using storage = await stores.open();
    await write(storage);
    await stores.client.scriptFlush();

    assert.equal((await look(storage))?.version, 1);
  });
});
