import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { GROUPS, ROWS } from './rows.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { run } from './testing/run.ts';
import { agentView, answerOf, hop } from './testing/samples.ts';

test('help and version answer on standard output and succeed', async () => {
  const help = await run(['--help']);
  assert.equal(help.code, 0);
  assert.match(help.out, /^Usage: reach <command>/);
  assert.match((await run(['agents', 'list', '--help'])).out, /--available/);
  for (const asked of [['version'], ['--version'], ['-V']]) {
    assert.match((await run(asked)).out, /^reach \d+\.\d+\.\d+ \(node v/);
  }
  assert.deepEqual(JSON.parse((await run(['version', '--json'])).out), {
    version: '0.1.0',
    node: process.version,
  });
});

const WRONG: [args: string[], says: RegExp][] = [
  [['calll'], /unknown command 'calll'.*See `reach --help`/],
  [['agents', 'get'], /missing required argument 'agent'.*See `reach agents get --help`/],
  [['agents', 'list', '--colour'], /unknown option '--colour'/],
  [['call'], /Say what to reach/],
  [['call', 'x', '{"a":1'], /The params: .*not JSON/],
  [['call', 'x', '{"a":1,"a":2}'], /not safe/],
  [['call', 'x', '[]', '--param', 'a=1'], /adds to an object/],
  [['call', 'x', '--param', 'a'], /--param a: write name=text/],
  [['call', 'x', '--param', 'a:=nope'], /--param a: /],
  [['call', 'x', '--timeout', 'soon'], /--timeout soon: write a time/],
  [['call', 'x', '@missing.json'], /missing\.json cannot be read: there is no such file/],
  [['traces', 'search', '--since', 'yesterday'], /--since yesterday/],
  [['traces', 'search', '--limit', '-1'], /--limit -1/],
  [['op', 'agents.lst'], /no operation agents\.lst; there is: agents\.register, agents\.list/],
  [['op', 'agents.list', '[]'], /a JSON object/],
  [['health', '--endpoint', 'localhost:8080'], /not an http/],
];

for (const [args, says] of WRONG) {
  test(`\`reach ${args.join(' ')}\` is refused in one line with exit code 2`, async () => {
    const { code, out, err } = await run(args);

    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(err, /^reach: usage: [^\n]+\n$/);
    assert.match(err, says);
  });
}

test('every group of commands says what it is for', () => {
  for (const { path } of ROWS) {
    const [group = '', verb] = path.split(' ');
    if (verb !== undefined) assert.notEqual(GROUPS[group] ?? '', '', group);
  }
});

test('a command without its verb shows help on standard error and fails', async () => {
  for (const args of [[], ['agents']]) {
    const { code, out, err } = await run(args);
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(err, /^Usage: reach/);
  }
});

test('no gateway is exit code 3, in one line that says what to do', async () => {
  const { code, err } = await run(['agents', 'list', '--endpoint', await closedUrl()]);

  assert.equal(code, 3);
  assert.match(err, /^reach: connect-failed: [^\n]*`reach serve`[^\n]*\n$/);
});

/** Where a gateway was a moment ago. */
async function closedUrl(): Promise<string> {
  await using gateway = await FakeGateway.open();
  return gateway.url;
}

test('the gateway is the one of --endpoint, else of REACH_ENDPOINT; another if it is down', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.list', () => ({ agents: [] }));
  const closed = await closedUrl();
  const ask = async (flags: readonly string[], env = {}) =>
    (await run(['agents', 'list', ...flags], { env })).code;

  assert.equal(await ask(['--endpoint', closed, '--endpoint', gateway.url]), 0);
  assert.equal(await ask(['--endpoint', `${closed},${gateway.url}`]), 0);
  assert.equal(await ask([], { REACH_ENDPOINT: `${closed}, ${gateway.url}` }), 0);
  assert.equal(await ask(['--endpoint', gateway.url], { REACH_ENDPOINT: closed }), 0);
  assert.equal(gateway.seen.length, 4);
});

test('when no gateway answers, one line names each and why', async () => {
  const [one, two] = [await closedUrl(), await closedUrl()];

  const { code, err } = await run(['agents', 'list', '--endpoint', `${one},${two}`]);

  assert.equal(code, 3);
  assert.match(err, /^reach: connect-failed: agents\.list: no gateway answers: [^\n]*\n$/);
  for (const url of [one, two]) assert.match(err, new RegExp(`${url}/ cannot be reached`));
});

test('a list is a table on a terminal, tabs in a pipe, and raw data with --json anywhere', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.list', () => ({ agents: [agentView()] }));
  const env = { REACH_ENDPOINT: gateway.url, NO_COLOR: '1' };

  const shown = await run(['agents', 'list'], { env, width: 100 });
  assert.match(shown.out, /^AGENT +NAME +STATUS +VERSION +UP +SEEN +CAPABILITIES\n/);
  assert.match(shown.out, /order-query-agent {2}订单查询智能体 {2}up +1\.2\.0 +1\/1 {2}3 s ago/);
  const piped = await run(['agents', 'list'], { env });
  const fields =
    'order-query-agent 订单查询智能体 up 1.2.0 1/1 2025-12-31T23:59:57.000Z query_order_status';
  assert.equal(piped.out, `${fields.replaceAll(' ', '\t')}\n`);
  for (const args of [
    ['--json', 'agents', 'list'],
    ['agents', 'list', '--json'],
  ]) {
    const raw = await run(args, { env });
    assert.deepEqual(JSON.parse(raw.out), { agents: [agentView()] });
    assert.equal(raw.out.trimEnd().split('\n').length, 1);
  }
  assert.match((await run(['agents', 'list', '--json'], { env, width: 80 })).out, /\n {2}"agents"/);
});

test('colour needs a terminal and can be turned off', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.list', () => ({ agents: [agentView()] }));
  const env = { REACH_ENDPOINT: gateway.url };
  const hasColour = ({ out }: { out: string }) => out.includes('\u001b[');

  assert.ok(hasColour(await run(['agents', 'list'], { env, width: 100 })));
  assert.ok(!hasColour(await run(['agents', 'list', '--no-color'], { env, width: 100 })));
  assert.ok(!hasColour(await run(['agents', 'list'], { env })));
  const quiet = { env: { ...env, NO_COLOR: '1' }, width: 100 };
  assert.ok(!hasColour(await run(['agents', 'list'], quiet)));
});

test('an empty list is silent in a pipe and says so to people', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.list', () => ({ agents: [] }));
  const env = { REACH_ENDPOINT: gateway.url };

  assert.deepEqual(await run(['agents', 'list'], { env }), { code: 0, out: '', err: '' });
  const shown = await run(['agents', 'list'], { env, width: 80 });
  assert.deepEqual(shown, { code: 0, out: '', err: '(none)\n' });
});

test('a call sends what the flags say: params over JSON, texts stay texts, tags as a map', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('calls.invoke', () => answerOf({ status: '已发货' }));
  const env = { REACH_ENDPOINT: gateway.url };

  const { code, out, err } = await run(
    [
      'call',
      'query_order_status',
      '{"order_no":"A","limit":1}',
      '--param',
      'limit:=5',
      '--param',
      'phone=0123',
      '--tag',
      'region=eu',
      '--tag',
      'gold',
      '--agent',
      'orders',
      '--as',
      'cs',
      '--key',
      'k-1',
      '--timeout',
      '2s',
      '--explain',
      '--fallback',
      'cached, desk',
    ],
    { env },
  );

  assert.equal(code, 0);
  assert.equal(out, '{"status":"已发货"}\n');
  assert.match(err, /orders\/orders-1 · exact_match · 12 ms \(agent 9\.4\) · trace 4bf92f/);
  const { request_id: _, ...sent } = gateway.seen[0]?.input ?? {};
  assert.deepEqual(sent, {
    agent_id: 'cs',
    capability: 'query_order_status',
    tags: { region: 'eu', gold: '' },
    agent: 'orders',
    params: { order_no: 'A', limit: 5, phone: '0123' },
    idempotency_key: 'k-1',
    explain: true,
    context: { fallback: ['cached', 'desk'] },
  });
});

test('params come from standard input with -, alone when an intent stands for the name', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('calls.invoke', () => answerOf(null));
  const env = { REACH_ENDPOINT: gateway.url };

  const { out } = await run(['call', '--intent', '查订单', '-'], { env, input: '{"n":1}' });

  assert.equal(out, 'null\n');
  const { intent, params, capability } = gateway.seen[0]?.input ?? {};
  assert.deepEqual(
    { intent, params, capability },
    { intent: '查订单', params: { n: 1 }, capability: undefined },
  );
});

test('a refused call is one line; --verbose adds pointers, execution and facts', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('calls.invoke', () => {
    throw new ReachError('validation-failed', 'The params are\nnot valid.', {
      errors: [{ pointer: '#/order_no', detail: 'is missing' }],
      agent: 'orders',
      advice: 'Ask \u001b[31magain.',
    });
  });
  const env = { REACH_ENDPOINT: gateway.url };

  const short = await run(['call', 'x'], { env });
  assert.deepEqual(short, {
    code: 1,
    out: '',
    err: 'reach: validation-failed: The params are not valid.\n',
  });
  const long = await run(['call', 'x', '--verbose'], { env });
  assert.deepEqual(long.err.split('\n').slice(1, -1), [
    '  #/order_no is missing',
    '  → Ask again.',
    '  executed: no, retryable: no',
    '  agent: orders',
  ]);
});

test('the gateway’s own connect-failed is about an agent and no reason to start a gateway', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('calls.invoke', () => {
    throw new ReachError('connect-failed', 'orders does not answer.');
  });

  const { code, err } = await run(['call', 'x', '--endpoint', gateway.url]);

  assert.equal(code, 1);
  assert.equal(err, 'reach: connect-failed: orders does not answer.\n');
});

test('a route that leads nowhere says why and fails', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('routes.decide', () => ({
    outcome: 'none',
    route_id: 'rte_1',
    trace_id: 't',
    warnings: ['region was relaxed'],
    reason: 'Nobody offers x.',
    candidates: [
      {
        agent: 'orders',
        capability: 'x',
        verdict: 'excluded',
        reason: 'its lease is over',
        last_seen: '2025-12-31T23:58:00.000Z',
      },
    ],
    fallbacks: [{ capability: 'y', from: 'request', verdict: 'ready', reason: 'offered by b' }],
  }));

  const { code, out, err } = await run(['route', 'x', '--endpoint', gateway.url]);

  assert.equal(code, 1);
  assert.match(out, /^outcome\tnone\nreason\tNobody offers x\.\n/);
  assert.match(out, /\norders\texcluded\t\t\t2 min ago\tx\tits lease is over\t\t\t\n/);
  assert.match(out, /\ny\trequest\tready\toffered by b\n$/);
  assert.equal(err, 'reach: warning: region was relaxed\n');
});

test('a diagnosis is a checklist with advice, and fails when something cannot be reached', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.diagnose', ({ agent_id }) => ({
    agent_id,
    diagnoses: [
      {
        reachable: false,
        instance_id: 'i-1',
        failing_step: 'connect',
        steps: [
          { step: 'resolve', verdict: 'passed', detail: 'localhost is 127.0.0.1.', ms: 0.4 },
          { step: 'connect', verdict: 'failed', detail: 'Refused.', advice: 'Start it.' },
          { step: 'health', verdict: 'skipped', detail: 'Not tried.' },
        ],
      },
    ],
  }));

  const { code, out } = await run(['diagnose', 'orders', '--endpoint', gateway.url]);

  assert.equal(code, 1);
  assert.equal(
    out,
    [
      'orders/i-1 cannot be reached: connect fails',
      '  ✓ resolve  localhost is 127.0.0.1. (0.4 ms)',
      '  ✗ connect  Refused.',
      '           → Start it.',
      '  – health   Not tried.',
      '',
    ].join('\n'),
  );
});

test('a trace is found by the id of a request in it', async () => {
  await using gateway = await FakeGateway.open();
  gateway
    .on('traces.get', ({ trace_id }) => {
      if (trace_id === hop().trace_id) return { trace_id, hops: [hop()] };
      throw new ReachError('not-found', 'No such trace.');
    })
    .on('calls.get', ({ request_id }) => {
      if (request_id === 'call_1') return { request_id, hops: [hop()] };
      throw new ReachError('not-found', 'No such call.');
    });
  const env = { REACH_ENDPOINT: gateway.url };

  const found = await run(['trace', 'call_1'], { env });
  assert.match(found.out, /^4bf92f3577b34da6a3ce929d0e0e4736 {2}1 hop, began 1970-01-01T00:16:40/);
  assert.match(found.out, /customer-service → orders/);
  const missing = await run(['trace', 'call_2'], { env });
  assert.equal(missing.code, 1);
  assert.match(missing.err, /^reach: not-found: No trace and no call is known by call_2\.\n$/);
});

test('a search says its window in any of three ways', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('traces.search', () => ({ hops: [hop()] }));
  const env = { REACH_ENDPOINT: gateway.url };
  const now = Date.UTC(2026, 0, 1);

  const window = ['--since', '15m', '--until', '2026-01-01T08:00:00+08:00', '--limit', '5'];
  const { out } = await run(['traces', 'search', '--agent', 'orders', ...window], { env });
  assert.match(out, /^1970-01-01T00:16:40\.000Z\t4bf9.*\tcall_1\n$/);
  assert.deepEqual(gateway.seen[0]?.input, {
    agent: 'orders',
    since: now - 900_000,
    until: now,
    limit: 5,
  });
  await run(['traces', 'search', '--since', '1767225600000'], { env });
  assert.deepEqual(gateway.seen[1]?.input, { since: now });
});

test('op runs any operation and lists them all', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.get', () => agentView());
  const env = { REACH_ENDPOINT: gateway.url };

  const { out } = await run(['op', 'agents.get', '{"agent_id":"orders"}'], { env });
  assert.deepEqual(JSON.parse(out), agentView());
  assert.match((await run(['op'])).out, /^agents\.register\tRegister an agent/);
});

test('config shows origins and can leave out defaults', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('system.config', () => ({
    options: [
      { key: 'listen.host', value: ['127.0.0.1'], origin: 'default' },
      { key: 'log.level', value: 'info', origin: 'flag' },
    ],
  }));
  const env = { REACH_ENDPOINT: gateway.url };

  const all = await run(['config'], { env });
  assert.equal(all.out, 'listen.host\t["127.0.0.1"]\tdefault\nlog.level\tinfo\tflag\n');
  assert.equal((await run(['config', '--changed'], { env })).out, 'log.level\tinfo\tflag\n');
  assert.match((await run(['config', 'listen'], { env })).out, /^listen\.host[^\n]*\n$/);
});

test('JSON for a terminal escapes what would drive it, and loses nothing', async () => {
  await using gateway = await FakeGateway.open();
  const hostile = '\u001b]0;x\u0007 \u009b31m \u202e';
  gateway.on('calls.invoke', () => answerOf(hostile));

  const { out } = await run(['call', 'x', '--endpoint', gateway.url], { width: 80 });

  assert.match(out, /^[\u0020-\u007e]+\n$/);
  assert.equal(JSON.parse(out), hostile);
});
