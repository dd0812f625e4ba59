import assert from 'node:assert/strict';
import type { NewTask } from '../spi/tasks.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, newTask } from './tasks-kit.ts';

/** How tasks come in. */
export function exerciseTasksSubmit(driver: Driver): void {
  exerciseAcceptance(driver);
  exerciseBounds(driver);
  exerciseFaults(driver);
}

const FULL: NewTask = {
  tenant: 'acme',
  taskId: '订单-1',
  taskType: 'query.orders',
  kind: 'event',
  fingerprint: 'f1',
  principal: 'shop',
  traceId: 'trace-1',
  parentId: 'tsk_0',
  agentId: 'crm',
  group: 'v2',
  home: 'i-7',
  effect: 'idempotent_write',
  priority: 10,
  chain: 'source-9',
  chainSeq: 3,
  onDead: 'skip',
  attemptsMax: 4,
  selector: '{"intent":"昨天的销售额"}',
  payload: '{"of":"yesterday"}',
  deadlineMs: 60_000,
};

function exerciseAcceptance(driver: Driver): void {
  scenario(driver, 'a task is stored as it was sent, and queued', async ({ tasks }) => {
    const move = { tasks: [FULL], pendingMax: 1, reserve: 0, now: NOON };

    const [answer] = await tasks.submit(move);

    assert.ok(answer?.outcome === 'accepted');
    assert.equal(answer.ahead, 0);
    const { payload, deadlineMs, ...sent } = FULL;
    const { seq, ...row } = answer.row;
    assert.ok(Number.isSafeInteger(seq));
    assert.deepEqual(row, {
      ...sent,
      state: 'queued',
      version: 1,
      epoch: 0,
      deliveries: 0,
      attempts: 0,
      readyAt: NOON,
      deadlineAt: NOON + (deadlineMs ?? 0),
      createdAt: NOON,
      updatedAt: NOON,
    });
    assert.deepEqual(await tasks.get(FULL), { ...answer.row, payload });
    assert.deepEqual(await tasks.history(FULL), [
      { version: 1, at: NOON, to: 'queued', cause: 'submitted', epoch: 0, agentId: 'crm' },
    ]);
  });

  scenario(driver, 'what is left out stays out', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const { agentId: _, effect: __, ...bare } = newTask('t');

    const answer = await floor.try(bare);

    assert.ok(answer.outcome === 'accepted');
    const absent = [
      'parentId',
      'agentId',
      'group',
      'home',
      'effect',
      'chain',
      'chainSeq',
      'onDead',
    ];
    for (const part of [...absent, 'cause', 'reason', 'holder', 'dueAt', 'deadlineAt', 'endedAt']) {
      assert.ok(!(part in answer.row), part);
    }
  });

  scenario(driver, 'a delay makes it wait, from then', async ({ tasks }) => {
    const floor = new Floor(tasks);

    const row = await floor.submit('t', { delayMs: 500 });

    assert.equal(row.state, 'waiting');
    assert.equal(row.dueAt, NOON + 500);
    assert.ok(!('readyAt' in row));
    assert.equal((await floor.submit('t0', { delayMs: 0 })).state, 'queued');
  });

  scenario(driver, 'of one bulk each has its own answer, in order', async ({ tasks }) => {
    const bulk = [newTask('a'), newTask('b', { agentId: 'erp' }), newTask('a'), newTask('c')];
    const again = { ...newTask('b'), fingerprint: 'other' };
    const move = { tasks: [...bulk, again], pendingMax: 2, reserve: 0, now: NOON };

    const answers = await tasks.submit({ ...move, tasks: [...move.tasks, newTask('d')] });

    const outcomes = answers.map(({ outcome }) => outcome);
    assert.deepEqual(outcomes, ['accepted', 'accepted', 'same', 'accepted', 'conflict', 'busy']);
    const rows = answers.flatMap((answer) => ('row' in answer ? [answer.row] : []));
    assert.deepEqual(
      rows.map(({ taskId }) => taskId),
      ['a', 'b', 'a', 'c', 'b'],
    );
    const [a, b, , c] = rows.map(({ seq }) => seq);
    assert.ok(a !== undefined && b !== undefined && c !== undefined && a < b && b < c);
  });

  scenario(driver, 'an id that is known is the task it was', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    const lease = await floor.claimOne();
    await floor.complete(lease);
    const before = await floor.whole('t');

    const same = await floor.try(newTask('t', { payload: '{}', priority: 9 }));
    const other = await floor.try(newTask('t', { fingerprint: 'f2' }));

    const row = await floor.row('t');
    assert.deepEqual(same, { outcome: 'same', row });
    assert.deepEqual(other, { outcome: 'conflict', row });
    assert.deepEqual(await floor.whole('t'), before);
  });

  scenario(driver, 'tenants share no ids', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');

    const other = await floor.try(newTask('t', { tenant: 'other', fingerprint: 'f2' }));

    assert.equal(other.outcome, 'accepted');
    assert.equal((await floor.row('t')).fingerprint, 'f-t');
    assert.equal(await tasks.get({ tenant: 'third', taskId: 't' }), undefined);
  });

  scenario(driver, 'of fifty who submit one id at once, one is accepted', async ({ tasks }) => {
    const floor = new Floor(tasks);

    const answers = await Promise.all(Array.from({ length: 50 }, () => floor.try(newTask('t'))));

    const accepted = answers.filter(({ outcome }) => outcome === 'accepted');
    assert.equal(accepted.length, 1);
    assert.ok(answers.every(({ outcome }) => outcome === 'accepted' || outcome === 'same'));
  });

  scenario(
    driver,
    'the parent’s cancellation reaches children that come later',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await floor.submit('parent');
      assert.equal((await floor.submit('early', { parentId: 'parent' })).parentId, 'parent');
      await tasks.cancel({ ...floor.name('parent'), tree: true, now: NOON });

      const late = await floor.try(newTask('late', { parentId: 'parent' }));

      assert.deepEqual(late, { outcome: 'parent-cancelled', parent: await floor.row('parent') });
      assert.equal(await tasks.get(floor.name('late')), undefined);
      assert.equal((await floor.submit('orphan', { parentId: 'nobody' })).state, 'queued');
    },
  );

  scenario(driver, 'long and odd texts survive', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const payload = JSON.stringify({
      结果: '好 🎉'.repeat(100_000),
      lone: '\ud800',
      nul: '\u0000',
    });
    const odd = { payload, selector: payload, principal: '👩‍🔧 "x"', chain: "'; --", traceId: ' ' };
    await floor.submit('t', odd);
    const [claimed] = await floor.claim();
    assert.ok(claimed);

    await floor.complete(claimed, payload);

    const found = await tasks.get(floor.name('t'));
    assert.equal(claimed.payload, payload);
    assert.equal(found?.result, payload);
    assert.equal(found?.selector, payload);
    assert.equal(found?.principal, odd.principal);
    assert.equal(found?.chain, odd.chain);
  });

  scenario(driver, 'the driver may be told to take its own time', async ({ tasks }) => {
    const now = 'store';
    await tasks.submit({ tasks: [newTask('t')], pendingMax: 1, reserve: 0, now });
    const claim = { tenant: 'acme', agentId: 'crm', holder: 'i-1', limit: 1, leaseMs: 60_000 };

    const [claimed] = await tasks.claim({ ...claim, now });

    assert.equal(claimed?.leaseEndsAt, claimed && claimed.updatedAt + 60_000);
    const rule = { deliveriesMax: 12, delaysMs: [1], limit: 9 };
    assert.deepEqual(await tasks.expire({ ...rule, now }), { expired: [], next: [] });
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'tasks survive, wherever they stood', async (storage) => {
    const floor = new Floor(storage.tasks);
    await floor.submit('t1', { chain: 'k' });
    await floor.submit('t2', { chain: 'k' });
    await floor.submit('t3', { delayMs: 1 });
    const running = await floor.start('t4', { priority: 9 });
    const before = await Promise.all(['t1', 't2', 't3', 't4'].map((id) => floor.whole(id)));

    await using again = await reopen(storage);

    const later = new Floor(again.tasks);
    const after = await Promise.all(['t1', 't2', 't3', 't4'].map((id) => later.whole(id)));
    assert.deepEqual(after, before);
    assert.equal((await later.complete(running)).outcome, 'ok');
    assert.deepEqual(await later.claimIds(), ['t1']);
  });
}

function exerciseBounds(driver: Driver): void {
  scenario(driver, 'a queue takes so many and no more', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const room = { pendingMax: 3 };
    await floor.submit('queued');
    await floor.submit('waiting', { delayMs: 1 });
    await floor.submit('held');
    await floor.claimOne();
    await floor.claimOne();
    await floor.submit('chained', { chain: 'k' });
    await floor.submit('blocked', { chain: 'k' });

    const full = await floor.try(newTask('t'), room);

    assert.deepEqual(full, { outcome: 'busy', pending: 3 });
    assert.equal(await tasks.get(floor.name('t')), undefined);
    assert.equal((await floor.try(newTask('queued'), room)).outcome, 'same');
    assert.equal((await floor.try(newTask('t', { agentId: 'erp' }), room)).outcome, 'accepted');
    await floor.claimOne();
    assert.equal((await floor.try(newTask('t2'), room)).outcome, 'accepted');
  });

  scenario(driver, 'priority 10 may use the reserve, and no more', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const room = { pendingMax: 1, reserve: 1 };
    await floor.submit('t');

    const answers = [
      await floor.try(newTask('nine', { priority: 9 }), room),
      await floor.try(newTask('ten', { priority: 10 }), room),
      await floor.try(newTask('ten-2', { priority: 10 }), room),
    ];

    assert.deepEqual(
      answers.map(({ outcome }) => outcome),
      ['busy', 'accepted', 'busy'],
    );
    const none = await floor.try(newTask('none', { agentId: 'erp' }), { pendingMax: 0 });
    assert.deepEqual(none, { outcome: 'busy', pending: 0 });
  });

  scenario(driver, 'unbound tasks are counted by type', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const { agentId: _, ...unbound } = newTask('t1');
    const room = { pendingMax: 1 };

    const answers = [
      await floor.try(unbound, room),
      await floor.try({ ...unbound, taskId: 't2' }, room),
      await floor.try({ ...unbound, taskId: 't3', taskType: 'other' }, room),
    ];

    assert.deepEqual(
      answers.map(({ outcome }) => outcome),
      ['accepted', 'busy', 'accepted'],
    );
    assert.deepEqual(await floor.claimIds(), []);
  });

  scenario(driver, 'a newcomer is told who stands before it', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const ahead = async (taskId: string, facts: Partial<NewTask>) => {
      const answer = await floor.try(newTask(taskId, facts));
      return answer.outcome === 'accepted' ? answer.ahead : answer.outcome;
    };

    assert.equal(await ahead('t1', { priority: 4 }), 0);
    assert.equal(await ahead('t2', { priority: 4, taskType: 'other', group: 'v1' }), 1);
    assert.equal(await ahead('t3', { priority: 3, delayMs: 5 }), 2);
    assert.equal(await ahead('t4', { priority: 3, home: 'i-1' }), 2);
    assert.equal(await ahead('t5', { priority: 10 }), 0);
    assert.equal(await ahead('t6', { priority: 0, agentId: 'erp' }), 0);
    assert.equal(await ahead('t7', { priority: 0 }), 4);
  });
}

function exerciseFaults(driver: Driver): void {
  const IMPOSSIBLE: Record<string, Partial<NewTask>> = {
    'priority 1.5': { priority: 1.5 },
    'priority -1': { priority: -1 },
    'priority 11': { priority: 11 },
    'priority NaN': { priority: Number.NaN },
    'priority "high"': { priority: 'high' as unknown as number },
    'attempts 0': { attemptsMax: 0 },
    'delay -1': { delayMs: -1 },
    'delay Infinity': { delayMs: Number.POSITIVE_INFINITY },
    'deadline NaN': { deadlineMs: Number.NaN },
    'deadline 0.5': { deadlineMs: 0.5 },
    'place 1.5 in a chain': { chainSeq: 1.5 },
    'kind "job"': { kind: 'job' as never },
    'effect "maybe"': { effect: 'maybe' as never },
    'onDead "retry"': { onDead: 'retry' as never },
  };

  scenario(driver, 'what cannot be is refused, and nothing is stored', async ({ tasks }) => {
    const floor = new Floor(tasks);

    for (const [what, facts] of Object.entries(IMPOSSIBLE)) {
      const move = { tasks: [newTask('good'), newTask('bad', facts)], pendingMax: 9, reserve: 0 };
      await assert.rejects(tasks.submit({ ...move, now: NOON }), { code: 'internal' }, what);
    }

    assert.deepEqual(await tasks.list({ tenant: 'acme', limit: 10 }), []);
    assert.deepEqual(await tasks.counts({}), []);
    const thousand = Array.from({ length: 1_001 }, (_, i) => newTask(`t${i}`));
    const bulk = { tasks: thousand, pendingMax: 9_999, reserve: 0, now: NOON };
    await assert.rejects(tasks.submit(bulk), { code: 'internal' });
    assert.equal((await tasks.submit({ ...bulk, tasks: thousand.slice(1) })).length, 1_000);
    assert.equal((await floor.row('t1')).seq < (await floor.row('t1000')).seq, true);
  });
}
