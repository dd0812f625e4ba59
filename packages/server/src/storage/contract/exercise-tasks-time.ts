import assert from 'node:assert/strict';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, LEASE_MS, nameOf, newTask } from './tasks-kit.ts';

/** What time does to tasks: lapsed leases, due moments, deadlines. */
export function exerciseTasksTime(driver: Driver): void {
  exerciseExpiry(driver);
  exerciseTick(driver);
}

function exerciseExpiry(driver: Driver): void {
  scenario(driver, 'a lease ends at its moment, not before', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    await floor.claimOne();

    floor.now += LEASE_MS - 1;
    assert.deepEqual(await floor.expire(), { expired: [], next: [] });
    floor.now += 1;
    const { expired } = await floor.expire();

    const row = await floor.row('t');
    assert.deepEqual(expired, [row]);
    assert.deepEqual([row.state, row.cause], ['queued', 'lease-lost']);
    assert.match(row.reason ?? '', /i-1 was not heard of/);
    assert.deepEqual([row.deliveries, row.attempts, row.epoch], [1, 0, 1]);
    assert.equal(row.holder, 'i-1');
    assert.ok(!('leaseEndsAt' in row));
  });

  scenario(driver, 'what began is run again only where that is no harm', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.start('read', { effect: 'read' });
    await floor.start('idempotent', { effect: 'idempotent_write' });
    await floor.start('write', { effect: 'write' });
    const { effect: _, ...undeclared } = newTask('undeclared');
    await floor.try(undeclared);
    await floor.ack(await floor.claimOne());

    const rows = await floor.loseLease();

    const ends = rows.map(({ taskId, state, cause }) => [taskId, state, cause]);
    assert.deepEqual(ends, [
      ['read', 'waiting', 'lease-lost'],
      ['idempotent', 'waiting', 'lease-lost'],
      ['write', 'dead', 'needs-decision'],
      ['undeclared', 'dead', 'needs-decision'],
    ]);
    assert.match((await floor.row('write')).reason ?? '', /may have been done/);
  });

  scenario(driver, 'the wait grows by attempt, and its last entry repeats', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t', { attemptsMax: 4 });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      await floor.ack(await floor.claimOne());
      floor.now += LEASE_MS;
      const { expired } = await floor.expire({ delaysMs: [2_000, 4_000] });
      waits.push((expired[0]?.dueAt ?? 0) - floor.now);
      floor.now += 4_000;
      await floor.tick();
    }
    await floor.ack(await floor.claimOne());

    const [row] = await floor.loseLease();

    assert.deepEqual(waits, [2_000, 4_000, 4_000]);
    assert.deepEqual([row?.state, row?.cause, row?.attempts], ['dead', 'attempts-spent', 4]);
  });

  scenario(
    driver,
    'a task that nobody begins is dead after so many deliveries',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('t');
      for (let n = 1; n < 12; n++) {
        await floor.claimOne();
        await floor.loseLease();
        assert.equal(await floor.state('t'), 'queued');
      }
      await floor.claimOne();

      const [row] = await floor.loseLease();

      assert.deepEqual([row?.state, row?.cause, row?.deliveries], ['dead', 'deliveries-spent', 12]);
      assert.equal(row?.attempts, 0);
    },
  );

  scenario(driver, 'deliveries count for what began, too', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    await floor.claimOne();
    await floor.loseLease();
    await floor.ack(await floor.claimOne());

    floor.now += LEASE_MS;
    const { expired } = await floor.expire({ deliveriesMax: 2 });

    assert.deepEqual([expired[0]?.state, expired[0]?.cause], ['dead', 'deliveries-spent']);
  });

  scenario(
    driver,
    'where nothing is parked the spent have failed, but for what needs a decision',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.start('attempts', { attemptsMax: 1 });
      await floor.start('write', { effect: 'write', attemptsMax: 1 });
      await floor.submit('deliveries');
      await floor.claimOne();
      floor.now += LEASE_MS;

      const rule = { deliveriesMax: 1, whenSpent: 'failed' } as const;
      const { expired } = await floor.expire(rule);

      assert.deepEqual(
        expired.map(({ taskId, state, cause }) => [taskId, state, cause]),
        [
          ['attempts', 'failed', 'given-up'],
          ['write', 'dead', 'needs-decision'],
          ['deliveries', 'failed', 'given-up'],
        ],
      );
      assert.deepEqual(expired[0], await floor.row('attempts'));
      assert.equal(expired[0]?.endedAt, floor.now);
      await floor.start('parked', { attemptsMax: 1 });
      floor.now += LEASE_MS;
      const parked = await floor.expire({ whenSpent: 'dead' });
      assert.equal(parked.expired[0]?.cause, 'attempts-spent');
    },
  );

  scenario(driver, 'a call of a lost holder has failed, begun or not', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.start('begun', { kind: 'call', attemptsMax: 1 });
    await floor.start('write', { kind: 'call', attemptsMax: 3, effect: 'write' });
    await floor.submit('not', { kind: 'call', attemptsMax: 1 });
    await floor.claimOne();

    floor.now += LEASE_MS;
    const { expired } = await floor.expire({ deliveriesMax: 1 });

    for (const row of expired) assert.deepEqual([row.state, row.cause], ['failed', 'given-up']);
    assert.equal(expired.length, 3);
  });

  scenario(driver, 'the longest lapsed first, at most so many', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const id of ['t1', 't2', 't3', 't4']) await floor.submit(id);
    const [first, second, third, fourth] = await floor.claim();
    assert.ok(first && second && third && fourth);
    const longer = { leaseMs: LEASE_MS + 1, now: floor.now };
    await tasks.extend({ leases: [nameOf(first)], ...longer });
    await tasks.extend({ leases: [nameOf(fourth)], leaseMs: LEASE_MS * 9, now: floor.now });
    floor.now += LEASE_MS + 1;

    const ids = async (limit: number) =>
      (await floor.expire({ limit })).expired.map((row) => row.taskId);

    assert.deepEqual(await ids(2), ['t2', 't3']);
    assert.deepEqual(await ids(2), ['t1']);
    assert.deepEqual(await ids(2), []);
    for (const fault of [{ limit: 0 }, { deliveriesMax: 0 }, { delaysMs: [-1] }]) {
      await assert.rejects(floor.expire(fault), { code: 'internal' });
    }
  });

  scenario(driver, 'grace lengthens every lease that would end sooner', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const id of ['t1', 't2', 't3']) await floor.submit(id);
    await floor.claimOne();
    const long = await floor.claimOne({ leaseMs: LEASE_MS * 9 });
    floor.now += LEASE_MS * 2;

    assert.equal(await tasks.grace({ leaseMs: LEASE_MS, now: floor.now }), 1);

    assert.deepEqual((await floor.expire()).expired, []);
    assert.equal((await floor.row('t1')).leaseEndsAt, floor.now + LEASE_MS);
    assert.equal((await floor.row('t2')).leaseEndsAt, long.leaseEndsAt);
    assert.equal((await floor.row('t3')).leaseEndsAt, undefined);
    assert.equal(await tasks.grace({ leaseMs: LEASE_MS, now: floor.now }), 0);
    assert.equal((await floor.loseLease()).length, 1);
  });
}

function exerciseTick(driver: Driver): void {
  scenario(driver, 'what is due is queued, and ready since then', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('later', { delayMs: 200 });
    await floor.submit('sooner', { delayMs: 100 });
    await floor.submit('last', { delayMs: 900 });
    floor.now += 99;
    assert.deepEqual(await floor.tick(), { overdue: [], due: [], next: [] });
    floor.now += 301;

    const { due } = await floor.tick();

    assert.deepEqual(
      due.map(({ taskId, state, readyAt }) => [taskId, state, (readyAt ?? 0) - NOON]),
      [
        ['sooner', 'queued', 100],
        ['later', 'queued', 200],
      ],
    );
    assert.deepEqual(due[0], await floor.row('sooner'));
    assert.ok(!('dueAt' in (due[0] ?? {})));
    assert.equal(await floor.state('last'), 'waiting');
  });

  scenario(
    driver,
    'a task that has not ended in time has failed, held or not',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('held', { deadlineMs: 100 });
      await floor.claimOne();
      await floor.start('running', { deadlineMs: 100 });
      await floor.submit('queued', { deadlineMs: 100, chain: 'k' });
      await floor.submit('blocked', { deadlineMs: 100, chain: 'k' });
      await floor.submit('waiting', { deadlineMs: 100, delayMs: 1_000 });
      await floor.submit('later', { deadlineMs: 101 });
      await floor.submit('never');
      floor.now += 99;
      assert.deepEqual((await floor.tick()).overdue, []);
      floor.now += 1;

      const { overdue } = await floor.tick();

      assert.deepEqual(
        overdue.map(({ taskId }) => taskId),
        ['held', 'running', 'queued', 'blocked', 'waiting'],
      );
      for (const { state, cause, endedAt } of overdue) {
        assert.deepEqual([state, cause, endedAt], ['failed', 'timeout', NOON + 100]);
      }
      assert.deepEqual(await floor.claimIds(), ['later', 'never']);
    },
  );

  scenario(driver, 'a deadline goes before a due moment', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t', { delayMs: 50, deadlineMs: 50 });
    floor.now += 50;

    const { overdue, due } = await floor.tick();

    assert.deepEqual([overdue.length, due.length], [1, 0]);
  });

  scenario(driver, 'the dead have no deadline', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t', { deadlineMs: 100, attemptsMax: 1 });
    await floor.retry(lease);
    floor.now += 100;

    assert.deepEqual((await floor.tick()).overdue, []);

    assert.equal(await floor.state('t'), 'dead');
  });

  scenario(driver, 'a tick does so many of each, the oldest first', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const n of [3, 1, 2]) await floor.submit(`due${n}`, { delayMs: n });
    for (const n of [3, 1, 2]) await floor.submit(`over${n}`, { deadlineMs: n });
    floor.now += 10;

    const { due, overdue } = await floor.tick({ limit: 2 });

    const ids = [...due, ...overdue].map(({ taskId }) => taskId);
    assert.deepEqual(ids, ['due1', 'due2', 'over1', 'over2']);
    const rest = await floor.tick({ limit: 2 });
    assert.deepEqual([rest.due.length, rest.overdue.length], [1, 1]);
    await assert.rejects(floor.tick({ limit: 0 }), { code: 'internal' });
  });

  scenario(
    driver,
    'a deadline that goes through a chain ends all of it at once',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      for (const id of ['t1', 't2', 't3']) {
        await floor.submit(id, { chain: 'k', ...(id === 't3' ? {} : { deadlineMs: 5 }) });
      }
      floor.now += 5;

      const { overdue, next } = await floor.tick();

      assert.deepEqual(
        overdue.map(({ taskId }) => taskId),
        ['t1', 't2'],
      );
      assert.deepEqual(next, [await floor.row('t3')]);
      assert.equal(next[0]?.state, 'queued');
    },
  );
}
