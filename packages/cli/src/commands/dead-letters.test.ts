import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Output, ReachError } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { begin, run } from '../testing/run.ts';
import { taskView } from '../testing/samples.ts';
import { until } from '../testing/until.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });
const AT = '2026-01-01T00:00:00.000Z';

const DEAD = taskView({
  status: 'dead',
  cause: 'attempts-spent',
  reason: 'query failed (TypeError).',
  attempts: 4,
  payload: { region: 'xx' },
});

type Letter = Output<'dead-letters.get'>;

function letter(changes: Partial<Letter> = {}): Letter {
  return { task: DEAD, version: 7, faults: [], edits: [], orphans: [], ...changes };
}

function edited(changes: Partial<Output<'dead-letters.edit'>> = {}): Output<'dead-letters.edit'> {
  return { task: DEAD, version: 8, faults: [], warnings: [], ...changes };
}

async function open() {
  const gateway = await FakeGateway.open();
  gateway
    .on('dead-letters.get', () =>
      letter({ faults: [{ pointer: '#/region', detail: 'must be one of eu, us' }] }),
    )
    .on('dead-letters.edit', () => edited())
    .on('dead-letters.redrive', ({ task_id: id }) => taskView({ task_id: id }));
  return gateway;
}

test('list is for people the ways of failing, then the tasks; in a pipe the tasks alone', async () => {
  await using gateway = await open();
  const groups = [
    {
      fingerprint: '9f2c01d4aa31',
      cause: 'attempts-spent',
      reason: 'no row *',
      count: 7,
      first_at: AT,
      last_at: AT,
      example: 'tsk_1',
      task_types: ['query'],
      agents: ['sql-1', 'sql-2'],
    },
  ];
  gateway.on('dead-letters.list', () => ({ groups, counted: 7, tasks: [DEAD] }));
  const args = [
    'dead-letters',
    'list',
    '--cause',
    'attempts-spent',
    '--fingerprint',
    '9f2c01d4aa31',
  ];

  const shown = await run(args, { env: env(gateway), width: 140 });
  assert.match(
    shown.out,
    /^COUNT +FINGERPRINT +CAUSE +REASON +AGENTS +LAST +EXAMPLE\n +7 +9f2c01d4aa31 +attempts-spent +no row \* +sql-1 sql-2 +.* +tsk_1\n/,
  );
  assert.match(shown.out, /\n\nTASK +TYPE[^\n]*\ntsk_1 +query +dead /);
  const piped = await run(args, { env: env(gateway) });
  assert.match(piped.out, /^tsk_1\tquery\tdead\t[^\n]*\n$/);
  const raw = await run([...args, '--json'], { env: env(gateway) });
  assert.deepEqual(JSON.parse(raw.out), { groups, counted: 7, tasks: [DEAD] });
  assert.deepEqual(gateway.seen[0]?.input, {
    cause: 'attempts-spent',
    fingerprint: '9f2c01d4aa31',
  });
});

test('show tells what breaks the schema, what was edited, and results that came too late', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.get', () =>
    letter({
      faults: [{ pointer: '#/region', detail: 'must be one of eu, us' }],
      edits: [
        {
          version: 6,
          at: AT,
          by: 'ops',
          reason: 'typo',
          before: { region: 'yy', limit: 1 },
          after: { region: 'xx' },
        },
      ],
      orphans: [{ epoch: 3, at: AT, result: { rows: 1 } }],
    }),
  );

  const { out } = await run(['dead-letters', 'show', 'tsk_1', '--edits', '3'], {
    env: env(gateway),
  });

  assert.match(out, /\nwhy\tattempts-spent: query failed \(TypeError\)\.\n/);
  assert.match(out, /\npayload\t\{"region":"xx"\}\n/);
  assert.match(out, /\nversion\t7\n/);
  assert.match(out, /\nbreaks the present schema\n {2}✗ #\/region must be one of eu, us\n/);
  assert.match(
    out,
    /\nedit 6 of 2026-01-01T00:00:00\.000Z by ops: typo\n {2}~ \/region "yy" → "xx"\n {2}- \/limit 1\n/,
  );
  assert.match(out, /\nlate result of 2026-01-01T00:00:00\.000Z \(epoch 3\)\t\{"rows":1\}\n$/);
  assert.deepEqual(gateway.seen[0]?.input, { task_id: 'tsk_1', edits: 3 });
  const payload = await run(['dead-letters', 'show', 'tsk_1', '--payload'], { env: env(gateway) });
  assert.equal(payload.out, '{\n  "region": "xx"\n}\n');
});

test('edit takes a text, a file or -, and runs nothing', async () => {
  await using gateway = await open();
  const file = join(tmpdir(), `reach-payload-${process.pid}.json`);
  await writeFile(file, '{"region":"us"}');
  const edit = (...more: string[]) =>
    run(['dead-letters', 'edit', 'tsk_1', ...more], {
      env: env(gateway),
      input: '{"region":"in"}',
    });

  for (const payload of ['{"region":"eu"}', `@${file}`, '-']) {
    const { code, out, err } = await edit(
      '--payload',
      payload,
      '--reason',
      'typo',
      '--version',
      '7',
    );
    assert.equal(code, 0, err);
    assert.match(out, /^task\ttsk_1\n/);
    assert.equal(err, 'tsk_1 stays parked. Run it with `reach dead-letters redrive tsk_1`.\n');
  }
  await rm(file);

  const fields = { task_id: 'tsk_1', version: 7, reason: 'typo' };
  assert.deepEqual(
    gateway.seen.map(({ name, input }) => [name, input]),
    ['eu', 'us', 'in'].map((region) => ['dead-letters.edit', { ...fields, payload: { region } }]),
  );
  const without = await edit();
  assert.equal(without.code, 2);
  assert.match(without.err, /--payload: a JSON text, @file or -/);
});

test('undo shows the payload as it was, and what of it breaks the schema now', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.undo', () =>
    edited({
      faults: [{ pointer: '#/payload/region', detail: 'is missing' }],
      warnings: ['Nobody offers query now.'],
    }),
  );

  const { code, out, err } = await run(['dead-letters', 'undo', 'tsk_1'], { env: env(gateway) });

  assert.equal(code, 0);
  assert.match(out, /\nbreaks the present schema\n {2}✗ #\/payload\/region is missing\n$/);
  assert.match(err, /^reach: warning: Nobody offers query now\.\n/);
});

test('skip and park show the task as it stands then', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.skip', () => DEAD).on('tasks.park', () => DEAD);

  const skipped = await run(['dead-letters', 'skip', 'tsk_1', '--reason', 'go on'], {
    env: env(gateway),
  });
  const parked = await run(['tasks', 'park', 'tsk_1', '--reason', 'poison'], { env: env(gateway) });
  const mute = await run(['tasks', 'park', 'tsk_1'], { env: env(gateway) });

  for (const { code, out } of [skipped, parked]) {
    assert.equal(code, 0);
    assert.match(out, /^task\ttsk_1\n/);
  }
  assert.deepEqual(
    gateway.seen.map(({ input }) => input),
    [
      { task_id: 'tsk_1', reason: 'go on' },
      { task_id: 'tsk_1', reason: 'poison' },
    ],
  );
  assert.equal(mute.code, 2);
});

test('an order is shown with whose turn it is first', async () => {
  await using gateway = await open();
  const place = { task_type: 'query', since: AT };
  gateway.on('orders.get', ({ source_id: source }) => ({
    source_id: source,
    says: ['The source stands still.'],
    is_blocked: true,
    turn: { ...place, task_id: 't-1', status: 'dead', order_seq: 4, cause: 'killed' },
    blocked: [{ ...place, task_id: 't-2', status: 'blocked' }],
    skipped: [],
  }));

  const piped = await run(['orders', 'get', 'user 7'], { env: env(gateway) });
  const shown = await run(['orders', 'get', 'user 7'], { env: env(gateway), width: 100 });

  assert.equal(
    piped.out,
    `turn\t4\tt-1\tdead\t\t${AT}\tkilled\nbehind\t\tt-2\tblocked\t\t${AT}\t\n`,
  );
  assert.match(shown.out, /^The source stands still\.\n\nPLACE +SEQ +TASK/);
  assert.deepEqual(gateway.seen[0]?.input, { source_id: 'user 7' });
});

test('redrive names tasks in batches of two seconds, at its pace', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.redrive-many', ({ ids = [] }) => ({ redriven: ids, refused: [] }));
  const clock = new ManualClock();
  const ids = ['t-1', 't-2', 't-3', 't-4', 't-5'];

  const running = begin(['dead-letters', 'redrive', ...ids, '--rate', '2'], {
    env: env(gateway),
    clock,
  });
  await until(() => gateway.seen.length === 1 && clock.waiting === 1, 'it paces itself');
  await clock.advance(499);
  assert.equal(gateway.seen.length, 1);
  await clock.advance(1);
  const { code, out } = await running.ended;

  assert.equal(code, 0);
  assert.equal(out, ids.map((id) => `${id} runs again\n`).join(''));
  assert.deepEqual(
    gateway.seen.map(({ input }) => input),
    [
      { ids: ids.slice(0, 4), rate: 2, limit: 4 },
      { ids: ids.slice(4), rate: 2, limit: 4 },
    ],
  );
});

test('redrive goes on from the cursor until nothing is left, and tells which were refused', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.redrive-many', ({ cursor = 9 }) =>
    cursor === 9
      ? {
          redriven: ['t-4'],
          refused: [{ task_id: 't-3', code: 'task-conflict', detail: 'It is not parked.' }],
          cursor: 3,
        }
      : { redriven: ['t-2'], refused: [] },
  );
  const clock = new ManualClock();
  const args = ['dead-letters', 'redrive', '--agent', 'sql-1', '--reason', 'mended', '--json'];

  const running = begin(args, { env: env(gateway), clock });
  await until(() => gateway.seen.length === 1 && clock.waiting === 1, 'it paces itself');
  await clock.advance(100);
  const { code, out, err } = await running.ended;

  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out), {
    redriven: ['t-4', 't-2'],
    refused: [{ task_id: 't-3', code: 'task-conflict', detail: 'It is not parked.' }],
  });
  assert.equal(err, 'reach: t-3: task-conflict: It is not parked.\n');
  const fields = { agent: 'sql-1', rate: 10, reason: 'mended', limit: 20 };
  assert.deepEqual(
    gateway.seen.map(({ input }) => input),
    [fields, { ...fields, cursor: 3 }],
  );
});

test('a dry run tells of each task who would take it, and fails if one fits nobody', async () => {
  await using gateway = await open();
  const faults = [{ pointer: '#/payload/region', detail: 'is missing' }];
  gateway.on('dead-letters.redrive-many', () => ({
    redriven: [],
    refused: [],
    would: [
      { task_id: 't-1', task_type: 'query', fits: true, faults: [], candidates: ['sql-1'] },
      { task_id: 't-2', task_type: 'query', fits: false, faults, candidates: [] },
    ],
  }));

  const args = ['dead-letters', 'redrive', '--all', '--dry-run'];
  const { code, out } = await run(args, { env: env(gateway) });

  assert.equal(code, 1);
  assert.equal(
    out,
    't-1\tquery\tyes\tsql-1\t\nt-2\tquery\tno\tnobody now\t#/payload/region is missing\n',
  );
  assert.deepEqual(gateway.seen[0]?.input, { all: true, rate: 10, dry_run: true, limit: 100 });
});

test('a redrive that is stopped leaves the rest parked, and says what it did', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.redrive-many', () => ({ redriven: ['t-1'], refused: [], cursor: 5 }));
  const clock = new ManualClock();

  const running = begin(['dead-letters', 'redrive', '--all'], { env: env(gateway), clock });
  await until(() => gateway.seen.length === 1 && clock.waiting === 1, 'it paces itself');
  running.stop();
  const { code, out } = await running.ended;

  assert.deepEqual([code, out], [1, 't-1 runs again\n']);
  assert.equal(gateway.seen.length, 1);
});

test('one task is redriven with another payload at once', async () => {
  await using gateway = await open();
  const args = ['dead-letters', 'redrive', 't-1', '--payload', '{"region":"eu"}'];

  const { code, out } = await run(args, { env: env(gateway) });

  assert.equal(code, 0);
  assert.match(out, /^task\tt-1\n/);
  assert.deepEqual(gateway.seen[0]?.input, { task_id: 't-1', payload: { region: 'eu' } });
  gateway.on('dead-letters.redrive', () => {
    throw new ReachError('validation-failed', 'The payload is not valid.');
  });
  assert.match((await run(args, { env: env(gateway) })).err, /^reach: validation-failed: /);
});

const WRONG: [args: string[], says: RegExp][] = [
  [[], /Name the tasks, or say --agent, --type, --cause, --fingerprint or --all/],
  [['t-1', '--all'], /Name tasks, or select them by flags/],
  [['t-1', '--rate', '0'], /--rate 0: write a whole number from 1 to 100/],
  [['t-1', '--rate', '101'], /--rate 101/],
  [['t-1', 't-2', '--payload', '{}'], /--payload is for one task/],
  [['t-1', '--payload', '{}', '--dry-run'], /--dry-run tries no payload/],
];

for (const [args, says] of WRONG) {
  test(`\`reach dead-letters redrive ${args.join(' ')}\` is refused`, async () => {
    const { code, err } = await run(['dead-letters', 'redrive', ...args]);

    assert.equal(code, 2);
    assert.match(err, says);
  });
}
