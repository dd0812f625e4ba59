import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { ErrorCode, Executed } from '@agent-reach/core';
import { ReachError } from '@agent-reach/sdk';
import { effects } from './agents/effects.ts';
import { type AgentProgram, startAgent, startTogether } from './kit/agents.ts';
import { until, within } from './kit/bounds.ts';
import { fileWide } from './kit/file-wide.ts';
import { Gateway } from './kit/gateway.ts';
import { keptPort } from './kit/ports.ts';
import { answerOf, problemOf } from './kit/wire.ts';

let gateway: Gateway;
let worker: AgentProgram;
let misbehaving: AgentProgram;
let file: string;

before(async () => {
  gateway = fileWide.use(
    await Gateway.start({
      set: {
        'probe.interval': '500ms',
        'probe.timeout': '500ms',
        'probe.edge': '100ms',
        // So many of the workers are killed here that the one left would be given no plain write.
        'routing.panic': 'off',
      },
    }),
  );
  file = join(gateway.folder.path, 'effects');
  [worker, misbehaving] = await startTogether(fileWide, [
    startAgent('worker', gateway, '--file', file),
    startAgent('misbehaving', gateway),
  ]);
});

/** Nothing takes as long on a machine that is alive: beyond it a limit did not hold. */
const OUTER_BOUND_MS = 8_000;

function effectFile(name: string): string[] {
  return ['--file', join(gateway.folder.path, `${name}-effects`)];
}

test('an agent that never answers is given up within its declared time: 504, and unknown', async () => {
  const key = 'never';

  const reply = await within(
    'the verdict on a silent agent',
    gateway.call({ capability: 'silent', idempotency_key: key }),
    undefined,
    OUTER_BOUND_MS,
  );

  const problem = problemOf(reply, 'deadline-exceeded');
  assert.equal(problem.executed, 'unknown');
  assert.equal(problem.agent, 'misbehaving');
  const { deadline } = await misbehaving.said('silent');
  assert.ok(Number(deadline) > 0 && Number(deadline) <= 400, `it was told ${String(deadline)} ms`);
  // The write may have run: nobody runs it again.
  problemOf(await gateway.call({ capability: 'silent', idempotency_key: key }), 'outcome-unknown');
});

test('a read that times out is asked once more, and no more than that', async () => {
  const said = misbehaving.all('silent').length;

  const reply = await within(
    'the verdict on a silent read',
    gateway.call({ request_id: 'silent-read', capability: 'read-silent' }),
    undefined,
    OUTER_BOUND_MS,
  );

  problemOf(reply, 'deadline-exceeded');
  assert.equal(misbehaving.all('silent').length - said, 2);
  const { hops } = await gateway.reach.calls.get('silent-read');
  assert.deepEqual(
    hops[0]?.attempts.map(({ status, executed }) => [status, executed]),
    [
      [0, 'unknown'],
      [0, 'unknown'],
    ],
  );
});

test('an agent on the SDK that takes too long is 504 as well', async () => {
  const call = { capability: 'slow', idempotency_key: 'slow-1' };
  await using slow = await startAgent('slow', gateway);

  const reply = await within(
    'the verdict on a slow agent',
    gateway.call(call),
    undefined,
    OUTER_BOUND_MS,
  );

  const problem = problemOf(reply, 'deadline-exceeded');
  assert.equal(problem.agent, 'slow');
  assert.equal((await slow.said('aborted'))['reason'], 'deadline-exceeded');
});

test('the deadline of the caller reaches the agent, and less than the agent needs is not sent', async () => {
  answerOf(await gateway.call({ capability: 'look', request_id: 'hasty', timeout_ms: 1_500 }));
  const { deadline } = await worker.said('ran', ({ request }) => request === 'hasty');
  assert.ok(Number(deadline) <= 1_500, `it was told ${String(deadline)} ms`);

  const refused = problemOf(
    await gateway.call({ capability: 'look', request_id: 'too-hasty', timeout_ms: 2 }),
    'deadline-exceeded',
  );

  assert.equal(refused.executed, 'no');
  assert.equal(
    worker.all('ran').some(({ request }) => request === 'too-hasty'),
    false,
  );
});

interface Misbehaviour {
  does: string;
  code: ErrorCode;
  executed: Executed;
  downstream?: number;
}

const MISBEHAVIOURS: Misbehaviour[] = [
  { does: 'bad-json', code: 'bad-response', executed: 'unknown' },
  { does: 'twice-json', code: 'bad-response', executed: 'unknown' },
  { does: 'wrong-type', code: 'bad-response', executed: 'unknown' },
  { does: 'wrong-schema', code: 'schema-drift', executed: 'unknown' },
  { does: 'problem-as-success', code: 'bad-response', executed: 'unknown' },
  { does: 'fails', code: 'agent-error', executed: 'unknown', downstream: 500 },
  { does: 'refuses', code: 'agent-rejected', executed: 'yes', downstream: 404 },
  { does: 'forbids', code: 'agent-rejected', executed: 'no', downstream: 403 },
  { does: 'is-busy', code: 'agent-busy', executed: 'no', downstream: 503 },
  { does: 'later', code: 'bad-response', executed: 'unknown', downstream: 202 },
  { does: 'redirects', code: 'bad-response', executed: 'unknown', downstream: 302 },
  { does: 'closes-socket', code: 'agent-error', executed: 'unknown' },
  { does: 'breaks-off', code: 'agent-error', executed: 'unknown' },
  { does: 'no-http', code: 'agent-error', executed: 'unknown' },
  { does: 'endless', code: 'bad-response', executed: 'unknown' },
  { does: 'drips', code: 'deadline-exceeded', executed: 'unknown' },
];

for (const { does, code, executed, downstream } of MISBEHAVIOURS) {
  test(`an agent that ${does.replaceAll('-', ' ')} is ${code}, executed ${executed}`, async () => {
    const reply = await within(
      `the verdict on ${does}`,
      gateway.call({ capability: does, idempotency_key: `mis-${does}` }),
      undefined,
      OUTER_BOUND_MS,
    );

    const problem = problemOf(reply, code);
    assert.equal(problem.executed, executed);
    assert.equal(problem.downstream?.status, downstream);
    assert.equal(JSON.stringify(problem).includes('elsewhere'), false);
    answerOf(await gateway.call({ capability: 'look' })); // The others go on.
  });
}

test('an agent that was killed is 503 with its name and when it was last seen, at once and later', async () => {
  const started = Date.now();
  await using doomed = await startAgent('worker', gateway, '--name', 'doomed', ...effectFile('d'));
  const call = { capability: 'look', agent: 'doomed' };
  answerOf(await gateway.call(call));

  await doomed.program.end('SIGKILL');
  const atOnce = problemOf(await gateway.call(call), 'no-reachable-agent');
  await until('the gateway knows', async () => {
    const { instances } = await gateway.reach.agents.get('doomed');
    return instances[0]?.observed === 'unreachable';
  });
  const later = problemOf(await gateway.call(call), 'no-reachable-agent');

  for (const problem of [atOnce, later]) {
    assert.equal(problem.executed, 'no');
    assert.equal(problem.retryable, true);
    assert.equal(problem.agent, 'doomed');
    assert.match(problem.detail, /doomed/);
    const seen = Date.parse(problem.last_seen ?? '');
    assert.ok(seen >= started && seen <= Date.now(), `last seen ${problem.last_seen}`);
  }
  const [diagnosis] = (await gateway.reach.agents.diagnose('doomed')).diagnoses;
  assert.equal(diagnosis?.reachable, false);
  assert.equal(diagnosis?.failing_step, 'connect');
});

test('an agent that hangs is left out as soon as the probes have seen it, and taken again after', async () => {
  await using hung = await startAgent('worker', gateway, '--name', 'hung', ...effectFile('h'));
  const call = { capability: 'look', agent: 'hung' };

  hung.program.signal('SIGSTOP');
  await until('the gateway knows', async () => {
    const { instances } = await gateway.reach.agents.get('hung');
    return instances[0]?.observed === 'unreachable';
  });
  const refused = problemOf(await gateway.call(call), 'no-reachable-agent');
  hung.program.signal('SIGCONT');
  await gateway.routable('hung');

  assert.equal(refused.agent, 'hung');
  assert.equal(refused.executed, 'no');
  answerOf(await gateway.call(call));
});

test('a read whose agent is killed under it is answered by another instance', async () => {
  const args = ['--name', 'twins', ...effectFile('t')] as const;
  await using first = await startAgent('worker', gateway, ...args);
  const call = { capability: 'look', agent: 'twins', params: { hold: true } };
  const reply = gateway.call({ ...call, request_id: 'orphan' });
  await first.said('ran');
  await using second = await startAgent('worker', gateway, ...args);
  second.release();

  await first.program.end('SIGKILL');
  const answer = answerOf(await reply);

  assert.equal(answer.retry_count, 1);
  const { hops } = await gateway.reach.calls.get('orphan');
  assert.deepEqual(
    hops[0]?.attempts.map(({ code, executed }) => [code, executed]),
    [
      ['agent-error', 'unknown'],
      [undefined, 'yes'],
    ],
  );
  assert.equal((await second.said('ran'))['attempt'], 2);
});

test('a write whose agent is killed under it is not run by another instance', async () => {
  const args = ['--name', 'siblings', ...effectFile('s')] as const;
  await using first = await startAgent('worker', gateway, ...args);
  const call = { capability: 'add', agent: 'siblings', params: { hold: true } };
  const keyed = { ...call, idempotency_key: 'orphan' };
  const reply = gateway.call(keyed);
  await first.said('ran');
  await using second = await startAgent('worker', gateway, ...args);
  second.release();

  await first.program.end('SIGKILL');
  const problem = problemOf(await reply, 'agent-error');
  const again = problemOf(await gateway.call(keyed), 'outcome-unknown');

  assert.equal(problem.executed, 'unknown');
  assert.equal(problem.retryable, false);
  assert.equal(again.executed, 'unknown');
  assert.equal(second.all('ran').length, 0);
});

test('an idempotent write whose agent is killed under it is run again, and has one effect', async () => {
  const args = ['--name', 'cousins', ...effectFile('c')] as const;
  await using first = await startAgent('worker', gateway, ...args);
  const call = { capability: 'set', agent: 'cousins', params: { hold: true } };
  const reply = gateway.call({ ...call, idempotency_key: 'once' });
  await first.said('ran');
  await using second = await startAgent('worker', gateway, ...args);
  second.release();

  await first.program.end('SIGKILL');
  const answer = answerOf(await reply);

  assert.equal(answer.retry_count, 1);
  assert.equal((await second.said('ran'))['key'], 'once');
  assert.equal(effects(effectFile('c')[1] ?? '').length, 1);
});

test('an agent that is started again is called again, and nobody registers it by hand', async () => {
  const port = String(await keptPort());
  const args = ['--name', 'phoenix', '--port', port, ...effectFile('p')] as const;
  const call = { capability: 'look', agent: 'phoenix' };
  const first = await startAgent('worker', gateway, ...args);
  await first.program.end('SIGKILL');
  problemOf(await gateway.call(call), 'no-reachable-agent');

  await using _ = await startAgent('worker', gateway, ...args);

  answerOf(await gateway.call(call));
  const { instances } = await gateway.reach.agents.get('phoenix');
  assert.equal(instances.length, 1, 'the same place is the same instance');
});

test('an agent without SDK that comes back at its address is found by the probes alone', async () => {
  const port = String(await keptPort());
  const args = ['--port', port, ...effectFile('q')] as const;
  const first = await startAgent('plain-counter', gateway, ...args);
  await first.program.end('SIGKILL');
  const call = { capability: 'count' };
  problemOf(await gateway.call({ ...call, idempotency_key: 'down' }), 'no-reachable-agent');

  await using _ = await startAgent('plain-counter', gateway, '--unregistered', ...args);
  await gateway.routable('plain-counter');

  const answer = answerOf(await gateway.call({ ...call, idempotency_key: 'down' }));
  assert.deepEqual(answer.result, { count: 1 }, 'the refused call was not kept under its key');
});

test('a read whose caller hangs up is aborted at the agent', async () => {
  const leave = new AbortController();
  const call = { request_id: 'left-read', capability: 'look', params: { hold: true } };
  const reply = gateway.call(call, { signal: leave.signal });
  await worker.said('ran', ({ request }) => request === 'left-read');

  leave.abort();
  await assert.rejects(reply);

  const { reason } = await worker.said('aborted', ({ capability }) => capability === 'look');
  assert.equal(reason, 'cancelled');
  const hop = await until('the hop is in the trace', async () => {
    const found = await gateway.get('/v1/calls/left-read');
    return found.status === 200;
  });
  assert.ok(hop);
  const { hops } = await gateway.reach.calls.get('left-read');
  assert.equal(hops[0]?.code, 'cancelled');
});

test('a write whose caller hangs up runs on, and its answer is kept under its key', async () => {
  const leave = new AbortController();
  const call = { capability: 'add', params: { hold: true }, idempotency_key: 'left-write' };
  const reply = gateway.call(call, { signal: leave.signal });
  await worker.said('ran', ({ key }) => key === 'left-write');

  leave.abort();
  await assert.rejects(reply);
  worker.release();
  const kept = await until('the answer is kept', async () => {
    const again = await gateway.call(call);
    return again.status === 200 ? again : undefined;
  });
  worker.program.tell('hold');

  assert.equal(answerOf(kept).replayed, true);
  assert.equal(effects(file, 'left-write').length, 1);
  assert.equal(
    worker.all('aborted').some(({ key }) => key === 'left-write'),
    false,
  );
});

test('a caller without a gateway is told so, and that nothing ran', async () => {
  await using house = await Gateway.start();
  await house.kill();

  await assert.rejects(house.reach.call('look'), (error: unknown) => {
    assert.ok(ReachError.is(error));
    assert.equal(error.code, 'connect-failed');
    assert.equal(error.executed, 'no');
    return true;
  });
});
