import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Output, ReachError } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { begin, run } from '../testing/run.ts';
import { taskView } from '../testing/samples.ts';
import { until } from '../testing/until.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });

const DEAD = taskView({
  status: 'dead',
  cause: 'attempts-spent',
  reason: 'query failed (TypeError).',
  attempts: 4,
  payload: { region: 'xx' },
});

function letter(changes: Partial<Output<'dead-letters.get'>> = {}): Output<'dead-letters.get'> {
  return { task: DEAD, faults: [], orphans: [], ...changes };
}

async function open() {
  const gateway = await FakeGateway.open();
  gateway
    .on('dead-letters.get', () =>
      letter({ faults: [{ pointer: '#/region', detail: 'must be one of eu, us' }] }),
    )
    .on('dead-letters.redrive', ({ task_id: id }) => taskView({ task_id: id }));
  return gateway;
}

test('list is for people the causes, then the tasks; in a pipe the tasks alone', async () => {
  await using gateway = await open();
  const causes = [
    { task_type: 'query', cause: 'attempts-spent', reason: 'query failed', count: 7 },
  ];
  gateway.on('dead-letters.list', () => ({ causes, tasks: [DEAD] }));
  const args = ['dead-letters', 'list', '--cause', 'attempts-spent', '--type', 'query'];

  const shown = await run(args, { env: env(gateway), width: 120 });
  assert.match(
    shown.out,
    /^COUNT +TYPE +CAUSE +REASON\n +7 +query +attempts-spent +query failed\n/,
  );
  assert.match(shown.out, /\n\nTASK +TYPE[^\n]*\ntsk_1 +query +dead /);
  const piped = await run(args, { env: env(gateway) });
  assert.match(piped.out, /^tsk_1\tquery\tdead\t[^\n]*\n$/);
  const raw = await run([...args, '--json'], { env: env(gateway) });
  assert.deepEqual(JSON.parse(raw.out), { causes, tasks: [DEAD] });
  assert.deepEqual(gateway.seen[0]?.input, { task_type: 'query', cause: 'attempts-spent' });
});

test('show tells what breaks the schema, and results that came too late', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.get', () =>
    letter({
      faults: [{ pointer: '#/region', detail: 'must be one of eu, us' }],
      orphans: [{ epoch: 3, at: '2026-01-01T00:00:00.000Z', result: { rows: 1 } }],
    }),
  );

  const { out } = await run(['dead-letters', 'show', 'tsk_1'], { env: env(gateway) });

  assert.match(out, /\nwhy\tattempts-spent: query failed \(TypeError\)\.\n/);
  assert.match(out, /\npayload\t\{"region":"xx"\}\n/);
  assert.match(out, /\nbreaks the present schema\n {2}✗ #\/region must be one of eu, us\n/);
  assert.match(out, /\nlate result of 2026-01-01T00:00:00\.000Z \(epoch 3\)\t\{"rows":1\}\n$/);
});

test('edit opens the payload, and redrives with what the user made of it', async () => {
  await using gateway = await open();
  let given = '';

  const { code, out, err } = await run(['dead-letters', 'edit', 'tsk_1', '--reason', 'typo'], {
    env: env(gateway),
    edit(text) {
      given = text;
      return text.replace('xx', 'eu');
    },
  });

  assert.equal(code, 0, err);
  assert.equal(given, '{\n  "region": "xx"\n}\n');
  assert.equal(err, '#/region must be one of eu, us\n');
  assert.match(out, /^task\ttsk_1\n/);
  assert.deepEqual(gateway.seen.at(-1)?.input, {
    task_id: 'tsk_1',
    payload: { region: 'eu' },
    reason: 'typo',
  });
});

test('a payload that was not changed redrives nothing', async () => {
  await using gateway = await open();

  const { code, err } = await run(['dead-letters', 'edit', 'tsk_1'], {
    env: env(gateway),
    edit: (text) => text,
  });

  assert.equal(code, 1);
  assert.match(err, /Nothing was changed, so nothing is redriven\.\n$/);
  assert.equal(gateway.seen.length, 1);
});

for (const [what, edited, code] of [
  ['is no JSON', '{"region":', 2],
  ['the gateway refuses', '{"region":"yy"}', 1],
] as const) {
  test(`an edited payload that ${what} is kept, and it is said where`, async () => {
    await using gateway = await open();
    gateway.on('dead-letters.redrive', () => {
      throw new ReachError('validation-failed', 'The payload is not valid.');
    });

    const ran = await run(['dead-letters', 'edit', 'tsk_1'], {
      env: env(gateway),
      edit: () => edited,
    });

    assert.equal(ran.code, code);
    const [, file = ''] = /The text is in (\S+): mend it/.exec(ran.err) ?? [];
    assert.equal(await readFile(file, 'utf8'), edited);
    await rm(dirname(file), { recursive: true });
  });
}

test('edit --payload takes a text, a file or - and opens no editor', async () => {
  await using gateway = await open();
  const file = join(tmpdir(), `reach-payload-${process.pid}.json`);
  await writeFile(file, '{"region":"us"}');
  const edit = (payload: string) =>
    run(['dead-letters', 'edit', 'tsk_1', '--payload', payload], {
      env: env(gateway),
      input: '{"region":"in"}',
    });

  for (const payload of ['{"region":"eu"}', `@${file}`, '-']) {
    assert.equal((await edit(payload)).code, 0);
  }
  await rm(file);

  const payloads = gateway.seen.map(({ input }) => input['payload']);
  assert.deepEqual(payloads, [{ region: 'eu' }, { region: 'us' }, { region: 'in' }]);
  const without = await run(['dead-letters', 'edit', 'tsk_1'], { env: env(gateway) });
  assert.equal(without.code, 2);
});

test('redrive runs those that are named', async () => {
  await using gateway = await open();
  const clock = new ManualClock();

  const running = begin(['dead-letters', 'redrive', 't-1', 't-2', '--rate', '2'], {
    env: env(gateway),
    clock,
  });
  await until(() => gateway.seen.length === 1 && clock.waiting === 1, 'it paces itself');
  await clock.advance(499);
  assert.equal(gateway.seen.length, 1);
  await clock.advance(1);
  const { code, out } = await running.ended;

  assert.equal(code, 0);
  assert.equal(out, 't-1 runs again\nt-2 runs again\n');
});

test('redrive runs those that the flags select, page by page, and tells which were refused', async () => {
  await using gateway = await open();
  gateway.on('dead-letters.list', ({ cursor = 4 }) => ({
    causes: [],
    tasks: [taskView({ task_id: `t-${cursor}` }), taskView({ task_id: `t-${cursor - 1}` })],
    ...(cursor > 2 ? { cursor: cursor - 2 } : {}),
  }));
  gateway.on('dead-letters.redrive', ({ task_id: id }) => {
    if (id === 't-3') throw new ReachError('task-conflict', 'It is not dead.');
    return taskView({ task_id: id });
  });
  const clock = new ManualClock();
  const args = ['dead-letters', 'redrive', '--agent', 'sql-1', '--reason', 'mended', '--json'];

  const running = begin(args, { env: env(gateway), clock });
  const redriven = () => gateway.seen.filter(({ name }) => name === 'dead-letters.redrive');
  for (let i = 1; i < 4; i++) {
    await until(() => redriven().length === i && clock.waiting === 1, 'it paces itself');
    await clock.advance(100);
  }
  const { code, out, err } = await running.ended;

  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(out), {
    redriven: ['t-4', 't-2', 't-1'],
    refused: [{ task_id: 't-3', code: 'task-conflict' }],
  });
  assert.equal(err, 'reach: t-3: task-conflict: It is not dead.\n');
  assert.deepEqual(gateway.seen[0]?.input, { agent: 'sql-1', limit: 1_000 });
  assert.deepEqual(redriven()[0]?.input, { task_id: 't-4', reason: 'mended' });
});

const WRONG: [args: string[], says: RegExp][] = [
  [[], /Name the tasks, or say --agent, --type, --cause or --all/],
  [['t-1', '--all'], /Name tasks, or select them by flags/],
  [['t-1', '--rate', '0'], /--rate 0/],
];

for (const [args, says] of WRONG) {
  test(`\`reach dead-letters redrive ${args.join(' ')}\` is refused`, async () => {
    const { code, err } = await run(['dead-letters', 'redrive', ...args]);

    assert.equal(code, 2);
    assert.match(err, says);
  });
}
