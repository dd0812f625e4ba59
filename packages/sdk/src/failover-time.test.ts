import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Input, ReachError } from '@agent-reach/core';
import { systemRandom } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { Reach } from './reach.ts';
import { answered, type FakeGateway } from './testing/fake-gateway.ts';
import { failure, openTwoGateways } from './testing/two-gateways.ts';
import { until } from './testing/until.ts';

const echo = (request: Input<'calls.invoke'>) => answered(request, request.params);
const never = () => new Promise<never>(() => {});
const nobody = () => ({ agents: [] });

/** How many requests for it have come. */
const count = (gateway: FakeGateway, name: Parameters<FakeGateway['all']>[0]) =>
  gateway.all(name).length;

test('one that comes back is used again, after it has said that it takes work', async () => {
  await using two = await openTwoGateways();
  two.on('agents.list', nobody);
  let isReady = false;
  two.a.on('system.readyz', () => {
    if (isReady) return { status: 'ok' };
    throw new ReachError('overloaded', 'The gateway is starting.');
  });
  await two.wireA.cut();
  await two.reach.agents.list();
  await two.wireA.restore();

  await two.clock.advance(499);
  await two.reach.agents.list();
  assert.equal(count(two.a, 'system.readyz'), 0, 'left alone for a while');
  await two.clock.advance(1);
  await two.reach.agents.list();
  await until(() => count(two.a, 'system.readyz') === 1, 'it is looked at');
  await until(() => two.clock.waiting === 0, 'the look is over');
  isReady = true;
  await two.clock.advance(999);
  await two.reach.agents.list();
  assert.equal(count(two.a, 'system.readyz'), 1, 'left alone for longer');
  await two.clock.advance(1);
  await two.reach.agents.list();
  await until(() => two.reach.endpoint === `${two.wireA.url}/`, 'it is used again');
  assert.equal(count(two.a, 'agents.list'), 0, 'no request was its test');

  await two.wireB.cut();
  await two.reach.agents.list();
  assert.equal(count(two.a, 'agents.list'), 1);
});

test('a frozen gateway costs a call its deadline at most, and is avoided afterwards', async () => {
  await using two = await openTwoGateways();
  two.b.on('calls.invoke', echo);
  two.wireA.freeze();

  const calls = Array.from({ length: 3 }, () => failure(two.reach.call('refund', {})));
  await until(() => two.wireA.connections === 3, 'they are under way');
  await settled();
  await two.clock.advance(3_000);
  for (const error of await Promise.all(calls)) {
    assert.deepEqual([error.code, error.executed], ['deadline-exceeded', 'unknown']);
  }

  await two.reach.call('refund', {});
  assert.equal(two.reach.endpoint, `${two.wireB.url}/`);
  // It is looked at, and still frozen: requests go on past it while the look is under way.
  await two.clock.advance(500);
  await two.reach.call('refund', {});
  await two.clock.advance(1_000);
  await two.reach.call('refund', {});
  assert.equal(count(two.b, 'calls.invoke'), 3);
  assert.equal(count(two.a, 'calls.invoke'), 0);
});

test('a long question leaves a frozen gateway after 6 s, for the other', async () => {
  await using two = await openTwoGateways();
  two.on('agents.list', nobody);
  await two.reach.agents.list();
  two.wireA.freeze();

  const question = two.reach.agents.list({}, { timeoutMs: 25_000 });
  await until(() => two.clock.waiting === 2, 'it waits');
  await two.clock.advance(5_000);
  await until(() => two.clock.waiting === 3, 'the gateway is looked at');
  await two.clock.advance(999);
  assert.equal(count(two.b, 'agents.list'), 0);
  await two.clock.advance(1);

  await question;
  assert.equal(count(two.b, 'agents.list'), 1);
  assert.equal(two.clock.waiting, 0, 'no timer is left');
});

test('a long question stays at a gateway that is slow and well', async () => {
  await using two = await openTwoGateways();
  const held = Promise.withResolvers<{ agents: [] }>();
  two.a.on('agents.list', () => held.promise);

  const question = two.reach.agents.list({}, { timeoutMs: 25_000 });
  await two.a.nth('agents.list', 1);
  for (let look = 1; look <= 3; look++) {
    await two.clock.advance(5_000);
    await until(() => count(two.a, 'system.readyz') === look, 'the gateway is looked at');
    await until(() => two.clock.waiting === 2, 'the look is over');
  }
  held.resolve({ agents: [] });

  await question;
  assert.equal(two.b.seen.length, 0);
});

test('a gateway that answers others is not looked at, however long one question is held', async () => {
  await using two = await openTwoGateways();
  const held = Promise.withResolvers<{ agents: [] }>();
  two.a.on('agents.list', () => held.promise);
  two.a.on('queues.list', () => ({ queues: [] }));

  const question = two.reach.agents.list({}, { timeoutMs: 25_000 });
  await two.a.nth('agents.list', 1);
  for (let i = 0; i < 3; i++) {
    await two.clock.advance(4_000);
    await two.reach.queues.list();
  }
  await two.clock.advance(4_999);
  assert.equal(count(two.a, 'system.readyz'), 0);
  await two.clock.advance(1);
  await until(() => count(two.a, 'system.readyz') === 1, 'it is looked at');
  held.resolve({ agents: [] });
  await question;
});

test('a gateway whose connections are all taken by questions is not taken for frozen', async () => {
  await using two = await openTwoGateways();
  const held = Promise.withResolvers<{ agents: [] }>();
  two.a.on('agents.list', () => held.promise);

  const limits = { timeoutMs: 25_000 };
  const questions = Array.from({ length: 130 }, () => two.reach.agents.list({}, limits));
  await two.a.nth('agents.list', 128);
  await two.clock.advance(5_000);
  await until(() => count(two.a, 'system.readyz') === 1, 'the gateway is looked at');
  await until(() => two.clock.waiting === 131, 'the look is over');
  held.resolve({ agents: [] });

  await Promise.all(questions);
  assert.equal(two.b.seen.length, 0);
});

test('a write that nobody named does not leave a frozen gateway: it may be carried out there', async () => {
  await using two = await openTwoGateways();
  two.wireA.freeze();

  const call = failure(two.reach.call('refund', {}, { timeoutMs: 20_000 }));
  await until(() => two.wireA.connections > 0, 'it is under way');
  await settled();
  await two.clock.advance(20_000);

  assert.equal((await call).executed, 'unknown');
  assert.equal(two.b.seen.length, 0);
});

test('whose caller goes away says nothing against the gateway', async () => {
  await using two = await openTwoGateways();
  two.a.on('agents.list', never);
  const controller = new AbortController();

  const question = failure(two.reach.agents.list({}, { signal: controller.signal }));
  await two.a.nth('agents.list', 1);
  controller.abort();

  assert.equal((await question).code, 'cancelled');
  assert.equal(two.reach.endpoint, `${two.wireA.url}/`);
  assert.equal(two.b.seen.length, 0);
});

test('the only gateway is never looked at, and asked however often it failed', async () => {
  await using two = await openTwoGateways();
  const ports = { clock: new ManualClock(), random: systemRandom() };
  await using reach = new Reach({ endpoint: two.wireA.url }, ports);
  two.a.on('agents.list', nobody);
  await two.wireA.cut();
  for (let i = 0; i < 3; i++) await failure(reach.agents.list());
  await two.wireA.restore();

  await reach.agents.list();

  assert.deepEqual(
    two.a.seen.map(({ name }) => name),
    ['agents.list'],
  );
});
