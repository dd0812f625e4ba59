import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { test } from 'node:test';
import { openAgentHouse, problemOf } from './testing/agent-house.ts';

const QUERY = { name: 'query', description: 'Answers a question.', effect: 'read' } as const;
const REFUND = {
  name: 'refund',
  description: 'Pays back.',
  effect: 'write',
  idempotency: 'key',
} as const;

test('/execute takes the form of seed C; the task’s id is the key of its effect', async () => {
  let runs = 0;
  await using house = await openAgentHouse((agent) =>
    agent
      .capability(REFUND, (params: { n: number }) => ({ n: params.n, run: ++runs }))
      .capability(QUERY, () => 'q'),
  );
  await house.agent.start();

  const task = { task_id: 't-1', capability: 'refund', payload: { n: 7 } };
  const first = await house.post('/execute', task);
  const again = await house.post('/execute', task);
  const typed = await house.post('/execute', { task_id: 't-2', task_type: 'query' });
  const headed = await house.post('/execute', { payload: {} }, { 'reach-capability': 'query' });
  const unclear = await house.post('/execute', { task_id: 't-3', payload: {} });

  assert.deepEqual(await first.json(), { n: 7, run: 1 });
  assert.deepEqual(await again.json(), { n: 7, run: 1 });
  assert.deepEqual([await typed.json(), await headed.json()], ['q', 'q']);
  assert.deepEqual(
    [unclear.status, (await problemOf(unclear))['code']],
    [400, 'validation-failed'],
  );
});

test('an agent with one capability need not be told which one to execute', async () => {
  await using house = await openAgentHouse((agent) => agent.capability(QUERY, (params) => params));
  await house.agent.start();

  const response = await house.post('/execute', { task_id: 't', payload: { a: 1 } });

  assert.deepEqual(await response.json(), { a: 1 });
});

test('bad input is refused with its code, and the agent lives on', async () => {
  await using house = await openAgentHouse((agent) => agent.capability(QUERY, () => 'ok'));
  await house.agent.start();
  const deep = `${'['.repeat(65)}${']'.repeat(65)}`;
  const path = '/abilities/query';
  const cases: [string, number, string, Promise<Response>][] = [
    ['broken JSON', 400, 'validation-failed', house.post(path, '{"a":')],
    ['no UTF-8', 400, 'validation-failed', house.post(path, Uint8Array.of(0x22, 0xff, 0x22))],
    ['duplicate key', 400, 'unsafe-json', house.post(path, '{"a":1,"a":2}')],
    ['__proto__', 400, 'unsafe-json', house.post(path, '{"__proto__":{}}')],
    ['unsafe integer', 400, 'unsafe-json', house.post(path, '{"a":9007199254740993}')],
    ['too deep', 400, 'unsafe-json', house.post(path, deep)],
    ['too large', 413, 'payload-too-large', house.post(path, `"${'x'.repeat(1024 * 1024)}"`)],
    [
      'a form',
      415,
      'unsupported-media-type',
      house.post(path, 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    ],
    ['unknown capability', 404, 'capability-not-found', house.post('/abilities/nope', {})],
    ['unknown path', 404, 'not-found', house.post('/ability/query', {})],
    ['broken path', 404, 'not-found', house.post('/abilities/%ff', {})],
    ['wrong method', 404, 'not-found', fetch(house.agent.baseUrl + path)],
    ['a list to execute', 400, 'validation-failed', house.post('/execute', [])],
    ['two keys', 400, 'validation-failed', house.post(path, {}, { 'idempotency-key': 'a, b' })],
  ];

  for (const [what, status, code, sent] of cases) {
    const response = await sent;
    const problem = await problemOf(response);
    assert.deepEqual([what, response.status, problem['code']], [what, status, code]);
    assert.equal(problem['executed'], 'no', what);
  }
  assert.equal((await house.post(path, {})).status, 200);
});

test('a connection that breaks off in the middle of a body harms nobody', async () => {
  await using house = await openAgentHouse((agent) => agent.capability(QUERY, () => 'ok'));
  await house.agent.start();
  const { port } = new URL(house.agent.baseUrl);

  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /abilities/query HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"a":');
  socket.end();
  await textOf(socket);

  assert.equal((await house.post('/abilities/query', {})).status, 200);
});
