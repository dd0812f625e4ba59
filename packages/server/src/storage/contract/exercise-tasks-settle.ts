import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { OrphanRow, TaskRow } from '../spi/tasks.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, okRow } from './tasks-kit.ts';

/** How work ends: verdicts in time, late and stale ones. */
export function exerciseTasksSettle(driver: Driver): void {
  suite('tasks: verdicts', () => exerciseVerdicts(driver));
  suite('tasks: late and stale verdicts', () => exerciseLate(driver));
}

function exerciseVerdicts(driver: Driver): void {
  scenario(driver, 'a completed task keeps its result for ever', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t');
    floor.now += 50;

    const row = okRow(await floor.complete(lease, '{"n":1}'));

    const { leaseEndsAt: _, ...held } = lease;
    assert.deepEqual(row, {
      ...held,
      state: 'succeeded',
      cause: 'completed',
      version: 4,
      updatedAt: NOON + 50,
      endedAt: NOON + 50,
    });
    const again = await floor.complete(lease, '{"n":2}');
    assert.deepEqual(again, { outcome: 'ended', row, result: '{"n":1}' });
    const refused = await floor.settle(lease, { end: 'fail', retryable: false, reason: 'no' });
    assert.deepEqual(refused, again);
    assert.equal(await floor.result('t'), '{"n":1}');
    assert.deepEqual(await tasks.orphans(floor.name('t')), []);
  });

  scenario(driver, 'a verdict without a receipt is both', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const id of ['done', 'refused', 'retry']) await floor.submit(id);
    const [done, refused, retry] = await floor.claim();
    assert.ok(done && refused && retry);

    const rows = [
      okRow(await floor.complete(done)),
      okRow(
        await floor.settle(refused, { end: 'fail', retryable: false, reason: 'no such order' }),
      ),
      okRow(await floor.retry(retry)),
    ];

    assert.deepEqual(
      rows.map(({ state, attempts }) => [state, attempts]),
      [
        ['succeeded', 1],
        ['failed', 1],
        ['waiting', 1],
      ],
    );
    assert.equal((await floor.row('refused')).reason, 'no such order');
  });

  scenario(
    driver,
    'a retryable failure waits and runs again, then it is dead',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('t', { attemptsMax: 2 });
      const first = await floor.claimOne();
      await floor.ack(first);

      const row = okRow(await floor.retry(first, 2_000));

      assert.deepEqual([row.state, row.dueAt, row.reason], ['waiting', NOON + 2_000, 'busy']);
      assert.deepEqual(await floor.claimIds(), []);
      floor.now += 2_000;
      await floor.tick();
      const second = await floor.claimOne();
      const dead = okRow(await floor.retry(second));
      assert.deepEqual([dead.state, dead.cause, dead.attempts], ['dead', 'attempts-spent', 2]);
      assert.ok(!('dueAt' in dead) && !('endedAt' in dead));
    },
  );

  scenario(
    driver,
    'what may have run is parked with what is known of it, and its late result still counts',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      const lease = await floor.start('t', { attemptsMax: 3, effect: 'write' });
      const doubt = { end: 'doubt', reason: 'connection lost', result: '{"at":2}' } as const;

      const row = okRow(await floor.settle(lease, doubt));

      assert.deepEqual([row.state, row.cause, row.attempts], ['dead', 'needs-decision', 1]);
      assert.equal(row.reason, 'connection lost');
      assert.equal(await floor.result('t'), '{"at":2}');
      assert.equal((await floor.settle(lease, doubt)).outcome, 'lost');
      assert.equal((await floor.complete(lease, '{"ok":true}')).outcome, 'late_ok');
      assert.equal((await floor.row('t')).state, 'succeeded');
    },
  );

  scenario(driver, 'where nothing is parked the last failure is the end', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t', { attemptsMax: 1 });
    const fail = { end: 'fail', retryable: true, reason: 'busy', delayMs: 1 } as const;

    const row = okRow(await floor.settle(lease, { ...fail, whenSpent: 'failed' }));

    assert.deepEqual([row.state, row.cause, row.endedAt], ['failed', 'given-up', NOON]);
    assert.equal(row.reason, 'busy');
  });

  scenario(driver, 'a call that would be dead has failed', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t', { kind: 'call', attemptsMax: 1 });

    const row = okRow(await floor.retry(lease));

    assert.deepEqual([row.state, row.cause, row.endedAt], ['failed', 'given-up', NOON]);
  });

  scenario(
    driver,
    'what a failure says of itself is kept until there is better',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('t', { attemptsMax: 3 });
      const again = async () => {
        floor.now += 1;
        await floor.tick();
        return floor.claimOne();
      };
      const fail = { end: 'fail', retryable: true, reason: 'busy', delayMs: 1 } as const;

      await floor.settle(await floor.claimOne(), { ...fail, result: '{"code":1}' });
      assert.equal(await floor.result('t'), '{"code":1}');
      await floor.settle(await again(), fail);
      assert.equal(await floor.result('t'), '{"code":1}');
      await floor.complete(await again(), '{"ok":true}');
      assert.equal(await floor.result('t'), '{"ok":true}');
    },
  );

  scenario(driver, 'what is given back has cost nothing', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');

    const released = okRow(
      await floor.settle(await floor.claimOne(), { end: 'release', reason: 'leaving' }),
    );
    const running = await floor.claimOne();
    await floor.ack(running);
    const postponed = okRow(await floor.settle(running, { end: 'release', delayMs: 500 }));

    assert.deepEqual([released.state, released.reason], ['queued', 'leaving']);
    assert.deepEqual([postponed.state, postponed.dueAt], ['waiting', NOON + 500]);
    for (const { deliveries, attempts } of [released, postponed]) {
      assert.deepEqual([deliveries, attempts], [0, 0]);
    }
    assert.deepEqual(await floor.tale('t'), [
      'submitted:queued',
      'claimed:delivered',
      'released:queued',
      'claimed:delivered',
      'acked:running',
      'postponed:waiting',
    ]);
  });

  scenario(driver, 'a wait that cannot be is refused', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t');

    for (const delayMs of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await assert.rejects(floor.retry(lease, delayMs), { code: 'internal' });
      await assert.rejects(floor.settle(lease, { end: 'release', delayMs }), { code: 'internal' });
    }
    assert.equal(await floor.state('t'), 'running');
  });
}

function exerciseLate(driver: Driver): void {
  /** Brings a task whose lease was lost to the states it may be in then. */
  const LOST = {
    queued: async (floor: Floor) => {
      await floor.submit('t');
      const lease = await floor.claimOne();
      await floor.loseLease();
      return lease;
    },
    waiting: async (floor: Floor) => {
      const lease = await floor.start('t');
      await floor.loseLease();
      return lease;
    },
    dead: async (floor: Floor) => {
      const lease = await floor.start('t', { effect: 'write' });
      await floor.loseLease();
      return lease;
    },
  } as const;

  for (const [state, lose] of Object.entries(LOST)) {
    scenario(driver, `a result counts though the lease is lost: ${state}`, async ({ tasks }) => {
      const floor = new Floor(tasks);
      const lease = await lose(floor);
      assert.equal(await floor.state('t'), state);

      const answer = await floor.complete(lease, '{"late":true}');

      assert.ok(answer.outcome === 'late_ok');
      assert.deepEqual([answer.row.state, answer.row.cause], ['succeeded', 'completed-late']);
      assert.equal(await floor.result('t'), '{"late":true}');
      assert.deepEqual(await floor.claimIds(), []);
      assert.equal((await floor.complete(lease)).outcome, 'ended');
      assert.deepEqual(await tasks.counts({}), []);
    });

    scenario(driver, `a refusal counts though the lease is lost: ${state}`, async ({ tasks }) => {
      const floor = new Floor(tasks);
      const lease = await lose(floor);

      const no = { end: 'fail', retryable: false, reason: 'no', result: '{}' } as const;
      const answer = await floor.settle(lease, no);

      assert.ok(answer.outcome === 'late_ok');
      assert.deepEqual([answer.row.state, answer.row.cause], ['failed', 'refused-late']);
      assert.equal(await floor.result('t'), '{}');
    });

    scenario(driver, `words that need a lease are lost: ${state}`, async ({ tasks }) => {
      const floor = new Floor(tasks);
      const lease = await lose(floor);
      const before = await floor.whole('t');

      const answers = [
        await floor.ack(lease),
        await floor.retry(lease),
        await floor.settle(lease, { end: 'release' }),
      ];

      for (const { outcome } of answers) assert.equal(outcome, 'lost');
      const [extended] = await tasks.extend({ leases: [lease], leaseMs: 1, now: floor.now });
      assert.deepEqual(extended, { outcome: 'lost', state });
      assert.deepEqual(await floor.whole('t'), before);
    });
  }

  scenario(driver, 'results that came too late are kept, the last three', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    const leases: TaskRow[] = [];
    for (let n = 1; n <= 5; n++) {
      leases.push(await floor.claimOne({ holder: `i-${n}` }));
      if (n < 5) await floor.loseLease();
    }

    for (const lease of leases.slice(0, 4)) {
      floor.now += 1;
      const answer = await floor.complete(lease, `{"of":${lease.epoch}}`);
      assert.equal(answer.outcome, 'stale');
    }
    floor.now += 1;
    await floor.complete(leases[1] ?? assert.fail(), '{"of":"2 again"}');

    const orphan = (epoch: number, result: string, ago: number): OrphanRow => ({
      epoch,
      holder: `i-${epoch}`,
      result,
      at: floor.now - ago,
    });
    assert.deepEqual(await tasks.orphans(floor.name('t')), [
      orphan(2, '{"of":"2 again"}', 0),
      orphan(4, '{"of":4}', 1),
      orphan(3, '{"of":3}', 2),
    ]);
    assert.equal(await floor.state('t'), 'delivered');
    assert.equal(await floor.result('t'), undefined);
  });

  scenario(
    driver,
    'a result that comes after the deadline is kept as an orphan',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      const lease = await floor.start('t', { deadlineMs: 100 });
      floor.now += 100;
      await floor.tick();

      const answer = await floor.complete(lease, '{"paid":true}');

      assert.deepEqual(answer, { outcome: 'ended', row: await floor.row('t') });
      const [orphan, ...others] = await tasks.orphans(floor.name('t'));
      assert.deepEqual([orphan?.result, others], ['{"paid":true}', []]);
    },
  );
}
