import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError, type TaskView } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { moving } from '../testing/moving.ts';
import { begin, run } from '../testing/run.ts';
import { taskView } from '../testing/samples.ts';
import { until } from '../testing/until.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });

test('tail of one task prints each move, and ends with it', async () => {
  const { gateway, looks } = await moving([
    { status: 'queued' },
    { status: 'queued' },
    { status: 'running', attempts: 1, agent: 'sql-1' },
    {
      status: 'running',
      attempts: 1,
      agent: 'sql-1',
      progress: { percent: 40, note: 'page\n3', at: '2026-01-01T00:00:00.000Z' },
    },
    { status: 'dead', attempts: 4, agent: 'sql-1', reason: 'It is broken.' },
  ]);
  await using _ = gateway;
  const clock = new ManualClock();

  const running = begin(['tasks', 'tail', 'tsk_1'], { env: env(gateway), clock });
  for (let i = 1; i < 5; i++) {
    await until(() => looks() === i && clock.waiting === 1, 'it rests');
    await clock.advance(1_000);
  }
  const { code, out } = await running.ended;

  assert.equal(code, 1);
  assert.deepEqual(
    out.split('\n').map((line) => line.split('\t').slice(3).join('|')),
    [
      'queued|0/4||',
      'running|1/4|sql-1|',
      'running|1/4|sql-1|40 % page 3',
      'dead|4/4|sql-1|It is broken.',
      '',
    ],
  );
});

test('on a terminal a task that comes further is one line that is written over', async () => {
  const running = (percent: number) => ({
    status: 'running' as const,
    attempts: 2,
    progress: { percent, at: '2026-01-01T00:00:00.000Z' },
  });
  const { gateway, looks } = await moving([
    running(10),
    running(60),
    { status: 'succeeded', attempts: 2, result: 1 },
  ]);
  await using _ = gateway;
  const clock = new ManualClock();

  const tail = begin(['tasks', 'tail', 'tsk_1'], { env: env(gateway), clock, width: 60 });
  for (let i = 1; i < 3; i++) {
    await until(() => looks() === i && clock.waiting === 1, 'it rests');
    await clock.advance(1_000);
  }
  const { code, out, err } = await tail.ended;

  assert.equal(code, 0);
  assert.equal(
    out,
    '23:59:57  tsk_1  running    query  2/4  10 %\n23:59:57  tsk_1  succeeded  query  2/4\n',
  );
  const lines = err.split('\r\u001b[K').filter(Boolean);
  assert.deepEqual(lines, [
    'tsk_1 running · █░░░░░░░░░ 10 % · run 2/4 · 10 s',
    'tsk_1 running · ██████░░░░ 60 % · run 2/4 · 11 s',
  ]);
});

test('tail of all tells what moves, with counts below; Ctrl-C ends it well', async () => {
  await using gateway = await FakeGateway.open();
  let tasks = [
    taskView({ task_id: 't-2', status: 'running' }),
    taskView({ task_id: 't-1', status: 'succeeded' }),
  ];
  gateway.on('tasks.list', () => ({ tasks, cursor: 1 }));
  const clock = new ManualClock();
  const look = async (count: number) => {
    await until(() => gateway.seen.length === count && clock.waiting === 1, 'it rests');
    await clock.advance(1_000);
  };

  const tail = begin(['tasks', 'tail', '--agent', 'sql-1'], {
    env: env(gateway),
    clock,
    width: 80,
  });
  await look(1);
  await look(2);
  await until(() => gateway.seen.length === 3 && clock.waiting === 1, 'nothing moved');
  tasks = [
    taskView({ task_id: 't-3' }),
    taskView({ task_id: 't-2', status: 'succeeded' }),
    taskView({ task_id: 't-1', status: 'succeeded' }),
  ];
  await clock.advance(1_000);
  await until(() => gateway.seen.length === 4 && clock.waiting === 1, 'it looks again');
  tail.stop();
  const { code, out, err } = await tail.ended;

  assert.equal(code, 0);
  assert.deepEqual(
    out.split('\n').map((line) => line.split(/ +/).slice(1, 3).join(' ')),
    ['t-2 running', 't-2 succeeded', 't-3 queued', ''],
  );
  assert.match(err, /1 running · 1 succeeded.*1 queued · 2 succeeded\r\u001b\[K$/s);
  assert.deepEqual(gateway.seen[0]?.input, { agent: 'sql-1', limit: 500 });
});

test('tail --json prints a task a line; a gateway that is away is said once and waited for', async () => {
  await using gateway = await FakeGateway.open();
  let looks = 0;
  gateway.on('tasks.get', () => {
    looks++;
    if (looks === 2 || looks === 3) throw new ReachError('overloaded', 'The gateway is stopping.');
    return taskView({ status: looks < 4 ? 'running' : 'succeeded' });
  });
  const clock = new ManualClock();

  const tail = begin(['tasks', 'tail', 'tsk_1', '--json'], { env: env(gateway), clock });
  for (let i = 1; i < 4; i++) {
    await until(() => looks === i && clock.waiting === 1, 'it rests');
    await clock.advance(1_000);
  }
  const { code, out, err } = await tail.ended;

  assert.equal(code, 0);
  assert.deepEqual(statusesIn(out), ['running', 'succeeded']);
  assert.equal(err, 'reach: The gateway is stopping. Looking on.\n');
});

test('tail goes on at another gateway, without a word, when one dies under its question', async () => {
  await using one = await FakeGateway.open();
  await using two = await FakeGateway.open();
  let questions = 0;
  for (const gateway of [one, two]) {
    gateway.on('tasks.get', () => {
      questions++;
      if (questions !== 2) return taskView({ status: questions < 4 ? 'running' : 'succeeded' });
      void gateway[Symbol.asyncDispose](); // The question is held where it came, and dies there.
      return new Promise<never>(() => {});
    });
  }
  const clock = new ManualClock();
  const endpoint = `${one.url},${two.url}`;

  const tail = begin(['tasks', 'tail', 'tsk_1', '--json', '--endpoint', endpoint], { clock });
  for (const asked of [1, 3]) {
    await until(() => questions === asked && clock.waiting === 1, 'it rests');
    await clock.advance(1_000);
  }
  const { code, out, err } = await tail.ended;

  assert.equal(code, 0);
  assert.deepEqual(statusesIn(out), ['running', 'succeeded']);
  assert.equal(err, '');
});

test('a task that nobody knows is said at once', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('tasks.get', () => {
    throw new ReachError('task-not-found', 'No task is called tsk_1.');
  });

  const { code, err } = await run(['tasks', 'tail', 'tsk_1'], { env: env(gateway) });

  assert.equal(code, 1);
  assert.equal(err, 'reach: task-not-found: No task is called tsk_1.\n');
});

/** The status on each line of JSON. */
function statusesIn(out: string): TaskView['status'][] {
  const lines = out.trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as TaskView).status);
}
