import assert from 'node:assert/strict';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, LEASE_MS, nameOf, okRow } from './tasks-kit.ts';

/** Strict order: one task of a chain at a time. */
export function exerciseTasksChain(driver: Driver): void {
  exerciseTurns(driver);
  exerciseOvertaking(driver);
  exerciseDeadHeads(driver);
}

function exerciseTurns(driver: Driver): void {
  scenario(driver, 'the next is freed when the one before it has ended', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const states: string[] = [];
    for (const id of ['t1', 't2', 't3'])
      states.push((await floor.submit(id, { chain: 'k' })).state);
    assert.deepEqual(states, ['queued', 'blocked', 'blocked']);
    const lease = await floor.claimOne();
    assert.deepEqual(await floor.claimIds(), []);
    floor.now += 9;

    const answer = await floor.complete(lease);

    assert.ok(answer.outcome === 'ok');
    const next = await floor.row('t2');
    assert.deepEqual(answer.next, next);
    assert.deepEqual([next.state, next.cause, next.readyAt], ['queued', 'unblocked', NOON + 9]);
    assert.equal(await floor.state('t3'), 'blocked');
    assert.deepEqual(await floor.claimIds(), ['t2']);
  });

  scenario(driver, 'a head that waits or is lost holds its chain', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t1', { chain: 'k' });
    await floor.submit('t2', { chain: 'k' });

    await floor.retry(await floor.claimOne());
    assert.deepEqual(await floor.claimIds(), []);
    floor.now += 2_000;
    await floor.tick();
    await floor.claimOne();
    await floor.loseLease();

    assert.deepEqual(await floor.claimIds(), ['t1']);
    assert.equal(await floor.state('t2'), 'blocked');
  });

  scenario(driver, 'every way to end frees the next', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (let n = 1; n <= 6; n++) {
      await floor.submit(`t${n}`, { chain: 'k', ...(n === 3 ? { deadlineMs: 10 } : {}) });
    }

    await floor.complete(await floor.claimOne());
    await floor.settle(await floor.claimOne(), { end: 'fail', retryable: false, reason: 'no' });
    floor.now += 10;
    assert.equal((await floor.tick()).next[0]?.taskId, 't4');
    const cancel = await tasks.cancel({ ...floor.name('t4'), tree: false, now: floor.now });
    assert.equal(cancel.next[0]?.taskId, 't5');
    const lost = await floor.claimOne();
    await floor.loseLease();
    const late = await floor.complete(lost);

    assert.ok(late.outcome === 'late_ok');
    assert.equal(late.next?.taskId, 't6');
    assert.deepEqual(await floor.claimIds(), ['t6']);
  });

  scenario(driver, 'one that ends while it is blocked frees nobody', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const id of ['t1', 't2', 't3']) await floor.submit(id, { chain: 'k' });

    const { next } = await tasks.cancel({ ...floor.name('t2'), tree: false, now: floor.now });

    assert.deepEqual(next, []);
    await floor.complete(await floor.claimOne());
    assert.deepEqual(await floor.claimIds(), ['t3']);
  });

  scenario(driver, 'one whose turn comes before its time waits', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t1', { chain: 'k' });
    const blocked = await floor.submit('t2', { chain: 'k', delayMs: 100 });
    await floor.submit('t3', { chain: 'k', delayMs: 100 });
    assert.deepEqual([blocked.state, blocked.dueAt], ['blocked', NOON + 100]);

    const answer = await floor.complete(await floor.claimOne());

    assert.ok(answer.outcome === 'ok');
    const { state, cause, dueAt } = answer.next ?? assert.fail();
    assert.deepEqual([state, cause, dueAt], ['waiting', 'delayed', NOON + 100]);
    floor.now += 100;
    await floor.tick();
    const last = await floor.complete(await floor.claimOne());
    assert.ok(last.outcome === 'ok');
    assert.deepEqual([last.next?.taskId, last.next?.cause], ['t3', 'unblocked']);
  });

  scenario(driver, 'a chain goes across queues, and stays within its tenant', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t1', { chain: 'k' });
    assert.equal((await floor.submit('t2', { chain: 'k', agentId: 'erp' })).state, 'blocked');
    assert.equal((await floor.submit('x', { chain: 'k2' })).state, 'queued');
    assert.equal((await floor.submit('x', { chain: 'k', tenant: 'other' })).state, 'queued');

    await floor.complete(await floor.claimOne());

    assert.deepEqual(await floor.claimIds({ agentId: 'erp' }), ['t2']);
    assert.deepEqual((await tasks.chainHead({ tenant: 'acme', chain: 'k' }))?.taskId, 't2');
    assert.equal(await tasks.chainHead({ tenant: 'third', chain: 'k' }), undefined);
  });

  scenario(driver, 'a burst of one source runs in the order of its numbers', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const numbers = [3, 0, 4, 1, 2, 2];
    for (const [n, chainSeq] of numbers.entries()) {
      await floor.submit(`t${n}`, { chain: 'k', chainSeq });
    }

    const order: string[] = [];
    for (const _ of numbers) {
      const lease = await floor.claimOne();
      order.push(lease.taskId);
      await floor.complete(lease);
    }

    assert.deepEqual(order, ['t1', 't3', 't4', 't5', 't0', 't2']);
  });
}

function exerciseOvertaking(driver: Driver): void {
  scenario(
    driver,
    'who goes before one that nobody was given takes its turn',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('second', { chain: 'k', chainSeq: 2, delayMs: 700 });
      floor.now += 5;

      const first = await floor.submit('first', { chain: 'k', chainSeq: 1 });

      const second = await floor.row('second');
      assert.equal(first.state, 'queued');
      assert.deepEqual([second.state, second.cause], ['blocked', 'overtaken']);
      assert.equal(second.dueAt, NOON + 700);
      const answer = await floor.complete(await floor.claimOne());
      assert.ok(answer.outcome === 'ok' && answer.next?.state === 'waiting');
    },
  );

  scenario(driver, 'equal numbers go by arrival, and none is 0', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t1', { chain: 'k' });

    assert.equal((await floor.submit('t2', { chain: 'k', chainSeq: 0 })).state, 'blocked');
    assert.equal((await floor.submit('t3', { chain: 'k', chainSeq: -1 })).state, 'queued');
    assert.equal(await floor.state('t1'), 'blocked');
  });

  scenario(driver, 'nobody overtakes one that somebody may be at', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const early = (n: number, chain: string) =>
      floor.submit(`early${n}`, { chain, chainSeq: -n }).then(({ state }) => state);
    await floor.submit('held', { chain: 'k' });
    const held = await floor.claimOne();
    assert.equal(await early(1, 'k'), 'blocked');
    await floor.ack(held);
    assert.equal(await early(2, 'k'), 'blocked');
    await floor.retry(held);
    assert.equal(await early(3, 'k'), 'blocked');
    await floor.submit('lost', { chain: 'l' });
    await floor.claimOne();
    await floor.loseLease();
    assert.equal(await early(4, 'l'), 'blocked');
  });

  scenario(driver, 'one that came back unburnt can be overtaken', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t', { chain: 'k' });
    const lease = await floor.claimOne();
    await floor.settle(lease, { end: 'release' });

    assert.equal((await floor.submit('early', { chain: 'k', chainSeq: -1 })).state, 'queued');

    assert.equal(await floor.state('t'), 'blocked');
    assert.equal((await floor.complete(lease)).outcome, 'lost');
    assert.equal((await tasks.orphans(floor.name('t'))).length, 1);
  });
}

function exerciseDeadHeads(driver: Driver): void {
  const dead = async (floor: Floor, onDead?: 'block' | 'skip') => {
    const rule = onDead === undefined ? {} : { onDead };
    await floor.submit('t1', { chain: 'k', attemptsMax: 1, ...rule });
    await floor.submit('t2', { chain: 'k', ...rule });
    return okRow(await floor.retry(await floor.claimOne()));
  };

  for (const onDead of [undefined, 'block'] as const) {
    scenario(driver, `a dead head blocks its chain (${onDead ?? 'unsaid'})`, async ({ tasks }) => {
      const floor = new Floor(tasks);
      const head = await dead(floor, onDead);

      assert.deepEqual(await floor.claimIds(), []);
      assert.equal((await floor.submit('t0', { chain: 'k', chainSeq: -1 })).state, 'blocked');
      assert.deepEqual(await tasks.chainHead({ tenant: 'acme', chain: 'k' }), head);
      const answer = await tasks.redrive({ ...floor.name('t1'), by: 'ops', now: floor.now });
      assert.ok(answer.outcome === 'ok');
      assert.equal(answer.row.state, 'queued');
      await floor.complete(await floor.claimOne());
      assert.deepEqual(await floor.claimIds(), ['t0']);
    });
  }

  scenario(driver, 'a dead head that was cancelled or forgotten frees it', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await dead(floor);
    const { next } = await tasks.cancel({ ...floor.name('t1'), tree: false, now: floor.now });
    assert.equal(next[0]?.taskId, 't2');
    await tasks.kill({ ...floor.name('t2'), by: 'ops', reason: 'no', now: floor.now });
    await floor.submit('t3', { chain: 'k' });
    floor.now += 10;

    const pruned = await tasks.prune({
      endedBefore: 0,
      deadBefore: floor.now,
      limit: 9,
      now: floor.now,
    });

    assert.deepEqual(pruned, { forgotten: 1, next: [await floor.row('t3')] });
    assert.equal(await floor.state('t3'), 'queued');
  });

  scenario(driver, 'with skip, the chain goes on without its dead', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t1', { chain: 'k', onDead: 'skip', attemptsMax: 1 });
    await floor.submit('t2', { chain: 'k', effect: 'write', onDead: 'skip' });
    await floor.submit('t3', { chain: 'k', onDead: 'skip' });
    await floor.submit('t4', { chain: 'k' });

    const first = await floor.retry(await floor.claimOne());
    assert.ok(first.outcome === 'ok' && first.next?.taskId === 't2');
    await floor.ack(await floor.claimOne());
    floor.now += LEASE_MS;
    const { expired, next } = await floor.expire();
    const killed = await tasks.kill({ ...floor.name('t3'), by: 'ops', reason: '', now: floor.now });

    assert.deepEqual([expired[0]?.taskId, expired[0]?.state], ['t2', 'dead']);
    assert.deepEqual(
      next.map(({ taskId }) => taskId),
      ['t3'],
    );
    assert.ok(killed.outcome === 'ok' && killed.next?.taskId === 't4');
    assert.deepEqual(await floor.claimIds(), ['t4']);
  });

  scenario(driver, 'a dead one that was skipped comes back to its place', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const redrive = (id: string) =>
      tasks.redrive({ ...floor.name(id), by: 'ops', now: floor.now }).then((answer) => {
        assert.ok(answer.outcome === 'ok');
        return [answer.row.state, answer.row.cause];
      });
    await dead(floor, 'skip');
    await floor.submit('t3', { chain: 'k' });

    assert.deepEqual(await redrive('t1'), ['queued', 'redriven']);
    assert.equal(await floor.state('t2'), 'blocked');
    await floor.retry(await floor.claimOne());
    const second = await floor.claimOne();
    assert.deepEqual(await redrive('t1'), ['blocked', 'overtaken']);
    const answer = await floor.complete(second);

    assert.ok(answer.outcome === 'ok' && answer.next?.taskId === 't1');
    assert.deepEqual(await floor.claimIds(), ['t1']);
  });

  scenario(driver, 'a late result of a skipped dead one frees nobody', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t1', { chain: 'k', effect: 'write', onDead: 'skip' });
    for (const id of ['t2', 't3']) await floor.submit(id, { chain: 'k' });
    const lease = await floor.claimOne();
    await floor.ack(lease);
    await floor.loseLease();

    const answer = await floor.complete(lease);

    assert.ok(answer.outcome === 'late_ok' && answer.next === undefined);
    assert.equal(await floor.state('t3'), 'blocked');
    assert.equal(nameOf(answer.row).taskId, 't1');
  });

  scenario(driver, 'a dead head may be skipped afterwards, once', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const head = await dead(floor);
    floor.now += 5;
    const move = { ...floor.name('t1'), by: 'ops', reason: 'go on', now: floor.now };

    const answer = await tasks.skip(move);

    const row = await floor.row('t1');
    const changed = { onDead: 'skip', version: head.version + 1, updatedAt: floor.now } as const;
    assert.deepEqual(row, { ...head, ...changed });
    assert.deepEqual(answer, { outcome: 'ok', row, next: await floor.row('t2') });
    assert.equal(await floor.state('t2'), 'queued');
    const line = (await floor.history('t1')).at(-1);
    assert.deepEqual(
      [line?.cause, line?.from, line?.to, line?.by, line?.reason],
      ['skipped', 'dead', 'dead', 'ops', 'go on'],
    );
    assert.deepEqual(await tasks.skip(move), { outcome: 'refused', row });
    assert.equal((await tasks.skip({ ...move, taskId: 't2' })).outcome, 'refused');
    assert.deepEqual(await tasks.skip({ ...move, taskId: 'no' }), { outcome: 'unknown' });
    await floor.submit('loose');
    await tasks.kill({ ...floor.name('loose'), by: 'ops', reason: '', now: floor.now });
    assert.equal((await tasks.skip({ ...move, taskId: 'loose' })).outcome, 'refused');
  });

  scenario(driver, 'who had to wait for longer may be let go sooner', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t1', { chain: 'k' });
    await floor.submit('t2', { chain: 'k', delayMs: 9_000 });
    await floor.submit('lone', { delayMs: 9_000 });
    floor.now += 5;
    const hasten = (id: string, delayMs: number, reason?: string) =>
      tasks.hasten({
        ...floor.name(id),
        delayMs,
        ...(reason === undefined ? {} : { reason }),
        now: floor.now,
      });

    const answer = await hasten('t2', 0, 'the one before it came');
    const lone = await hasten('lone', 100);

    const row = await floor.row('t2');
    assert.deepEqual(answer, { outcome: 'ok', row });
    assert.deepEqual([row.state, row.dueAt, row.version], ['blocked', floor.now, 2]);
    assert.ok(lone.outcome === 'ok' && lone.row.dueAt === floor.now + 100);
    const line = (await floor.history('t2')).at(-1);
    assert.deepEqual(
      [line?.cause, line?.from, line?.to, line?.reason],
      ['hastened', 'blocked', 'blocked', 'the one before it came'],
    );
    for (const [id, delayMs] of [
      ['t2', 0],
      ['lone', 100],
      ['t1', 0],
    ] as const) {
      assert.equal((await hasten(id, delayMs)).outcome, 'refused', id);
    }
    assert.deepEqual(await hasten('no', 0), { outcome: 'unknown' });
    await assert.rejects(hasten('t2', -1), { code: 'internal' });
    const first = await floor.claimOne();
    await floor.complete(first);
    assert.deepEqual(await floor.claimIds(), ['t2']);
    floor.now += 100;
    assert.equal((await floor.tick()).due[0]?.taskId, 'lone');
  });
}
