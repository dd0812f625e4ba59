import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { Agent, Reach, ReachError, silentLog } from '@agent-reach/sdk';
import { pause, until } from './kit/bounds.ts';
import { fileWide } from './kit/file-wide.ts';
import { Gateway } from './kit/gateway.ts';
import { RedisServer } from './kit/redis.ts';

// Two gateways on one Redis, each in a process that is really killed; agents and callers of both in
// this process, where every effect is counted.

const CALLS = 50;
const TASKS = 200;
const CLIENTS = 10;

let a: Gateway;
let b: Gateway;
/** Each begins at a gateway of its own. */
let clients: Reach[];
/** How often what was named took effect. */
const effects = new Map<string, number>();
let reached = Promise.withResolvers<void>();
let held = Promise.withResolvers<void>();

const both = () => [a.url, b.url];
const client = (n: number) => clients[n % CLIENTS] ?? assert.fail();
const take = (name: string) => effects.set(name, (effects.get(name) ?? 0) + 1);
const ofKind = (kind: string) => [...effects].filter(([name]) => name.startsWith(kind));

/** Takes effect once under its key, and waits there until all have. */
async function effect(key: string, kind: string): Promise<string> {
  take(`${kind}/${key}`);
  if (ofKind(kind).length === CALLS) reached.resolve();
  await held.promise;
  return key;
}

function counter(): Agent {
  const timeoutMs = 2_000;
  const about = { description: 'Counts.', timeoutMs };
  return new Agent({
    name: 'counter',
    endpoint: both(),
    handleSignals: false,
    maxConcurrency: 100,
    lingerMs: 0,
    log: silentLog,
  })
    .capability({ ...about, name: 'look', effect: 'read' }, () => effects.size)
    .capability(
      { ...about, name: 'set', effect: 'idempotent_write', idempotency: 'key' },
      (_, ctx) => effect(ctx.idempotencyKey ?? '-', 'set'),
    )
    .capability({ ...about, name: 'add', effect: 'write', idempotency: 'gateway' }, (_, ctx) =>
      effect(ctx.idempotencyKey ?? '-', 'add'),
    )
    .capability<{ n: number }>({ ...about, name: 'bare' }, ({ n }) => effect(String(n), 'bare'));
}

function worker(): Agent {
  return new Agent({
    name: 'worker',
    endpoint: both(),
    handleSignals: false,
    log: silentLog,
  }).handle(
    'work',
    async ({ id }) => {
      take(`work/${id}`);
      await pause(5);
      return id;
    },
    { description: 'Works.', effect: 'read', concurrency: 8 },
  );
}

before(async () => {
  const redis = fileWide.use(await RedisServer.start());
  const set = {
    'redis.addr': redis.addr,
    'idempotency.claim.min': '1s',
    'task.ack.timeout': '2s',
    'task.run.lease': '2s',
  };
  a = fileWide.use(await Gateway.start({ set }));
  b = fileWide.use(await Gateway.start({ set }));
  const agents = [counter(), worker()];
  for (const agent of agents) await fileWide.use(agent).start();
  for (const one of [a, b]) await one.routable('counter');
  clients = Array.from({ length: CLIENTS }, () =>
    fileWide.use(new Reach({ endpoint: both(), agentId: 'tester' })),
  );
});

/** Sends a call of each number at once, and kills a gateway as soon as all have taken effect. */
async function storm<T>(send: (n: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> {
  reached = Promise.withResolvers();
  held = Promise.withResolvers();
  const sent = Promise.allSettled(Array.from({ length: CALLS }, (_, n) => send(n)));
  await reached.promise;
  await a.kill();
  held.resolve();
  return sent;
}

/** The gateway that was killed is there again, and whoever began there goes back. */
async function revive(): Promise<void> {
  await a.restart();
  await a.routable('counter');
  await until('every client is at its own gateway again', async () => {
    await Promise.all(clients.map((one) => one.agents.list()));
    return new Set(clients.map(({ endpoint }) => endpoint)).size === 2;
  });
}

test('clients begin at both gateways', () => {
  const begun = new Set(
    Array.from({ length: 64 }, () => {
      const one = fileWide.use(new Reach({ endpoint: both() }));
      return one.endpoint;
    }),
  );
  assert.equal(begun.size, 2);
});

test('fifty keyed calls while a gateway is killed: each is answered, each took effect once', async () => {
  const settled = await storm((n) =>
    client(n).call<string>('set', {}, { idempotencyKey: `k-${n}`, timeoutMs: 40_000 }),
  );

  const results = settled.map((one) =>
    one.status === 'fulfilled' ? one.value.result : one.reason,
  );
  assert.deepEqual(
    results,
    Array.from({ length: CALLS }, (_, n) => `k-${n}`),
  );
  assert.deepEqual(
    ofKind('set').filter(([, times]) => times !== 1),
    [],
  );
  await revive();
});

for (const capability of ['add', 'bare']) {
  test(`fifty calls of ${capability} that nobody named: answered or told as unknown, none done twice`, async () => {
    const settled = await storm((n) => client(n).call<string>(capability, { n }));

    const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.ok(failures.length < CALLS, 'those at the other gateway were answered');
    for (const error of failures) {
      assert.ok(ReachError.is(error), String(error));
      assert.equal(error.executed, 'unknown', error.message);
    }
    assert.equal(ofKind(capability).length, CALLS);
    assert.deepEqual(
      ofKind(capability).filter(([, times]) => times !== 1),
      [],
    );
    await revive();
  });
}

test('tasks that are submitted, done and waited for while a gateway is killed: each once', async () => {
  const submits = Array.from({ length: TASKS }, async (_, n) => {
    await pause(n);
    return client(n).tasks.submit({ task_type: 'work' }, { timeoutMs: 10_000 });
  });
  await until('a quarter is done', () => ofKind('work').length > TASKS / 4);
  await a.kill();
  const ids = (await Promise.all(submits)).map(({ task_id: id }) => id);
  const ends = await Promise.all(ids.map((id, n) => client(n).tasks.wait(id)));

  assert.equal(new Set(ids).size, TASKS);
  assert.deepEqual(
    ends.filter(({ status, result, task_id: id }) => status !== 'succeeded' || result !== id),
    [],
  );
  assert.equal(ofKind('work').length, TASKS);
  assert.deepEqual(
    ofKind('work').filter(([, times]) => times !== 1),
    [],
  );
  await revive();
});

/** Longer than it takes to find out that a gateway is silent: whoever asks it first moves on then. */
const PATIENT = { timeoutMs: 15_000 };

test('a gateway that is stopped in its tracks: reads go on at the other, and it is used again', async () => {
  a.signal('SIGSTOP');
  const answers = clients.map((one) =>
    one.call<number>('look', {}, { requestId: 'look', ...PATIENT }),
  );
  await Promise.all(answers);
  // Not at once for sure: where the machine is busy, the other one may have been silent for a moment.
  await until('every client is at the other', async () => {
    await Promise.all(clients.map((one) => one.agents.list({}, PATIENT)));
    return clients.every(({ endpoint }) => endpoint === `${b.url}/`);
  });
  a.signal('SIGCONT');

  await until('it is used again', async () => {
    await Promise.all(clients.map((one) => one.agents.list({}, PATIENT)));
    return clients.some(({ endpoint }) => endpoint === `${a.url}/`);
  });
});
