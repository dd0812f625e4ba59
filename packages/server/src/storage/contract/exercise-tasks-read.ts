import assert from 'node:assert/strict';
import type { TasksStore } from '../spi/tasks.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { Floor, newTask } from './tasks-kit.ts';

/** What is asked about tasks, and what is forgotten of them. */
export function exerciseTasksRead(driver: Driver): void {
  exerciseList(driver);
  exerciseFigures(driver);
  exercisePrune(driver);
}

type ListQuery = Parameters<TasksStore['list']>[0];

function exerciseList(driver: Driver): void {
  const ids = async (floor: Floor, query: Partial<ListQuery> = {}) =>
    (await floor.tasks.list({ tenant: 'acme', limit: 100, ...query })).map(({ taskId }) => taskId);

  scenario(driver, 'tasks are found by what they are, newest first', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const { agentId: _, ...unbound } = newTask('t1', { taskType: 'other' });
    await floor.try(unbound);
    await floor.submit('t2', { agentId: 'erp', principal: 'ops', chain: 'k', traceId: 'trace-2' });
    await floor.submit('t3', { chain: 'k', parentId: 't1' });
    await floor.submit('t4', { delayMs: 5, parentId: 't1', traceId: 'trace-2' });
    await floor.submit('t5', { tenant: 'other', chain: 'k', parentId: 't1' });

    assert.deepEqual(await ids(floor), ['t4', 't3', 't2', 't1']);
    assert.deepEqual(await ids(floor, { tenant: 'other' }), ['t5']);
    assert.deepEqual(await ids(floor, { tenant: 'third' }), []);
    assert.deepEqual(await ids(floor, { agentId: 'crm' }), ['t4', 't3']);
    assert.deepEqual(await ids(floor, { agentId: null }), ['t1']);
    assert.deepEqual(await ids(floor, { agentId: 'nobody' }), []);
    assert.deepEqual(await ids(floor, { taskType: 'other' }), ['t1']);
    assert.deepEqual(await ids(floor, { principal: 'ops' }), ['t2']);
    assert.deepEqual(await ids(floor, { traceId: 'trace-2' }), ['t4', 't2']);
    assert.deepEqual(await ids(floor, { parentId: 't1' }), ['t4', 't3']);
    assert.deepEqual(await ids(floor, { chain: 'k' }), ['t3', 't2']);
    assert.deepEqual(await ids(floor, { chain: 'k', chainSeq: 0 }), ['t3', 't2']);
    assert.deepEqual(await ids(floor, { chain: 'k', chainSeq: 1 }), []);
    assert.deepEqual(await ids(floor, { states: ['waiting'] }), ['t4']);
    assert.deepEqual(await ids(floor, { states: ['waiting', 'queued'] }), ['t4', 't2', 't1']);
    assert.deepEqual(await ids(floor, { states: [] }), []);
    const several = { parentId: 't1', traceId: 'trace-2', states: ['waiting' as const] };
    assert.deepEqual(await ids(floor, several), ['t4']);
    assert.deepEqual(await ids(floor, { ...several, agentId: 'erp' }), []);
    const [row] = await tasks.list({ tenant: 'acme', limit: 1 });
    assert.deepEqual(row, await floor.row('t4'));
  });

  scenario(driver, 'tasks are found by where they stand and why', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('late', { deadlineMs: 1 });
    floor.now += 1;
    await floor.tick();
    await floor.start('refused');
    await floor.settle(await floor.row('refused'), { end: 'fail', retryable: false, reason: 'no' });
    await floor.start('running');
    await floor.submit('held');
    await floor.claimOne();
    await floor.submit('dead');
    await tasks.kill({ ...floor.name('dead'), by: 'ops', reason: '', now: floor.now });

    assert.deepEqual(await ids(floor, { states: ['failed'] }), ['refused', 'late']);
    assert.deepEqual(await ids(floor, { causes: ['timeout'] }), ['late']);
    const either = { causes: ['timeout', 'killed', 'acked'] as const };
    assert.deepEqual(await ids(floor, { causes: [...either.causes] }), ['dead', 'running', 'late']);
    assert.deepEqual(await ids(floor, { causes: [] }), []);
    assert.deepEqual(await ids(floor, { states: ['dead'] }), ['dead']);
    assert.deepEqual(await ids(floor, { states: ['running'] }), ['running']);
    assert.deepEqual(await ids(floor, { states: ['delivered', 'running'] }), ['held', 'running']);
    assert.deepEqual(await ids(floor, { states: ['dead'], causes: ['timeout'] }), []);
  });

  scenario(driver, 'pages follow each other without gap or overlap', async ({ tasks }) => {
    const floor = new Floor(tasks);
    for (let n = 0; n < 7; n++)
      await floor.submit(`t${n}`, { principal: n === 3 ? 'ops' : 'shop' });
    const seen: string[] = [];
    let before: number | undefined;
    for (;;) {
      const page: Partial<ListQuery> = before === undefined ? {} : { before };
      const rows = await tasks.list({ tenant: 'acme', principal: 'shop', limit: 2, ...page });
      before = rows.at(-1)?.seq;
      if (before === undefined) break;
      seen.push(...rows.map(({ taskId }) => taskId));
      // Who comes meanwhile is newer than any page.
      await floor.submit(`new${seen.length}`);
    }

    assert.deepEqual(seen, ['t6', 't5', 't4', 't2', 't1', 't0']);
    for (const limit of [0, 1_001]) {
      await assert.rejects(tasks.list({ tenant: 'acme', limit }), { code: 'internal' });
    }
  });

  scenario(driver, 'nothing is known of a task that never was', async ({ tasks }) => {
    const name = { tenant: 'acme', taskId: 'no' };

    assert.equal(await tasks.get(name), undefined);
    assert.equal(await tasks.ahead(name), undefined);
    for (const part of ['history', 'orphans', 'edits'] as const) {
      assert.deepEqual(await tasks[part](name), []);
    }
  });

  scenario(driver, 'of a long history the beginning and the end are kept', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await floor.submit('t');
    for (let n = 0; n < 150; n++) {
      await floor.settle(await floor.claimOne(), { end: 'release' });
    }

    const history = await floor.history('t');

    assert.equal(history.length, 256);
    assert.equal((await floor.row('t')).version, 301);
    assert.deepEqual([history[0]?.cause, history[0]?.version], ['submitted', 1]);
    assert.deepEqual([history[1]?.version, history.at(-1)?.version], [47, 301]);
  });
}

function exerciseFigures(driver: Driver): void {
  scenario(driver, 'a queued task knows its place, whoever left before it', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const ahead = (taskId: string) => tasks.ahead(floor.name(taskId));
    const exactly = (n: number) => ({ tasks: n, atLeast: false });
    for (let n = 0; n < 4; n++) {
      await floor.submit(`t${n}`, { principal: `p${n}`, ...(n === 1 ? { group: 'v1' } : {}) });
      floor.now += 1;
    }
    await floor.submit('urgent', { priority: 5 });
    await floor.submit('elsewhere', { priority: 10, agentId: 'erp' });
    await floor.submit('waiting', { delayMs: 50 });

    assert.deepEqual(await ahead('t3'), exactly(4));
    assert.deepEqual(await ahead('urgent'), exactly(0));
    assert.equal(await ahead('waiting'), undefined);
    await tasks.cancel({ ...floor.name('t1'), tree: false, now: floor.now });
    await floor.claimOne();
    await floor.claimOne();
    assert.deepEqual(await ahead('t3'), exactly(1));
    assert.equal(await ahead('urgent'), undefined);
    floor.now += 50;
    await floor.tick();
    assert.deepEqual(await ahead('waiting'), exactly(2));
  });

  scenario(driver, 'a place beyond ten thousand is at least that far', async ({ tasks }) => {
    for (let bulk = 0; bulk < 11; bulk++) {
      const ids = Array.from({ length: bulk === 10 ? 2 : 1_000 }, (_, n) => `t${bulk * 1_000 + n}`);
      const batch = ids.map((id) => newTask(id));
      await tasks.submit({ tasks: batch, pendingMax: 99_999, reserve: 0, now: NOON });
    }
    const floor = new Floor(tasks);
    const ahead = (id: string) => tasks.ahead(floor.name(id));

    assert.deepEqual(await ahead('t9999'), { tasks: 9_999, atLeast: false });
    assert.deepEqual(await ahead('t10000'), { tasks: 10_000, atLeast: false });
    assert.deepEqual(await ahead('t10001'), { tasks: 10_000, atLeast: true });
  });

  scenario(driver, 'the figures are those of the tasks, queue by queue', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const { agentId: _, ...unbound } = newTask('u', { taskType: 'other', delayMs: 9 });
    await floor.try(unbound);
    await floor.submit('done', { agentId: 'past' });
    await floor.complete(await floor.claimOne({ agentId: 'past' }));
    await floor.start('running', { priority: 9 });
    await floor.submit('held', { priority: 9 });
    await floor.claimOne();
    await floor.submit('t1', { group: 'v1', home: 'i-1', priority: 0 });
    floor.now += 5;
    await floor.submit('t2', { chain: 'k', priority: 10 });
    await floor.submit('t3', { chain: 'k' });
    await floor.submit('dead');
    await tasks.kill({ ...floor.name('dead'), by: 'ops', reason: '', now: floor.now });
    await floor.submit('x', { tenant: 'other', agentId: 'erp' });
    const none = { blocked: 0, queued: 0, waiting: 0, delivered: 0, running: 0, dead: 0 };

    const figures = await tasks.counts({ tenant: 'acme' });

    const crm = { blocked: 1, queued: 2, waiting: 0, delivered: 1, running: 1, dead: 1 };
    assert.deepEqual(figures, [
      { tenant: 'acme', taskType: 'other', ...none, waiting: 1 },
      { tenant: 'acme', agentId: 'crm', ...crm, oldestAt: NOON },
    ]);
    const other = { tenant: 'other', agentId: 'erp', ...none, queued: 1, oldestAt: NOON + 5 };
    assert.deepEqual(await tasks.counts({}), [...figures, other]);
    assert.deepEqual(await tasks.counts({ tenant: 'third' }), []);
  });
}

function exercisePrune(driver: Driver): void {
  const END = NOON + 1_000;

  /** Ends one task every way, one each millisecond from noon. */
  const endAll = async (floor: Floor) => {
    for (const id of ['done', 'cancelled', 'dead', 'alive']) await floor.submit(id);
    await floor.complete(await floor.claimOne());
    floor.now += 1;
    await floor.tasks.cancel({ ...floor.name('cancelled'), tree: false, now: floor.now });
    floor.now += 1;
    await floor.tasks.kill({ ...floor.name('dead'), by: 'ops', reason: '', now: floor.now });
  };

  scenario(driver, 'prune forgets what ended before, and the dead apart', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await endAll(floor);
    const rest = async () =>
      (await tasks.list({ tenant: 'acme', limit: 9 })).map(({ taskId }) => taskId);
    const prune = async (endedBefore: number, deadBefore: number, limit = 9) =>
      (await tasks.prune({ endedBefore, deadBefore, limit, now: END })).forgotten;

    assert.equal(await prune(NOON, NOON), 0);
    assert.equal(await prune(NOON + 1, NOON), 1);
    assert.deepEqual(await rest(), ['alive', 'dead', 'cancelled']);
    assert.equal(await prune(NOON, NOON + 3), 1);
    assert.deepEqual(await rest(), ['alive', 'cancelled']);
    assert.equal(await prune(END, END), 1);
    assert.deepEqual(await rest(), ['alive']);
    assert.deepEqual(await floor.claimIds(), ['alive']);
  });

  scenario(
    driver,
    'prune takes so many, the ended first and the oldest of them',
    async ({ tasks }) => {
      const floor = new Floor(tasks);
      await endAll(floor);
      const prune = { endedBefore: END, deadBefore: END, now: END };

      for (const gone of ['done', 'cancelled', 'dead']) {
        assert.equal((await tasks.prune({ ...prune, limit: 1 })).forgotten, 1);
        assert.equal(await tasks.get(floor.name(gone)), undefined);
      }
      assert.equal((await tasks.prune({ ...prune, limit: 1 })).forgotten, 0);
      await assert.rejects(tasks.prune({ ...prune, limit: 0 }), { code: 'internal' });
    },
  );

  scenario(driver, 'nothing of a forgotten task is left, and its id is free', async ({ tasks }) => {
    const floor = new Floor(tasks);
    const lease = await floor.start('t', { attemptsMax: 1 });
    await floor.retry(lease);
    await tasks.edit({ ...floor.name('t'), payload: '{}', by: 'ops', now: floor.now });
    await tasks.redrive({ ...floor.name('t'), by: 'ops', now: floor.now });
    await floor.complete(lease);
    const [again] = await floor.claim();
    await floor.complete(again ?? assert.fail());
    assert.equal((await tasks.orphans(floor.name('t'))).length, 1);

    await tasks.prune({ endedBefore: END, deadBefore: END, limit: 9, now: END });

    assert.equal((await floor.complete(lease)).outcome, 'unknown');
    const fresh = await floor.try(newTask('t', { fingerprint: 'other', payload: '"new"' }));
    assert.ok(fresh.outcome === 'accepted');
    assert.deepEqual([fresh.row.version, fresh.row.epoch], [1, 0]);
    assert.equal((await floor.history('t')).length, 1);
    assert.equal((await tasks.get(floor.name('t')))?.payload, '"new"');
    assert.equal(await floor.result('t'), undefined);
    assert.deepEqual(await tasks.orphans(floor.name('t')), []);
    assert.deepEqual(await tasks.edits(floor.name('t')), []);
  });

  scenario(driver, 'an edit keeps a dead task from being forgotten', async ({ tasks }) => {
    const floor = new Floor(tasks);
    await endAll(floor);
    floor.now += 500;
    await tasks.edit({ ...floor.name('dead'), payload: '{}', by: 'ops', now: floor.now });

    const pruned = await tasks.prune({
      endedBefore: 0,
      deadBefore: NOON + 500,
      limit: 9,
      now: END,
    });

    assert.deepEqual(pruned, { forgotten: 0, next: [] });
  });
}
