import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Output, TaskView } from '@agent-reach/core';
import { settled } from '@agent-reach/core/testing';
import { failsWith, type TestHouse } from '../main/testing/house.ts';
import {
  claim,
  claimOne,
  openWithPuller,
  payload,
  query,
  rows,
  say,
  submit,
  task,
} from './testing/capabilities.ts';

type List = Output<'dead-letters.list'>;
type Letter = Output<'dead-letters.get'>;
type Batch = Output<'dead-letters.redrive-many'>;

/** A house whose tasks die at their first failure, with one agent that comes for them. */
const openDesk = (flags: Record<string, unknown> = {}) =>
  openWithPuller({ 'task.max.retry': 0, ...flags });

/** Submits a task and lets it die of `reason`. */
async function bury(house: TestHouse, id: string, reason: string): Promise<void> {
  await submit(house, { task_id: id });
  await say(house, await claimOne(house, 'sql'), 'fail', { reason, retryable: true });
}

async function buryMany(house: TestHouse, count: number, reason = 'boom'): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, i) => `d${i}`);
  for (const id of ids) await bury(house, id, `${reason} ${id}`);
  return ids;
}

const letters = (house: TestHouse, query = '') =>
  house.ask<List>('GET', `/v1/dead-letters${query}`);
const letter = (house: TestHouse, id: string, query = '') =>
  house.ask<Letter>('GET', `/v1/dead-letters/${id}${query}`);
const desk = <T = Output<'dead-letters.edit'>>(
  house: TestHouse,
  path: string,
  body: Record<string, unknown> = {},
) => house.ask<T>('POST', `/v1/dead-letters/${path}`, body);

test('five hundred parked tasks that failed in three ways are three groups', async () => {
  await using house = await openDesk();
  await house.puller('spare', { ...query, name: 'other' });
  const reasons = [
    (n: number) => `no connection to db-${n}`,
    (n: number) => `row ${n} has no "region ${n}"`,
    () => 'disk full',
  ];
  const tasks = Array.from({ length: 500 }, (_, n) => ({
    task_id: `t${n}`,
    task_type: 'query',
    payload,
  }));
  await house.ask('POST', '/v1/tasks/bulk', { tasks });
  for (let n = 0; n < 500; n++) {
    const reason = reasons[n % 3]?.(n);
    await say(house, await claimOne(house, 'sql'), 'fail', { reason, retryable: true });
  }

  const { groups, counted, tasks: shown, cursor } = await letters(house, '?limit=2');

  assert.equal(counted, 500);
  assert.deepEqual(
    groups?.map(({ count, reason, agents, task_types }) => [count, reason, agents, task_types]),
    [
      [167, 'row * has no *', ['sql'], ['query']],
      [167, 'no connection to *', ['sql'], ['query']],
      [166, 'disk full', ['sql'], ['query']],
    ],
  );
  assert.equal(shown.length, 2);
  const disk = groups?.find(({ reason }) => reason === 'disk full');
  assert.ok(disk !== undefined && disk.first_at <= disk.last_at);
  assert.equal((await task(house, disk.example)).reason, 'disk full');
  const page = await letters(house, `?fingerprint=${disk.fingerprint}&limit=1000`);
  assert.deepEqual(
    [page.tasks.length, page.groups?.length, page.counted, page.cursor],
    [166, 1, 166, undefined],
  );
  const next = await letters(house, `?cursor=${cursor}&limit=1`);
  assert.equal(next.groups, undefined);
  assert.equal(next.tasks[0]?.task_id, 't497');
  const none = await letters(house, '?fingerprint=000000000000');
  assert.deepEqual([none.tasks, none.groups], [[], []]);
});

test('a payload is mended without running, undone and redone; its history keeps all', async () => {
  await using house = await openDesk();
  await bury(house, 'a', 'no such table');
  await house.clock.advance(1_000);
  const mended = { sql: 'SELECT 2' };

  const edited = await desk(house, 'a/edit', { payload: mended, reason: 'typo' });

  assert.equal(edited.task.status, 'dead');
  assert.deepEqual([edited.task.payload, edited.faults, edited.warnings], [mended, [], []]);
  assert.deepEqual(await claim(house, 'sql'), []);
  const undone = await desk(house, 'a/undo', { reason: 'it was right' });
  assert.deepEqual(undone.task.payload, payload);
  const redone = await desk(house, 'a/undo');
  assert.deepEqual(redone.task.payload, mended);
  const { edits, version, task: shown } = await letter(house, 'a');
  assert.equal(version, redone.version);
  assert.deepEqual(shown.payload, mended);
  assert.deepEqual(
    edits.map(({ before, after, reason, by }) => [before, after, reason, by]),
    [
      [payload, mended, 'undo of the edit by anonymous', 'anonymous'],
      [mended, payload, 'undo of the edit by anonymous: it was right', 'anonymous'],
      [payload, mended, 'typo', 'anonymous'],
    ],
  );
  assert.equal((await letter(house, 'a', '?edits=1')).edits.length, 1);
  const history = await house.ask<Output<'tasks.history'>>('GET', '/v1/tasks/a/history');
  assert.equal(history.moves.filter(({ cause }) => cause === 'edited').length, 3);
  await desk(house, 'a/redrive');
  assert.deepEqual((await claimOne(house, 'sql')).payload, mended);
});

test('an edit is held to the present schema before anything is written', async () => {
  await using house = await openDesk();
  await bury(house, 'a', 'x');
  const before = await letter(house, 'a');

  await assert.rejects(
    desk(house, 'a/edit', { payload: { sql: 7 } }),
    failsWith('validation-failed', ({ facts }) => {
      assert.equal(facts.errors?.[0]?.pointer, '#/payload/sql');
      assert.match(facts.errors[0].detail, /string/);
    }),
  );
  await assert.rejects(
    desk(house, 'a/edit', { payload: { sql: 'x'.repeat(600_000) } }),
    failsWith('payload-too-large', ({ facts }) => assert.equal(facts.limit, 524_288)),
  );

  assert.deepEqual(await letter(house, 'a'), before);
  await assert.rejects(desk(house, 'a/undo'), failsWith('task-conflict'));
});

test('an undo puts back what breaks the schema, and says so; nobody there is said, too', async () => {
  await using house = await openDesk();
  await bury(house, 'a', 'x');
  await desk(house, 'a/edit', { payload: { sql: 'SELECT 2', region: 'eu' } });
  await house.puller('sql', {
    ...query,
    input_schema: {
      type: 'object',
      properties: { region: { type: 'string' } },
      required: ['region'],
    },
  });

  const undone = await desk(house, 'a/undo');

  assert.deepEqual(undone.task.payload, payload);
  assert.equal(undone.faults[0]?.pointer, '#/payload/region');
  await assert.rejects(desk(house, 'a/redrive'), failsWith('validation-failed'));
  await house.ask('DELETE', '/v1/agents/sql');
  const edited = await desk(house, 'a/edit', { payload: 1 });
  assert.match(
    edited.warnings.join(),
    /Nobody offers query now: the payload was held to no schema/,
  );
});

test('only the parked are mended, and not what somebody else changed meanwhile', async () => {
  await using house = await openDesk();
  await submit(house, { task_id: 'q' });
  for (const word of ['edit', 'undo', 'skip', 'redrive']) {
    await assert.rejects(
      desk(house, `q/${word}`, word === 'edit' ? { payload } : {}),
      failsWith('task-conflict', ({ message }) => assert.match(message, /q is queued, not parked/)),
    );
  }
  await say(house, await claimOne(house, 'sql'), 'fail', { reason: 'x', retryable: true });
  const { version } = await letter(house, 'q');
  const first = await desk(house, 'q/edit', { payload: { sql: '1' }, version });
  await assert.rejects(
    desk(house, 'q/edit', { payload: { sql: '2' }, version }),
    failsWith('task-conflict', ({ message }) => {
      assert.match(message, new RegExp(`of version ${first.version}, not ${version}`));
    }),
  );
  assert.deepEqual((await letter(house, 'q')).task.payload, { sql: '1' });
  await assert.rejects(desk(house, 'nobody/edit', { payload }), failsWith('task-not-found'));
});

test('a batch is redriven at its pace, the oldest first, and the next goes on from its cursor', async () => {
  await using house = await openDesk();
  const ids = await buryMany(house, 5);

  const first = desk<Batch>(house, 'redrive', { agent: 'sql', rate: 2, limit: 3 });
  await settled();
  assert.equal((await claim(house, 'sql', { credits: 10 })).length, 1);
  const { redriven, refused, cursor } = await house.during(first, 2_000);

  assert.deepEqual([redriven, refused], [ids.slice(2), []]);
  assert.ok(cursor !== undefined);
  const again = desk<Batch>(house, 'redrive', { agent: 'sql', rate: 2, limit: 3, cursor });
  const second = await house.during(again, 2_000);
  assert.deepEqual([second.redriven, second.cursor], [ids.slice(0, 2), undefined]);
  assert.deepEqual((await letters(house)).tasks, []);
});

test('two who redrive the same tasks at once run each of them once', async () => {
  await using house = await openDesk();
  const ids = await buryMany(house, 6);
  const body = { all: true, rate: 100 };

  const both = Promise.all([
    desk<Batch>(house, 'redrive', body),
    desk<Batch>(house, 'redrive', { ids, rate: 100 }),
  ]);
  const [one, other] = await house.during(both, 2_000);

  assert.deepEqual([...one.redriven, ...other.redriven].sort(), ids);
  for (const { code } of [...one.refused, ...other.refused]) assert.equal(code, 'task-conflict');
  const claimed = await claim(house, 'sql', { credits: 10 });
  assert.deepEqual(claimed.map(({ task_id: id }) => id).sort(), ids);
  const causes = await Promise.all(
    ids.map(async (id) => {
      const { moves } = await house.ask<Output<'tasks.history'>>('GET', `/v1/tasks/${id}/history`);
      return moves.filter(({ cause }) => cause === 'redriven').length;
    }),
  );
  assert.deepEqual(
    causes,
    ids.map(() => 1),
  );
});

test('a dry run says who is there and what fits, and moves nothing', async () => {
  await using house = await openDesk();
  const ids = await buryMany(house, 3);
  await desk(house, 'd1/edit', { payload: { sql: 'SELECT 2', region: 'eu' } });
  await house.puller('sql', {
    ...query,
    input_schema: {
      type: 'object',
      properties: { region: { type: 'string' } },
      required: ['region'],
    },
  });

  const { would, redriven } = await desk<Batch>(house, 'redrive', { all: true, dry_run: true });

  assert.deepEqual(redriven, []);
  assert.deepEqual(
    would?.map(({ task_id: id, fits, faults, candidates }) => [
      id,
      fits,
      faults[0]?.pointer,
      candidates,
    ]),
    [
      ['d0', false, '#/payload/region', []],
      ['d1', true, undefined, ['sql']],
      ['d2', false, '#/payload/region', []],
    ],
  );
  assert.match(would?.[0]?.absence ?? '', /payload|parameters|region/);
  assert.equal((await letters(house)).tasks.length, 3);
  const real = desk<Batch>(house, 'redrive', { ids: [...ids, 'nobody'], rate: 100 });
  const done = await house.during(real, 1_000);
  assert.deepEqual(done.redriven, ['d1']);
  assert.deepEqual(
    done.refused.map(({ task_id: id, code }) => [id, code]),
    [
      ['d0', 'validation-failed'],
      ['d2', 'validation-failed'],
      ['nobody', 'task-not-found'],
    ],
  );
  assert.match(done.refused[0]?.detail ?? '', /#\/payload\/region/);
});

test('a redrive says which are meant, in a batch of what its pace allows', async () => {
  await using house = await openDesk();
  for (const body of [{}, { ids: ['a'], agent: 'sql' }, { ids: ['a'], all: true }]) {
    await assert.rejects(desk(house, 'redrive', body), failsWith('validation-failed'));
  }
  const ids = Array.from({ length: 21 }, (_, n) => `x${n}`);
  await assert.rejects(
    desk(house, 'redrive', { ids, rate: 1 }),
    failsWith('validation-failed', ({ facts }) =>
      assert.equal(facts.errors?.[0]?.pointer, '#/ids'),
    ),
  );
  await assert.rejects(
    desk(house, 'redrive', { all: true, rate: 0 }),
    failsWith('validation-failed'),
  );
});

test('a full queue is not filled further by a redrive: the rest stays parked', async () => {
  await using house = await openDesk({ 'flowcontrol.max-pending': 2 });
  const ids = await buryMany(house, 3);

  const work = desk<Batch>(house, 'redrive', { all: true, rate: 100 });
  const { redriven, refused } = await house.during(work, 1_000);

  assert.deepEqual(redriven, ids.slice(0, 2));
  assert.deepEqual(
    refused.map(({ code }) => code),
    ['agent-busy'],
  );
  assert.equal((await task(house, 'd2')).status, 'dead');
});

test('a task that waits is parked by hand; what somebody holds is not', async () => {
  await using house = await openDesk();
  await submit(house, { task_id: 'a' });
  await submit(house, { task_id: 'later', delay: 60 });
  const park = (id: string) =>
    house.ask<TaskView>('POST', `/v1/tasks/${id}/park`, { reason: 'it breaks every agent' });

  const parked = await park('later');
  const held = await claimOne(house, 'sql');

  assert.deepEqual(
    [parked.status, parked.cause, parked.reason],
    ['dead', 'killed', 'it breaks every agent'],
  );
  await assert.rejects(
    park('a'),
    failsWith('task-conflict', ({ message }) => assert.match(message, /a is delivered: only/)),
  );
  await say(house, held, 'complete', { result: rows });
  const { moves } = await house.ask<Output<'tasks.history'>>('GET', '/v1/tasks/later/history');
  assert.equal(moves.at(-1)?.by, 'anonymous');
});

test('with dead letters turned off leases lost for good end failed, but for what may have run', async () => {
  await using house = await openDesk({
    'task.deadletter.enabled': false,
    'task.deliveries.max': 2,
  });
  await house.puller('bank', {
    name: 'transfer',
    sensitive: false,
    description: 'Moves.',
    effect: 'write',
    idempotency: 'gateway',
  });
  await submit(house, { task_id: 'never-begun' });
  await submit(house, { task_id: 'write', task_type: 'transfer', payload: {} });
  await say(house, await claimOne(house, 'bank'), 'ack');
  for (let n = 0; n < 2; n++) {
    await claimOne(house, 'sql');
    await house.clock.advance(30_500);
  }
  await submit(house, { task_id: 'begun' });
  await say(house, await claimOne(house, 'sql'), 'ack');
  await house.clock.advance(30_500);

  const of = async (id: string) => {
    const { status, cause } = await task(house, id);
    return [status, cause];
  };
  assert.deepEqual(await of('never-begun'), ['failed', 'given-up']);
  assert.deepEqual(await of('begun'), ['failed', 'given-up']);
  assert.deepEqual(await of('write'), ['dead', 'needs-decision']);
});
