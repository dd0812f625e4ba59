import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { TaskRow } from '../spi/tasks.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, LEASE_MS, nameOf, okRow } from './tasks-kit.ts';

/** The words of those who do the work, but for their verdicts. */
export function exerciseTasksHold(driver: Driver): void {
  suite('tasks: receipt, lease and progress', () => exerciseLeases(driver));
  suite('tasks: the fence', () => exerciseFence(driver));
}

function exerciseLeases(driver: Driver): void {
  scenario(driver, 'a receipt counts one attempt, however often it is sent', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    const lease = await floor.claimOne();
    floor.now += 10;

    const row = okRow(await floor.ack(lease, 60_000));

    const { state, attempts, leaseEndsAt, version } = row;
    assert.deepEqual([state, attempts, version], ['running', 1, 3]);
    assert.equal(leaseEndsAt, NOON + 60_010);
    floor.now += 10;
    const again = okRow(await floor.ack(lease, 60_000));
    assert.deepEqual(again, { ...row, leaseEndsAt: NOON + 60_020 });
    assert.deepEqual(await floor.tale('t'), [
      'submitted:queued',
      'claimed:delivered',
      'acked:running',
    ]);
  });

  scenario(driver, 'leases are kept alive in bulk, each with its own answer', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const held = await floor.start('held');
    await floor.submit('taken');
    const stale = await floor.claimOne();
    await tasks.cancel({ ...nameOf(stale), tree: false, now: floor.now });
    await floor.submit('done');
    const ended = await floor.claimOne();
    await floor.complete(ended);
    await floor.submit('prefetched');
    const prefetched = await floor.claimOne();
    const leases = [ended, stale, prefetched, held, { ...held, taskId: 'no' }].map(nameOf);
    floor.now += 100;

    const answers = await tasks.extend({ leases, leaseMs: 40_000, now: floor.now });

    const leaseEndsAt = NOON + 40_100;
    assert.deepEqual(answers, [
      { outcome: 'ended', state: 'succeeded' },
      { outcome: 'stale', state: 'cancelled' },
      { outcome: 'ok', state: 'delivered', leaseEndsAt },
      { outcome: 'ok', state: 'running', leaseEndsAt },
      { outcome: 'unknown' },
    ]);
    assert.equal((await floor.row('prefetched')).leaseEndsAt, leaseEndsAt);
    assert.equal((await floor.history('held')).length, 3);
    const many = Array.from({ length: 1_001 }, () => nameOf(held));
    const tooMany = tasks.extend({ leases: many, leaseMs: 1, now: floor.now });
    await assert.rejects(tooMany, { code: 'internal' });
    assert.deepEqual(await tasks.extend({ leases: [], leaseMs: 1, now: floor.now }), []);
  });

  scenario(driver, 'no word shortens a lease', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    const lease = await floor.claimOne();
    const word = { ...nameOf(lease), leaseMs: 1, now: floor.now };

    await tasks.ack(word);
    await tasks.extend({ leases: [word], leaseMs: 1, now: floor.now });
    await tasks.progress({ ...word, percent: 5 });

    assert.equal((await floor.row('t')).leaseEndsAt, NOON + LEASE_MS);
    for (const leaseMs of [0, -1, 0.5, Number.NaN]) {
      await assert.rejects(tasks.ack({ ...word, leaseMs }), { code: 'internal' });
    }
  });

  scenario(driver, 'a lease whose time is up is his until somebody notices', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t');
    floor.now += LEASE_MS * 2;

    assert.equal((await floor.ack(lease)).outcome, 'ok');

    assert.deepEqual(await floor.expire(), { expired: [], next: [] });
    assert.equal((await floor.complete(lease)).outcome, 'ok');
  });

  scenario(driver, 'progress is noted, never falls, and keeps the lease', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t');
    const say = (percent: number, note?: string) => {
      const word = { ...nameOf(lease), percent, leaseMs: LEASE_MS, now: floor.now };
      return tasks.progress(note === undefined ? word : { ...word, note });
    };
    floor.now += 5;

    const row = okRow(await say(40.5, 'reading'));

    assert.deepEqual(row.progress, { percent: 40.5, note: 'reading', at: NOON + 5 });
    assert.equal(row.leaseEndsAt, NOON + 5 + LEASE_MS);
    floor.now += 5;
    assert.deepEqual(okRow(await say(10)).progress, { percent: 40.5, at: NOON + 10 });
    assert.deepEqual(okRow(await say(100)).progress, { percent: 100, at: NOON + 10 });
    assert.equal((await floor.history('t')).length, 3);
    for (const percent of [-1, 100.5, Number.NaN]) {
      await assert.rejects(say(percent), { code: 'internal' });
    }
    await floor.retry(lease, 0);
    await floor.tick();
    assert.equal((await floor.claimOne()).progress, undefined);
  });

  scenario(driver, 'who has progress has begun', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t', { effect: 'write' });
    const lease = await floor.claimOne();

    const word = { ...nameOf(lease), percent: 1, leaseMs: LEASE_MS, now: floor.now };
    const row = okRow(await tasks.progress(word));

    assert.deepEqual([row.state, row.attempts], ['running', 1]);
    assert.equal((await floor.tale('t')).at(-1), 'acked:running');
    await floor.loseLease();
    assert.equal(await floor.state('t'), 'dead');
  });
}

function exerciseFence(driver: Driver): void {
  /** Every word a holder may say, at some lease. */
  const wordsOf = (floor: Floor, row: TaskRow) => {
    const { tasks, now } = floor;
    const lease = nameOf(row);
    const word = { ...lease, leaseMs: LEASE_MS, now };
    return {
      ack: () => tasks.ack(word),
      progress: () => tasks.progress({ ...word, percent: 1 }),
      extend: () =>
        tasks
          .extend({ leases: [lease], leaseMs: 1, now })
          .then(([answer]) => answer ?? assert.fail()),
      retry: () => floor.retry(row),
      refuse: () => floor.settle(row, { end: 'fail', retryable: false, reason: 'no' }),
      release: () => floor.settle(row, { end: 'release' }),
      postpone: () => floor.settle(row, { end: 'release', delayMs: 5 }),
      complete: () => floor.complete(row),
    };
  };

  const outcomes = async (floor: Floor, row: TaskRow) => {
    const before = await floor.whole(row.taskId);
    const said: Record<string, string> = {};
    for (const [name, say] of Object.entries(wordsOf(floor, row))) {
      said[name] = (await say()).outcome;
      assert.deepEqual(await floor.whole(row.taskId), before, name);
    }
    return said;
  };

  const all = (outcome: string) => ({
    ack: outcome,
    progress: outcome,
    extend: outcome,
    retry: outcome,
    refuse: outcome,
    release: outcome,
    postpone: outcome,
    complete: outcome,
  });

  scenario(driver, 'who was replaced has no say', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    const first = await floor.claimOne();
    await floor.loseLease();
    const second = await floor.claimOne({ holder: 'i-2' });

    assert.deepEqual(await outcomes(floor, first), all('stale'));

    assert.equal((await floor.complete(second)).outcome, 'ok');
    assert.deepEqual(await outcomes(floor, first), all('stale'));
  });

  scenario(driver, 'cancel, bind and redrive take the work away', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const id of ['cancelled', 'bound', 'redriven']) await floor.submit(id, { attemptsMax: 1 });
    const [cancelled, bound, redriven] = await floor.claim();
    assert.ok(cancelled && bound && redriven);
    await tasks.cancel({ ...nameOf(cancelled), tree: false, now: floor.now });
    await floor.retry(redriven);
    await tasks.redrive({ ...nameOf(redriven), by: 'ops', now: floor.now });
    await floor.loseLease();
    await tasks.bind({ tasks: [{ ...nameOf(bound), agentId: 'erp' }], now: floor.now });

    for (const lease of [cancelled, bound, redriven]) {
      assert.deepEqual(await outcomes(floor, lease), all('stale'), lease.taskId);
    }
  });

  scenario(driver, 'nobody guesses an epoch that was given to nobody', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const fresh = await floor.submit('fresh');
    const bound = await floor.submit('bound');
    await tasks.bind({ tasks: [{ ...nameOf(bound), agentId: 'erp' }], now: floor.now });

    assert.deepEqual(await outcomes(floor, fresh), all('lost'));
    assert.deepEqual(await outcomes(floor, { ...bound, epoch: 1 }), all('lost'));
    assert.deepEqual(await outcomes(floor, { ...fresh, epoch: 1 }), all('stale'));
    for (const id of ['fresh', 'bound']) assert.deepEqual(await tasks.orphans(floor.name(id)), []);
  });

  scenario(driver, 'nobody speaks for what is not there, or not his', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t');

    for (const other of [
      { ...lease, taskId: 'no' },
      { ...lease, tenant: 'other' },
    ]) {
      const said = Object.values(wordsOf(floor, other)).map(async (say) => (await say()).outcome);
      assert.deepEqual(new Set(await Promise.all(said)), new Set(['unknown']));
    }
    assert.equal((await floor.complete(lease)).outcome, 'ok');
  });

  scenario(driver, 'of many verdicts at once, one counts', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t');

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => floor.complete(lease, String(n))),
    );

    const counted = answers.map(({ outcome }) => outcome);
    assert.deepEqual(
      counted.filter((outcome) => outcome !== 'ended'),
      ['ok'],
    );
    assert.equal(await floor.result('t'), String(counted.indexOf('ok')));
  });
}
