import assert from 'node:assert/strict';
import { suite } from 'node:test';
import { TEXT_BYTES_MAX } from '../spi/shared.ts';
import type { Storage } from '../spi/storage.ts';
import { type Driver, scenario } from './driver.ts';

/** What processes that share a store need: one clock, and a way to tell each other things. */
export function exerciseShared(driver: Driver): void {
  suite('what processes share', () => {
    scenario(driver, 'a store that may be shared says so, and has what that needs', async (s) => {
      assert.equal(s.capabilities.sharedByProcesses, s.shared !== undefined);
      assert.equal(s.capabilities.sharedByProcesses, driver.beside !== undefined);
    });
    const { beside } = driver;
    if (beside !== undefined) exerciseBeside(driver, beside);
  });
}

function exerciseBeside(driver: Driver, beside: (storage: Storage) => Promise<Storage>): void {
  scenario(driver, 'all processes read one clock, which is that of its moves', async (one) => {
    await using two = await beside(one);
    const before = await timeOf(one);
    const { row } = await one.rules.put({ ...RULE, now: 'store' });
    const after = await timeOf(two);

    assert.ok(before <= row.at && row.at <= after, `${before}, ${row.at}, ${after}`);
  });

  scenario(driver, 'what one process stores another finds', async (one) => {
    await using two = await beside(one);

    await one.rules.put({ ...RULE, now: 'store' });

    assert.equal((await two.rules.get(RULE))?.doc, '{}');
    assert.equal(two.epoch, one.epoch);
  });

  scenario(
    driver,
    'what is told is heard by all who listen, in order and as it was',
    async (one) => {
      await using two = await beside(one);
      const longest = '界'.repeat(TEXT_BYTES_MAX / 3);
      const texts = ['first', 'with "quotes", \\ and\nlines', '', longest, 'last'];
      const [mine, theirs] = [listener(texts.length), listener(texts.length)];
      await using _ = await one.shared?.channel.listen(mine);
      await two.shared?.channel.listen(theirs);

      for (const text of texts) one.shared?.channel.send(text);

      assert.deepEqual(await mine.all, texts);
      assert.deepEqual(await theirs.all, texts);
      assert.equal(mine.missings + theirs.missings, 0);
    },
  );

  scenario(driver, 'who does not listen any more hears nothing', async (one) => {
    const [gone, stays] = [listener(1), listener(1)];
    const ear = await one.shared?.channel.listen(gone);
    await using _ = await one.shared?.channel.listen(stays);
    await ear?.[Symbol.asyncDispose]();

    one.shared?.channel.send('late');

    assert.deepEqual(await stays.all, ['late']);
    assert.deepEqual(gone.heardAll, []);
  });

  scenario(driver, 'stores on one engine do not hear each other', async (one) => {
    await using stranger = await driver.open();
    const mine = listener(1);
    await using _ = await one.shared?.channel.listen(mine);
    await stranger.shared?.channel.listen(listener(1));

    stranger.shared?.channel.send('not for you');
    await timeOf(stranger); // It has gone out by then.
    one.shared?.channel.send('for you');

    assert.deepEqual(await mine.all, ['for you']);
  });

  scenario(driver, 'telling is never an error, not even after the end', async (one) => {
    const { channel } = one.shared ?? assert.fail('it is shared');
    channel.send('nobody listens');
    await channel.listen(listener(1));
    await one.close();

    channel.send('closed');
  });
}

const RULE = { tenant: 'acme', name: 'pins', doc: '{}', by: 'ops', expectVersion: 0 };

async function timeOf({ shared }: Storage): Promise<number> {
  return (await shared?.time()) ?? Number.NaN;
}

/** Collects what is heard; `all` resolves with the first `count` texts. */
function listener(count: number) {
  const { promise, resolve } = Promise.withResolvers<string[]>();
  const heardAll: string[] = [];
  return {
    heardAll,
    all: promise,
    missings: 0,
    heard(text: string) {
      heardAll.push(text);
      if (heardAll.length === count) resolve(heardAll);
    },
    missed() {
      this.missings += 1;
    },
  };
}
