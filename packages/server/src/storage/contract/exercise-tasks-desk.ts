import assert from 'node:assert/strict';
import type { TaskRow } from '../spi/tasks.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, nameOf, newTask, okRow } from './tasks-kit.ts';

/** What people and the gateway do to tasks that are not theirs: bind, cancel, kill, edit, redrive. */
export function exerciseTasksDesk(driver: Driver): void {
  exerciseBind(driver);
  exerciseCancel(driver);
  exerciseDeadLetters(driver);
}

function exerciseBind(driver: Driver): void {
  scenario(driver, 'a bound task keeps its place in another queue', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const { agentId: _, effect: __, ...unbound } = newTask('t1');
    await floor.try(unbound);
    await floor.submit('t2', { agentId: 'erp' });
    floor.now += 5;
    const place = { agentId: 'erp', group: 'v2', home: 'i-1', effect: 'write' as const };

    const moved = await tasks.bind({ tasks: [{ ...floor.name('t1'), ...place }], now: floor.now });

    const row = await floor.row('t1');
    assert.deepEqual(moved, [row]);
    const { agentId, group, home, effect, state, epoch, version, updatedAt } = row;
    assert.deepEqual({ agentId, group, home, effect }, place);
    assert.deepEqual([state, epoch, version, updatedAt], ['queued', 1, 2, NOON + 5]);
    assert.equal(row.cause, undefined);
    const [, line] = await floor.history('t1');
    assert.deepEqual(line, {
      version: 2,
      at: NOON + 5,
      from: 'queued',
      to: 'queued',
      cause: 'bound',
      epoch: 1,
      agentId: 'erp',
    });
    assert.deepEqual(await floor.claimIds({ agentId: 'erp', homes: ['i-1'] }), ['t1', 't2']);
  });

  scenario(driver, 'a task may lose its agent again', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t', { group: 'v1' });

    const [row] = await tasks.bind({ tasks: [floor.name('t')], now: floor.now });

    assert.ok(row && !('agentId' in row) && !('group' in row) && !('effect' in row));
    assert.deepEqual(await floor.claimIds(), []);
    const [queue] = await tasks.counts({ tenant: 'acme' });
    assert.deepEqual([queue?.agentId, queue?.taskType], [undefined, 'query.orders']);
    assert.ok(!('agentId' in ((await floor.history('t'))[1] ?? {})));
  });

  scenario(
    driver,
    'only what nobody holds moves, and only if it stood elsewhere',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('done');
      await floor.complete(await floor.claimOne());
      await floor.submit('held');
      await floor.claimOne();
      await floor.start('running');
      await floor.submit('there', { agentId: 'erp' });
      await floor.submit('waiting', { delayMs: 9 });
      await floor.submit('head', { chain: 'k' });
      await floor.submit('blocked', { chain: 'k' });
      await floor.submit('dead');
      await tasks.kill({ ...floor.name('dead'), by: 'ops', reason: '', now: floor.now });
      const ids = ['done', 'held', 'running', 'there', 'waiting', 'blocked', 'dead', 'nobody'];
      const targets = ids.map((id) => ({
        ...floor.name(id),
        agentId: 'erp',
        effect: 'read' as const,
      }));
      const before = await Promise.all(ids.slice(0, 4).map((id) => floor.whole(id)));

      const moved = await tasks.bind({ tasks: targets, now: floor.now });

      assert.deepEqual(
        moved.map(({ taskId, state }) => [taskId, state]),
        [
          ['waiting', 'waiting'],
          ['blocked', 'blocked'],
          ['dead', 'dead'],
        ],
      );
      assert.deepEqual(await Promise.all(ids.slice(0, 4).map((id) => floor.whole(id))), before);
      const effectOnly = [{ ...floor.name('there'), agentId: 'erp', effect: 'write' as const }];
      assert.equal((await tasks.bind({ tasks: effectOnly, now: floor.now })).length, 1);
      const [first] = targets;
      const many = Array.from({ length: 1_001 }, () => first ?? assert.fail());
      await assert.rejects(tasks.bind({ tasks: many, now: floor.now }), { code: 'internal' });
    },
  );

  scenario(
    driver,
    'a task that is named twice is bound twice, also to its place',
    async (store) => {
      const floor = new Floor(store.tasks);
      await floor.submit('t');
      const to = (agentId: string) => ({ ...floor.name('t'), agentId });

      const moved = await store.tasks.bind({ tasks: [to('erp'), to('crm')], now: floor.now });

      assert.deepEqual(
        moved.map(({ agentId, epoch }) => [agentId, epoch]),
        [
          ['erp', 1],
          ['crm', 2],
        ],
      );
      assert.deepEqual(await floor.claimIds(), ['t']);
    },
  );
}

function exerciseCancel(driver: Driver): void {
  const ids = (rows: TaskRow[]) => rows.map(({ taskId }) => taskId);

  scenario(driver, 'a cancelled task has ended, and its holder lost it', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t');
    floor.now += 5;
    const why = { by: 'ops', reason: 'not needed', now: floor.now };

    const { cancelled } = await tasks.cancel({ ...floor.name('t'), tree: false, ...why });

    const row = await floor.row('t');
    assert.deepEqual(cancelled, [row]);
    const { state, cause, reason, epoch, endedAt, holder } = row;
    assert.deepEqual([state, cause, reason], ['cancelled', 'cancelled', 'not needed']);
    assert.deepEqual([epoch, endedAt, holder], [2, NOON + 5, 'i-1']);
    const line = (await floor.history('t')).at(-1);
    assert.deepEqual([line?.by, line?.reason], ['ops', 'not needed']);
    assert.equal((await floor.complete(lease)).outcome, 'stale');
    assert.equal((await tasks.orphans(floor.name('t'))).length, 1);
    const again = await tasks.cancel({ ...floor.name('t'), tree: true, ...why });
    assert.deepEqual(again, { cancelled: [], next: [] });
    const nobody = await tasks.cancel({ ...floor.name('no'), tree: true, ...why });
    assert.deepEqual(nobody, again);
  });

  scenario(
    driver,
    'a tree is cancelled from the root, through what has ended',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('root');
      await floor.complete(await floor.claimOne());
      for (const [id, parentId] of [
        ['a', 'root'],
        ['b', 'root'],
        ['a1', 'a'],
        ['b1', 'b'],
        ['a11', 'a1'],
      ] as const) {
        await floor.submit(id, { parentId });
      }
      await floor.submit('stranger');
      await floor.submit('a', { tenant: 'other', parentId: 'root' });
      await tasks.cancel({ ...floor.name('a1'), tree: false, now: floor.now });

      const { cancelled } = await tasks.cancel({
        ...floor.name('root'),
        tree: true,
        now: floor.now,
      });

      assert.deepEqual(ids(cancelled), ['a', 'b', 'b1', 'a11']);
      assert.equal(await floor.state('root'), 'succeeded');
      assert.equal(await floor.state('stranger'), 'queued');
      assert.equal((await tasks.get({ tenant: 'other', taskId: 'a' }))?.state, 'queued');
    },
  );

  scenario(driver, 'parents that are each other’s children end', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('a', { parentId: 'b' });
    await floor.submit('b', { parentId: 'a' });
    await floor.submit('self', { parentId: 'self' });

    const both = await tasks.cancel({ ...floor.name('b'), tree: true, now: floor.now });
    const self = await tasks.cancel({ ...floor.name('self'), tree: true, now: floor.now });

    assert.deepEqual([ids(both.cancelled), ids(self.cancelled)], [['b', 'a'], ['self']]);
  });

  scenario(driver, 'a chain within the tree is cancelled through', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('root');
    for (const id of ['t1', 't2', 't3']) {
      await floor.submit(id, { chain: 'k', ...(id === 't3' ? {} : { parentId: 'root' }) });
    }

    const { cancelled, next } = await tasks.cancel({
      ...floor.name('root'),
      tree: true,
      now: floor.now,
    });

    assert.deepEqual(ids(cancelled), ['root', 't1', 't2']);
    assert.deepEqual(next, [await floor.row('t3')]);
    assert.equal(next[0]?.state, 'queued');
  });

  scenario(
    driver,
    'a thousand of a tree go at once, the rest with the next call',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('root');
      const bulk = Array.from({ length: 1_000 }, (_, i) => newTask(`c${i}`, { parentId: 'root' }));
      await tasks.submit({ tasks: bulk, pendingMax: 9_999, reserve: 0, now: floor.now });
      const move = { ...floor.name('root'), tree: true, now: floor.now };

      assert.equal((await tasks.cancel(move)).cancelled.length, 1_000);
      assert.deepEqual(ids((await tasks.cancel(move)).cancelled), ['c999']);
      assert.deepEqual((await tasks.cancel(move)).cancelled, []);
    },
  );
}

function exerciseDeadLetters(driver: Driver): void {
  const bury = async (floor: Floor, id: string) => {
    const lease = await floor.start(id, { attemptsMax: 1, deadlineMs: 90_000 });
    const fail = {
      end: 'fail',
      retryable: true,
      reason: 'boom',
      delayMs: 1,
      result: '{}',
    } as const;
    return okRow(await floor.settle(lease, fail));
  };

  scenario(driver, 'a task is parked by hand', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t', { delayMs: 5 });
    const move = { ...floor.name('t'), by: 'ops', reason: 'poison', now: floor.now };

    const answer = await tasks.kill(move);

    const row = await floor.row('t');
    assert.deepEqual(answer, { outcome: 'ok', row });
    assert.deepEqual([row.state, row.cause, row.reason], ['dead', 'killed', 'poison']);
    assert.ok(!('dueAt' in row));
    assert.equal((await floor.history('t')).at(-1)?.by, 'ops');
    assert.deepEqual(await tasks.kill(move), { outcome: 'refused', row });
    assert.deepEqual(await tasks.kill({ ...move, taskId: 'no' }), { outcome: 'unknown' });
  });

  scenario(driver, 'a redriven task begins anew, in its old place', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await bury(floor, 't');
    await floor.submit('later');
    floor.now += 5;

    const move = { ...floor.name('t'), by: 'ops', reason: 'fixed', now: floor.now };
    const answer = await tasks.redrive(move);

    const row = await floor.row('t');
    assert.deepEqual(answer, { outcome: 'ok', row });
    const { state, cause, reason, epoch, attempts, deliveries, readyAt } = row;
    assert.deepEqual([state, cause, reason, epoch], ['queued', 'redriven', 'fixed', 2]);
    assert.deepEqual([attempts, deliveries, readyAt], [0, 0, NOON + 5]);
    for (const part of ['deadlineAt', 'holder', 'progress']) assert.ok(!(part in row), part);
    assert.equal(await floor.result('t'), undefined);
    assert.deepEqual(await tasks.edits(floor.name('t')), []);
    assert.deepEqual(await tasks.redrive(move), { outcome: 'refused', row });
    assert.deepEqual(await tasks.redrive({ ...move, taskId: 'no' }), { outcome: 'unknown' });
    assert.deepEqual(await floor.claimIds(), ['t', 'later']);
  });

  scenario(
    driver,
    'a redriven task may have another payload and a new deadline',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await bury(floor, 't');
      const edit = { payload: '{"fixed":true}', by: 'ops', reason: 'typo', deadlineMs: 100 };

      const answer = await tasks.redrive({ ...floor.name('t'), ...edit, now: floor.now });

      assert.ok(answer.outcome === 'ok');
      assert.equal(answer.row.deadlineAt, NOON + 100);
      assert.deepEqual((await floor.tale('t')).slice(-2), ['edited:dead', 'redriven:queued']);
      const [claimed] = await floor.claim();
      assert.equal(claimed?.payload, '{"fixed":true}');
      const [kept] = await tasks.edits(floor.name('t'));
      const before = { at: NOON, by: 'ops', reason: 'typo', payload: '{"of":"t"}' };
      assert.deepEqual(kept, { version: 5, ...before });
      const fault = tasks.redrive({ ...floor.name('t'), by: 'ops', deadlineMs: 0.5, now: 1 });
      await assert.rejects(fault, { code: 'internal' });
    },
  );

  scenario(
    driver,
    'a dead task’s payload is edited, and what it was is kept',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      const dead = await bury(floor, 't');
      const edit = (payload: string) =>
        tasks.edit({ ...floor.name('t'), payload, by: 'ops', now: floor.now });
      floor.now += 5;

      const answer = await edit('"1"');

      const { version, updatedAt, ...same } = await floor.row('t');
      assert.deepEqual(answer, { outcome: 'ok', row: { ...same, version, updatedAt } });
      assert.deepEqual([version, updatedAt], [dead.version + 1, NOON + 5]);
      const { version: _, updatedAt: __, ...before } = dead;
      assert.deepEqual(same, before);
      const line = (await floor.history('t')).at(-1);
      assert.deepEqual(
        [line?.cause, line?.from, line?.to, line?.by],
        ['edited', 'dead', 'dead', 'ops'],
      );
      for (let n = 2; n <= 22; n++) await edit(`"${n}"`);
      const edits = await tasks.edits(floor.name('t'));
      assert.deepEqual(
        edits.map(({ payload }) => payload),
        Array.from({ length: 20 }, (_, n) => `"${21 - n}"`),
      );
      assert.equal((await tasks.get(floor.name('t')))?.payload, '"22"');
    },
  );

  scenario(driver, 'an edit of what changed meanwhile is refused', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const { version } = await bury(floor, 't');
    const edit = (payload: string) =>
      tasks.edit({ ...floor.name('t'), payload, version, by: 'ops', now: floor.now });

    assert.equal((await edit('"mine"')).outcome, 'ok');
    const before = await floor.whole('t');
    const answer = await edit('"too late"');

    assert.deepEqual(answer, { outcome: 'refused', row: await floor.row('t') });
    assert.deepEqual(await floor.whole('t'), before);
  });

  scenario(driver, 'only the dead are edited', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const row = await floor.submit('t');
    const move = { payload: '{}', by: 'ops', now: floor.now };

    const answer = await tasks.edit({ ...nameOf(row), ...move });

    assert.deepEqual(answer, { outcome: 'refused', row });
    assert.deepEqual(await tasks.edit({ ...floor.name('no'), ...move }), { outcome: 'unknown' });
    assert.equal((await tasks.get(nameOf(row)))?.payload, '{"of":"t"}');
    assert.equal((await tasks.edits(nameOf(row))).length, 0);
  });
}
