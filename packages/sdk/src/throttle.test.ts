import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Reach, type ReachOptions } from './reach.ts';
import { FakeGateway } from './testing/fake-gateway.ts';
import { heldBack, isOverload, Throttle, throttleTarget } from './throttle.ts';

function open() {
  const clock = new ManualClock();
  const throttle = new Throttle({ clock, random: seededRandom(3) });
  /** Asks so often; answers how many were sent. */
  const ask = (times: number, isTurnedAway: boolean, target = 'calls.invoke query') => {
    let sent = 0;
    for (let i = 0; i < times; i++) {
      try {
        const turnedAway = throttle.admit(target, {});
        sent += 1;
        if (isTurnedAway) turnedAway();
      } catch (error) {
        assert.ok(isOverload(error));
      }
    }
    return sent;
  };
  return { clock, throttle, ask };
}

test('the part that is held back grows with what was turned away, from half of it on', () => {
  for (const [requests, accepts, share] of [
    [100, 100, 0],
    [100, 50, 0],
    [100, 40, 0.198],
    [100, 10, 0.792],
    [1_000, 0, 0.9],
    [10, 0, 0.9],
    [9, 0, 0],
    [1, 0, 0],
  ] as const) {
    const held = heldBack(requests, accepts);
    assert.equal(Math.round(held * 1_000) / 1_000, share, `${accepts} of ${requests}`);
  }
});

test('nine that are turned away hold nothing back, from ten on most are', () => {
  const { ask } = open();
  assert.equal(ask(9, true), 9);
  ask(1, true);

  const sent = ask(1_000, true);

  assert.ok(sent > 60 && sent < 140, `${sent} of 1000`);
});

test('what is held back counts as asked, so that silence does not end an overload', () => {
  const { throttle, ask } = open();
  ask(2_000, true);

  assert.throws(
    () => {
      for (let i = 0; i < 100; i++) throttle.admit('calls.invoke query', { capability: 'query' });
    },
    (error) => {
      assert.ok(ReachError.is(error));
      assert.deepEqual([error.code, error.executed, error.retryable], ['overloaded', 'no', true]);
      assert.deepEqual([error.facts['throttled'], error.facts.capability], [true, 'query']);
      assert.match(error.message, /took \d+ of 2\d\d\d requests/);
      return true;
    },
  );
});

test('a burst that nobody has answered yet is no overload', () => {
  const { ask } = open();

  assert.equal(ask(500, false), 500);
});

test('when the target takes work again the client does, too', async () => {
  const { ask, clock } = open();
  ask(200, true);
  for (let round = 0; round < 60; round++) {
    ask(100, false);
    await clock.advance(10_000);
  }

  assert.equal(ask(100, false), 100);
});

test('two minutes later all is forgotten, a moment sooner it is not', async () => {
  const { ask, clock } = open();
  ask(200, true);
  await clock.advance(119_999);
  assert.ok(ask(100, true) < 60);

  await clock.advance(240_000);

  assert.equal(ask(9, true), 9);
});

test('what one target turns away holds back nothing of another', () => {
  const { ask } = open();
  ask(500, true);

  assert.equal(ask(100, false, 'calls.invoke other'), 100);
});

test('a request is turned away once, however often that is said', () => {
  const { throttle, ask } = open();
  for (let i = 0; i < 20; i++) {
    const turnedAway = throttle.admit('calls.invoke query', {});
    if (i % 2 === 0) {
      turnedAway();
      turnedAway();
      turnedAway();
    }
  }

  assert.equal(ask(20, false), 20);
});

test('that nobody is there, or that an agent failed, is no overload', () => {
  for (const code of [
    'no-reachable-agent',
    'draining',
    'agent-error',
    'store-unavailable',
  ] as const) {
    assert.equal(isOverload(new ReachError(code, 'No.')), false);
  }
  assert.equal(isOverload(new Error('x')), false);
});

/** A gateway that turns every call away, and how many of so many calls it gets. */
async function callsThatArrive(times: number, options: ReachOptions = {}): Promise<number> {
  const gateway = await FakeGateway.open();
  let arrived = 0;
  gateway.on('calls.invoke', () => {
    arrived += 1;
    throw new ReachError('agent-busy', 'Full.');
  });
  const ports = { clock: new ManualClock(), random: seededRandom(3) };
  const reach = new Reach({ endpoint: gateway.url, ...options }, ports);
  for (let i = 0; i < times; i++) {
    await assert.rejects(reach.call('query', {}), (error) => isOverload(error));
  }
  await reach.close();
  await gateway.close();
  return arrived;
}

test('a client that is turned away sends a part of what it is asked, unless it shall send all', async () => {
  const some = await callsThatArrive(200);

  assert.ok(some >= 10 && some < 60, `${some} of 200`);
  assert.equal(await callsThatArrive(50, { throttle: false }), 50);
});

test('only new work is held back: what holders and operators say goes on', () => {
  assert.equal(throttleTarget('tasks.complete', {}), undefined);
  assert.equal(throttleTarget('tasks.claim', {}), undefined);
  assert.equal(throttleTarget('agents.heartbeat', {}), undefined);
  assert.equal(throttleTarget('calls.invoke', { capability: 'q' }), 'calls.invoke q');
  assert.equal(throttleTarget('tasks.submit', { task_type: 'q' }), 'tasks.submit q');
});
