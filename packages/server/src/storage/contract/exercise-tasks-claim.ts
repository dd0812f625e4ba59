import assert from 'node:assert/strict';
import type { Fairness } from '../spi/tasks.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, LEASE_MS } from './tasks-kit.ts';

/** Who gets what, and when. */
export function exerciseTasksClaim(driver: Driver): void {
  exerciseOrder(driver);
  exerciseWho(driver);
  exerciseAging(driver);
}

function exerciseOrder(driver: Driver): void {
  scenario(driver, 'a claimed task is held, counted and answered whole', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const { cause: _, ...before } = await floor.submit('t');
    floor.now += 7;

    const [claimed] = await floor.claim({ holder: 'i-9', leaseMs: 500 });

    assert.deepEqual(claimed, {
      ...before,
      state: 'delivered',
      cause: 'claimed',
      version: 2,
      epoch: 1,
      deliveries: 1,
      holder: 'i-9',
      leaseEndsAt: NOON + 507,
      updatedAt: NOON + 7,
      payload: '{"of":"t"}',
    });
    assert.deepEqual((await floor.history('t'))[1], {
      version: 2,
      at: NOON + 7,
      from: 'queued',
      to: 'delivered',
      cause: 'claimed',
      epoch: 1,
      holder: 'i-9',
    });
    assert.deepEqual(await floor.claim(), []);
  });

  scenario(driver, 'the most urgent first, then the oldest', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const [n, priority] of [4, 0, 10, 4, 9].entries())
      await floor.submit(`t${n}`, { priority });

    assert.deepEqual(await floor.claimIds({ limit: 2 }), ['t2', 't4']);
    assert.deepEqual(await floor.claimIds(), ['t0', 't3', 't1']);
  });

  scenario(driver, 'callers take turns within a priority', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const callers = ['b', 'b', 'b', 'b', 'a', 'c', 'a'];
    for (const [n, principal] of callers.entries())
      await floor.submit(`${principal}${n}`, { principal });
    await floor.submit('b-urgent', { principal: 'b', priority: 5 });

    assert.deepEqual(await floor.claimIds({ limit: 2 }), ['b-urgent', 'a4']);
    assert.deepEqual(await floor.claimIds({ limit: 1 }), ['b0']);
    assert.deepEqual(await floor.claimIds(), ['c5', 'a6', 'b1', 'b2', 'b3']);
  });

  scenario(driver, 'a caller who floods the queue starves nobody', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (let n = 0; n < 50; n++) await floor.submit(`flood${n}`, { principal: 'loop' });
    await floor.submit('person', { principal: 'person' });

    assert.ok((await floor.claimIds({ limit: 2 })).includes('person'));
  });

  scenario(driver, 'names of callers are compared by their bytes', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const principal of ['😀', '～', 'z']) await floor.submit(principal, { principal });

    assert.deepEqual(await floor.claimIds(), ['z', '～', '😀']);
  });

  scenario(driver, 'what comes back goes before what came later', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (const id of ['t1', 't2', 't3']) await floor.submit(id);
    const [released, lost] = await floor.claim({ limit: 2 });
    assert.ok(released && lost);

    await floor.settle(released, { end: 'release' });
    await floor.loseLease();

    assert.deepEqual(await floor.claimIds(), ['t1', 't2', 't3']);
  });

  scenario(driver, 'a claim takes 1 to 100', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (let n = 0; n < 101; n++) await floor.submit(`t${n}`);

    for (const limit of [0, 101, 1.5, Number.NaN]) {
      await assert.rejects(floor.claim({ limit }), { code: 'internal' });
    }
    await assert.rejects(floor.claim({ leaseMs: 0 }), { code: 'internal' });
    assert.equal((await floor.claim()).length, 100);
    assert.deepEqual(await floor.claimIds(), ['t100']);
  });

  scenario(driver, 'fifty who claim at once never get the same', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (let n = 0; n < 120; n++) await floor.submit(`t${n}`, { principal: `p${n % 3}` });

    const claims = Array.from({ length: 50 }, (_, i) =>
      floor.claim({ holder: `i-${i}`, limit: 3 }),
    );
    const claimed = (await Promise.all(claims)).flatMap((rows, i) =>
      rows.map((row) => ({ ...row, by: `i-${i}` })),
    );

    assert.equal(claimed.length, 120);
    assert.equal(new Set(claimed.map(({ taskId }) => taskId)).size, 120);
    for (const { taskId, by } of claimed) assert.equal((await floor.row(taskId)).holder, by);
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'whose turn it is survives', async (storage) => {
    const floor = new Floor(storage.tasks);
    for (const id of ['a1', 'b1', 'a2', 'b2']) await floor.submit(id, { principal: id[0] ?? '' });
    assert.deepEqual(await floor.claimIds({ limit: 1 }), ['a1']);

    await using again = await reopen(storage);

    assert.deepEqual(await new Floor(again.tasks).claimIds(), ['b1', 'a2', 'b2']);
  });
}

function exerciseWho(driver: Driver): void {
  scenario(driver, 'agents and tenants keep to their own queues', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('crm');
    await floor.submit('erp', { agentId: 'erp' });
    await floor.submit('other', { tenant: 'other' });

    assert.deepEqual(await floor.claimIds({ agentId: 'nobody' }), []);
    assert.deepEqual(await floor.claimIds(), ['crm']);
    assert.deepEqual(await floor.claimIds({ tenant: 'other' }), ['other']);
    assert.deepEqual(await floor.claimIds({ agentId: 'erp' }), ['erp']);
  });

  scenario(driver, 'a holder gets its version groups and what has none', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('v1', { group: 'v1' });
    await floor.submit('v2', { group: 'v2' });
    await floor.submit('any');

    assert.deepEqual(await floor.claimIds({ groups: ['v2', 'v3'] }), ['v2', 'any']);
    assert.deepEqual(await floor.claimIds({ groups: [] }), []);
    assert.deepEqual(await floor.claimIds(), ['v1']);
  });

  scenario(driver, 'a holder gets the types it takes', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('q', { taskType: 'query' });
    await floor.submit('w', { taskType: 'write' });

    assert.deepEqual(await floor.claimIds({ taskTypes: [] }), []);
    assert.deepEqual(await floor.claimIds({ taskTypes: ['write', 'x'] }), ['w']);
    assert.deepEqual(await floor.claimIds(), ['q']);
  });

  scenario(driver, 'a task with a home waits for it or who stands in', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('h1', { home: 'i-1' });
    await floor.submit('h2', { home: 'i-2' });
    await floor.submit('any');

    assert.deepEqual(await floor.claimIds(), ['any']);
    assert.deepEqual(await floor.claimIds({ homes: ['i-3'] }), []);
    assert.deepEqual(await floor.claimIds({ homes: ['i-3', 'i-2'], holder: 'i-3' }), ['h2']);
    assert.deepEqual(await floor.claimIds({ homes: ['i-1'] }), ['h1']);
  });

  scenario(driver, 'turns and order hold across groups, types and homes', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const facts = [
      { principal: 'b', group: 'v1', taskType: 'x' },
      { principal: 'b', group: 'v2', home: 'i-1' },
      { principal: 'a', taskType: 'x', home: 'i-1' },
      { principal: 'a', group: 'v1' },
      { principal: 'b' },
    ];
    for (const [n, fact] of facts.entries()) await floor.submit(`${fact.principal}${n}`, fact);

    assert.deepEqual(await floor.claimIds({ homes: ['i-1'] }), ['a2', 'b0', 'a3', 'b1', 'b4']);
  });
}

function exerciseAging(driver: Driver): void {
  const fairness: Fairness = { agingMs: 60_000, agingEvery: 2 };

  scenario(driver, 'an old task is let in on every n-th turn, not before', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('old', { priority: 0 });
    floor.now += 600_000;
    for (let n = 0; n < 4; n++) await floor.submit(`t${n}`, { priority: 9 });

    assert.deepEqual(await floor.claimIds({ limit: 2, fairness }), ['t0', 't1']);
    floor.now += 1;
    assert.deepEqual(await floor.claimIds({ limit: 1, fairness }), ['t2']);
    assert.deepEqual(await floor.claimIds({ fairness }), ['old', 't3']);
  });

  scenario(driver, 'without a rule it is strict', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('old', { priority: 0 });
    floor.now += 10_000_000;
    for (let n = 0; n < 4; n++) await floor.submit(`t${n}`, { priority: 1 });

    assert.equal((await floor.claimIds()).at(-1), 'old');
  });

  scenario(driver, 'priority 10 gives way to nobody', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('old', { priority: 0 });
    floor.now += 10_000_000;
    await floor.submit('ten', { priority: 10 });
    await floor.submit('nine', { priority: 9 });

    const every = { ...fairness, agingEvery: 1 };
    assert.deepEqual(await floor.claimIds({ fairness: every }), ['ten', 'old', 'nine']);
  });

  scenario(driver, 'of aged ones the one that has been ready longest', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const every = { agingMs: 10, agingEvery: 1 };
    await floor.submit('delayed', { priority: 2, delayMs: 500 });
    await floor.submit('middle', { priority: 1 });
    floor.now += 100;
    await floor.submit('younger', { priority: 3 });
    floor.now += 400;
    await floor.tick();
    await floor.submit('fresh', { priority: 8 });
    floor.now += 71;

    const order = await floor.claimIds({ fairness: every });

    assert.deepEqual(order, ['middle', 'younger', 'fresh', 'delayed']);
    const strict = { agingMs: 10, agingEvery: 1 };
    assert.deepEqual(await floor.claimIds({ fairness: strict }), []);
  });

  scenario(
    driver,
    'age is kept by what comes back, and begins anew after a wait',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('t');
      assert.equal((await floor.claimOne()).readyAt, NOON);

      await floor.loseLease();
      assert.equal((await floor.row('t')).readyAt, NOON);
      await floor.retry(await floor.claimOne(), 2_000);
      floor.now += 5_000;
      await floor.tick();

      assert.equal((await floor.row('t')).readyAt, NOON + LEASE_MS + 2_000);
    },
  );

  scenario(
    driver,
    'a priority-0 task under a stream of 9 starts within its bound',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('slow', { priority: 0 });
      const rule = { agingMs: 1_000, agingEvery: 8 };
      let startedAt: number | undefined;
      for (let n = 0; startedAt === undefined && n < 200; n++) {
        await floor.submit(`a${n}`, { priority: 9 });
        await floor.submit(`b${n}`, { priority: 9 });
        const ids = await floor.claimIds({ limit: 1, fairness: rule });
        if (ids.includes('slow')) startedAt = floor.now;
        floor.now += 100;
      }

      assert.ok(startedAt !== undefined && startedAt <= NOON + 10_000 + 9 * 100, String(startedAt));
    },
  );

  scenario(driver, 'a rule that cannot be is refused', async ({ tasks }) => {
    const floor = new Floor(tasks);

    for (const rule of [{ agingEvery: 0 }, { agingEvery: 1.5 }, { agingMs: -1 }]) {
      const claim = floor.claim({ fairness: { ...fairness, ...rule } });
      await assert.rejects(claim, { code: 'internal' });
    }
  });
}
