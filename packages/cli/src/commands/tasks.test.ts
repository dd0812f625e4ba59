import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@agent-reach/core/testing';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { moving } from '../testing/moving.ts';
import { begin, run } from '../testing/run.ts';
import { taskTicket as ticket, taskView } from '../testing/samples.ts';
import { until } from '../testing/until.ts';

/** A command line without blanks in its words. */
const words = (line: string) => line.split(/\s+/);

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });

test('submit sends what the flags say and prints the ticket; warnings go to the side', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('tasks.submit', () => ticket({ warnings: ['region was relaxed'] }));

  const { code, out, err } = await run(
    words(`tasks submit query {"sql":"SELECT-1","n":1} --param n:=5 --priority 8 --timeout 60s
      --delay 250ms --max-retry 1 --source user-7 --ordered --parent tsk_0 --agent sql-1
      --tag region=eu --key k-1 --as cs --trace-id tr
      --fallback cached_query,desk`),
    { env: env(gateway) },
  );

  assert.equal(code, 0);
  assert.equal(
    out,
    'task\ttsk_1\nstatus\tqueued\nahead\t3\nexpected in\t4 s, at most 9 s in 9 of 10\nagent\tsql-1\ntrace\tt\n',
  );
  assert.equal(err, 'reach: warning: region was relaxed\n');
  assert.deepEqual(gateway.seen[0]?.input, {
    agent_id: 'cs',
    task_type: 'query',
    payload: { sql: 'SELECT-1', n: 5 },
    tags: { region: 'eu' },
    agent: 'sql-1',
    priority: 8,
    timeout: 60,
    delay: 0.25,
    max_retry: 1,
    idempotency_key: 'k-1',
    source_id: 'user-7',
    ordered: true,
    parent_id: 'tsk_0',
    context: { trace_id: 'tr', fallback: ['cached_query', 'desk'] },
  });
});

test('a ticket that is not as asked says by what it is done', async () => {
  await using gateway = await FakeGateway.open();
  const warnings = ['cached_query does it instead of query.'];
  const more = { degraded: true, degraded_to: 'cached_query', degraded_by: 'depth' } as const;
  gateway.on('tasks.submit', () => ticket({ ...more, warnings }));

  const { out, err } = await run(['tasks', 'submit', 'query'], { env: env(gateway) });

  assert.match(out, /\ndone as\tcached_query\n/);
  assert.match(err, /warning: cached_query does it instead of query/);
});

test('a ticket without a candidate says no time, and --json prints it as it came', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('tasks.submit', ({ task_id: id = '' }) => {
    return ticket({ task_id: id, eta_ms: -1, replayed: true });
  });
  const args = ['tasks', 'submit', 'query', '--id', 't-9'];

  const shown = await run(args, { env: env(gateway) });
  assert.match(shown.out, /^task\tt-9\nstatus\tqueued\nahead\t3\nagent\tsql-1\n.*replayed\tyes/s);
  const raw = await run([...args, '--json'], { env: env(gateway) });
  assert.deepEqual(JSON.parse(raw.out), ticket({ task_id: 't-9', eta_ms: -1, replayed: true }));
});

test('submit --wait prints the result alone, and how it was come by to the side', async () => {
  const { gateway, looks } = await moving([
    { status: 'queued' },
    {
      status: 'succeeded',
      result: { rows: 3 },
      agent: 'sql-1',
      attempts: 1,
      ended_at: '2025-12-31T23:59:55.000Z',
    },
  ]);
  await using _ = gateway;
  const clock = new ManualClock();

  const running = begin(['tasks', 'submit', 'query', '--wait'], { env: env(gateway), clock });
  await until(() => looks() === 1 && clock.waiting === 2, 'it rests');
  await clock.advance(1_000);
  const { code, out, err } = await running.ended;

  assert.equal(code, 0);
  assert.equal(out, '{"rows":3}\n');
  assert.match(err, /^tsk_1 · sql-1 · run 1 of 4 · after 5 s · trace 4bf92f/);
});

test('a task that failed fails the command and says why', async () => {
  const { gateway } = await moving([
    { status: 'failed', cause: 'timeout', reason: 'Its deadline passed.', attempts: 1 },
  ]);
  await using _ = gateway;

  const { code, out, err } = await run(['tasks', 'get', 'tsk_1', '--wait', '5s'], {
    env: env(gateway),
  });

  assert.deepEqual([code, out], [1, '']);
  assert.match(err, /^reach: TIMEOUT: Its deadline passed\.\n/);
});

test('a task that goes on when the wait is over says how to wait on', async () => {
  const { gateway, looks } = await moving([{ status: 'running' }]);
  await using _ = gateway;
  const clock = new ManualClock();

  const args = ['tasks', 'get', 'tsk_1', '--wait', '2s'];
  const running = begin(args, { env: env(gateway), clock });
  await until(() => looks() === 1 && clock.waiting === 2, 'it rests');
  await clock.advance(2_000);
  const { code, err } = await running.ended;

  assert.equal(code, 1);
  assert.match(err, /^reach: tsk_1 goes on\. Wait on with `reach tasks get tsk_1 --wait`\.\n$/);
});

test('get says of a run how long it may take, that it hangs, and that it may be lost', async () => {
  await using gateway = await FakeGateway.open();
  const stalled_since = '2025-12-31T23:50:00.000Z';
  const times = { eta_ms: 61_000, eta_p90_ms: 61_000 };
  gateway.on('tasks.get', () =>
    taskView({ status: 'running', durability: 'memory', stalled_since, ...times }),
  );

  const { out } = await run(['tasks', 'get', 'tsk_1'], { env: env(gateway) });

  assert.match(out, /\nstatus\tSTALLED\n/);
  assert.match(
    out,
    /\nno progress\tsince 2025-12-31T23:50:00.000Z\nends in\t1 min\nkept\tin memory/,
  );
});

test('get shows what is known, with payload and result', async () => {
  await using gateway = await FakeGateway.open();
  const task = taskView({
    status: 'running',
    agent: 'sql-1',
    holder: 'host-1',
    effect: 'read',
    attempts: 2,
    deliveries: 3,
    progress: { percent: 40, note: 'page 3', at: '2025-12-31T23:59:59.000Z' },
    payload: { sql: 'SELECT 1' },
    deadline_at: '2026-01-01T00:05:00.000Z',
  });
  gateway.on('tasks.get', () => task);

  const piped = await run(['tasks', 'get', 'tsk_1'], { env: env(gateway) });
  assert.match(piped.out, /^task\ttsk_1\ntype\tquery\nstatus\trunning\nagent\tsql-1 \(host-1\)\n/);
  assert.match(piped.out, /\nruns\t2\/4, 3 deliveries\nprogress\t40 % page 3\n/);
  assert.match(piped.out, /\npayload\t\{"sql":"SELECT 1"\}\n$/);
  const shown = await run(['tasks', 'get', 'tsk_1'], { env: env(gateway), width: 80 });
  assert.match(shown.out, /\nsubmitted +10 s ago by customer-service\n/);
  assert.match(shown.out, /\ndeadline +in 5 min\n/);
  assert.match(shown.out, /\npayload\n\{\n {2}"sql": "SELECT 1"\n\}\n$/);
});

test('list reads pages until there are as many as were asked for', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('tasks.list', ({ cursor = 9 }) => ({
    tasks: [taskView({ task_id: `t-${cursor}` }), taskView({ task_id: `t-${cursor - 1}` })],
    cursor: cursor - 2,
  }));
  const flags = ['--status', 'queued', '--agent', 'sql-1', '--type', 'query', '--limit', '3'];

  const { out } = await run(['tasks', 'list', ...flags], { env: env(gateway) });

  assert.equal(out.split('\n').length - 1, 3);
  assert.match(out, /^t-9\tquery\tqueued\t5\t\t0\/4\t\t2025-12-31T23:59:57\.000Z\t\nt-8\t/);
  assert.deepEqual(
    gateway.seen.map(({ input }) => input),
    [
      { status: 'queued', agent: 'sql-1', task_type: 'query', limit: 3 },
      { status: 'queued', agent: 'sql-1', task_type: 'query', limit: 3, cursor: 7 },
    ],
  );
  const shown = await run(['tasks', 'list', '--limit', '1'], { env: env(gateway), width: 100 });
  assert.match(shown.out, /^TASK +TYPE +STATUS +PRI +AGENT +RUNS +PROGRESS +MOVED +WHY\n/);
});

test('a task that its own deadline ended is shown as TIMEOUT', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('tasks.list', () => ({ tasks: [taskView({ status: 'failed', cause: 'timeout' })] }));

  const { out } = await run(['tasks', 'list', '--status', 'TIMEOUT'], { env: env(gateway) });

  assert.match(out, /^tsk_1\tquery\tTIMEOUT\t/);
  assert.deepEqual(gateway.seen[0]?.input, { status: 'TIMEOUT', limit: 100 });
});

test('why says it in sentences, with the candidates', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('tasks.why', ({ task_id: id }) => ({
    task_id: id,
    status: 'queued',
    says: ['812 of 1000 wait for sql-1.', 'v2 is\nexcluded.'],
    candidates: [
      { agent: 'sql-1', capability: 'query', verdict: 'chosen', reason: 'it is the only one' },
    ],
  }));

  const { code, out } = await run(['tasks', 'why', 'tsk_1'], { env: env(gateway) });

  assert.equal(code, 0);
  assert.equal(
    out,
    'tsk_1 is queued\n  812 of 1000 wait for sql-1.\n  v2 is excluded.\n\n' +
      'sql-1\tchosen\t\t\t\tquery\tit is the only one\t\t\t\n',
  );
});

test('history is a row a move, cancel a line a task', async () => {
  await using gateway = await FakeGateway.open();
  gateway
    .on('tasks.history', ({ task_id: id }) => ({
      task_id: id,
      moves: [
        { at: '2026-01-01T00:00:00.000Z', to: 'queued', cause: 'submitted' },
        {
          at: '2026-01-01T00:00:01.000Z',
          from: 'queued',
          to: 'delivered',
          cause: 'claimed',
          holder: 'host-1',
        },
      ],
      warnings: [],
    }))
    .on('tasks.cancel', ({ task_id: id }) => ({ cancelled: id === 't-0' ? [] : [id, 't-2'] }));

  const history = await run(['tasks', 'history', 't-1'], { env: env(gateway) });
  assert.equal(
    history.out,
    '2026-01-01T00:00:00.000Z\t\tqueued\tsubmitted\t\t\n' +
      '2026-01-01T00:00:01.000Z\tqueued\tdelivered\tclaimed\thost-1\t\n',
  );
  const cancelled = await run(['tasks', 'cancel', 't-1', '--reason', 'no'], { env: env(gateway) });
  assert.equal(cancelled.out, 't-1 cancelled\nt-2 cancelled\n');
  assert.deepEqual(gateway.seen.at(-1)?.input, { task_id: 't-1', reason: 'no' });
  const late = await run(['tasks', 'cancel', 't-0', '--json'], { env: env(gateway) });
  assert.deepEqual(JSON.parse(late.out), { cancelled: [] });
});

const WRONG: [args: string[], code: number, says: RegExp][] = [
  [['submit'], 2, /missing required argument 'type'/],
  [['submit', 'query', '--priority', 'high'], 2, /--priority high: write a whole number/],
  [['submit', 'query', '--timeout', 'soon'], 2, /--timeout soon/],
  [['submit', 'query', '{"a":'], 2, /The params: /],
  [['submit', 'query', '--priority', '11'], 1, /validation-failed.*priority/],
  [['list', '--status', 'lost'], 1, /validation-failed.*status/],
  [['list', '--limit', '0'], 2, /--limit 0/],
  [['get', 'tsk_1', '--wait', 'long'], 2, /--wait long/],
];

for (const [args, expected, says] of WRONG) {
  test(`\`reach tasks ${args.join(' ')}\` is refused in one line`, async () => {
    await using gateway = await FakeGateway.open();

    const { code, out, err } = await run(['tasks', ...args], { env: env(gateway) });

    assert.deepEqual([code, out], [expected, '']);
    assert.match(err, /^reach: [^\n]+\n$/);
    assert.match(err, says);
  });
}
