import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { Verdict } from './breaker-machine.ts';
import { Circuits, toldOf } from './circuits.ts';
import { BREAKER_OPTIONS } from './options.ts';

/** Enough that two of them may be shut off. */
const FOUR = ['t/a/1', 't/a/2', 't/a/11', 't/b/1'];

function open(endpoints: string[] = FOUR) {
  const clock = new ManualClock();
  const circuits = new Circuits(clock, seededRandom(1), defaultsOf(BREAKER_OPTIONS));
  const run = (endpoint: string, verdict: Verdict, times = 20, isConnector = false) => {
    const name = { endpoint, capability: 'query' };
    for (let i = 0; i < times; i++) {
      const pass = circuits.enter(name, 2_000);
      if (pass === undefined) continue;
      circuits.leave(name, pass, { verdict, isSlow: false, isConnector, rivals: () => endpoints });
    }
  };
  const isOpen = (endpoint: string, capability = 'query') => {
    return circuits.blockedMs({ endpoint, capability }) > 0;
  };
  return { clock, circuits, run, isOpen };
}

test('a breaker is that of one capability at one endpoint', () => {
  const { run, isOpen } = open();

  run('t/a/1', 'failure');

  assert.equal(isOpen('t/a/1'), true);
  assert.equal(isOpen('t/a/1', 'other'), false);
  assert.equal(isOpen('t/a/2'), false);
});

test('what is open says for how long, and why', async () => {
  const { run, circuits, clock } = open();
  const name = { endpoint: 't/a/1', capability: 'query' };
  assert.equal(circuits.of(name), undefined);
  run('t/a/1', 'failure');
  const circuit = circuits.of(name);
  assert.ok(circuit !== undefined);

  assert.match(toldOf(circuit), /^circuit open for (9|10|11) s more: 20 failures in a row$/);
  await clock.advance(circuit.blockedMs);
  const later = circuits.of(name);
  assert.ok(later !== undefined);
  assert.match(toldOf(later), /^circuit half open, .*: 20 failures in a row$/);
});

test('never more than half of the endpoints of a capability are shut off, and one in any case', () => {
  for (const [all, may] of [
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 2],
    [5, 2],
  ] as const) {
    const endpoints = Array.from({ length: all }, (_, i) => `t/a/${i}`);
    const { run, isOpen } = open(endpoints);

    for (const endpoint of endpoints) run(endpoint, 'failure', 40);

    assert.equal(endpoints.filter((one) => isOpen(one)).length, may, `of ${all}`);
  }
});

test('one that is half open counts as shut off', async () => {
  const { run, isOpen, clock } = open(['t/a/1', 't/a/2']);
  run('t/a/1', 'failure');
  await clock.advance(11_000);

  run('t/a/2', 'failure', 40);

  assert.equal(isOpen('t/a/2'), false);
});

test('a connector is left alone sooner than an agent', () => {
  for (const isConnector of [false, true]) {
    const { run, isOpen } = open();
    run('t/a/1', 'success', 15, isConnector);

    run('t/a/1', 'failure', 5, isConnector);

    assert.equal(isOpen('t/a/1'), isConnector);
  }
});

test('what was not used for ten minutes is forgotten', async () => {
  const { run, isOpen, clock } = open();
  run('t/a/1', 'failure', 19);
  await clock.advance(600_000);

  run('t/a/1', 'failure', 1);

  assert.equal(isOpen('t/a/1'), false);
});

test('of more than five thousand the one that was idle longest is forgotten', async () => {
  const { run, isOpen, clock } = open();
  run('t/a/1', 'failure');
  run('t/a/2', 'failure');
  for (let i = 0; i < 4_998; i++) run(`t/b/${i}`, 'success', 1);
  await clock.advance(1_000);
  run('t/a/1', 'failure', 1);
  assert.deepEqual([isOpen('t/a/1'), isOpen('t/a/2')], [true, true]);

  run('t/b/one-more', 'success', 1);

  assert.deepEqual([isOpen('t/a/1'), isOpen('t/a/2')], [true, false]);
});

test('an endpoint that went away is forgotten, its neighbours are not', () => {
  const { run, isOpen, circuits } = open();
  run('t/a/1', 'failure');
  run('t/a/11', 'failure', 20);

  circuits.drop('t/a/1');

  assert.deepEqual([isOpen('t/a/1'), isOpen('t/a/11')], [false, true]);
});
