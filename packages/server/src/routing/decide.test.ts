import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { Directory } from '../registry/directory.ts';
import {
  addAgent,
  capability,
  definition,
  emptyDirectory,
  instanceRow,
} from '../registry/testing/builders.ts';
import type { Board } from '../resilience/board.ts';
import { Scores } from '../registry/scores.ts';
import { boardOn } from '../resilience/testing/board.ts';
import { decide, decisionError, mightWrite } from './decide.ts';
import type { Decision } from './decision.ts';
import { explain } from './explain.ts';
import { ROUTING_OPTIONS } from './options.ts';
import { openRouting, type RoutingPorts } from './ports.ts';
import { anybody, chosen, selector } from './testing/selector.ts';

function open(relax = ['region']): { ports: RoutingPorts; directory: Directory; board: Board } {
  const directory = emptyDirectory();
  const clock = new ManualClock();
  const board = boardOn(clock);
  const scores = new Scores(clock, board);
  const options = { ...defaultsOf(ROUTING_OPTIONS), relax };
  const ports = openRouting({ directory, board, scores, random: seededRandom(1), options });
  return { ports, directory, board };
}

function refusal(decision: Decision) {
  assert.equal(decision.outcome, 'none');
  if (decision.outcome !== 'none') throw new Error('unreachable');
  return decision;
}

test('a name finds all agents that offer it, and both get work', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a'), ['a1']);
  addAgent(directory, definition('b'), ['b1']);

  const seen = new Set(
    Array.from({ length: 50 }, () => chosen(decide(selector(), anybody, ports))),
  );

  assert.deepEqual(seen, new Set(['a1', 'b1']));
});

test('a name that nobody offers finds nothing, however alike another is', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a'), ['a1']);

  const decision = refusal(decide(selector({ capability: 'look_upp' }), anybody, ports));

  assert.equal(decision.code, 'capability-not-found');
});

test('meaning is not matched where it is turned off, and that is said', () => {
  const { ports } = open();
  const off = { ...ports, options: { ...ports.options, semanticMode: 'off' as const } };

  const wanted = selector({ capability: undefined, intent: 'where is my order' });

  assert.match(refusal(decide(wanted, anybody, off)).detail, /name the capability/);
});

test('an agent narrows the choice, and an unknown one is told as such', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a'), ['a1']);
  addAgent(directory, definition('b'), ['b1']);

  assert.equal(chosen(decide(selector({ agent: 'b' }), anybody, ports)), 'b1');
  assert.equal(refusal(decide(selector({ agent: 'c' }), anybody, ports)).code, 'agent-not-found');
});

test('a version may be the manifest’s, the capability’s or the counted one', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a', [capability({ version: '3' })], { version: '1.2.0' }), [
    'a1',
  ]);

  for (const version of ['1.2.0', '3', '1']) {
    assert.equal(chosen(decide(selector({ version }), anybody, ports)), 'a1');
  }
  assert.equal(
    refusal(decide(selector({ version: '2' }), anybody, ports)).code,
    'capability-not-found',
  );
});

test('whoever is not permitted is no candidate', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a'), ['a1']);
  addAgent(directory, definition('b'), ['b1']);
  const limits = { ...anybody, permits: (offer: { agentId: string }) => offer.agentId !== 'a' };

  for (let i = 0; i < 20; i++) assert.equal(chosen(decide(selector(), limits, ports)), 'b1');
});

test('parameters choose among agents whose schemas differ', () => {
  const { ports, directory } = open();
  const needs = (field: string) =>
    capability({
      input: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
    });
  addAgent(directory, definition('a', [needs('order_no')]), ['a1']);
  addAgent(directory, definition('b', [needs('phone')]), ['b1']);

  assert.equal(chosen(decide(selector({ params: { phone: '1' } }), anybody, ports)), 'b1');
  const none = refusal(decide(selector({ params: {} }), anybody, ports));
  assert.equal(none.code, 'validation-failed');
  assert.equal(none.facts.errors?.[0]?.pointer, '#/params/order_no');
});

test('tags of agent, instance and capability count together, and a bare key asks for presence', () => {
  const { ports, directory } = open();
  const row = definition('a', [capability({ tags: { kind: 'orders' } })], { tags: { team: 'x' } });
  addAgent(directory, row, [
    instanceRow('a', 'east', { tags: { region: 'east' } }),
    instanceRow('a', 'west', { tags: { region: 'west' } }),
  ]);
  const tags = { kind: 'orders', team: '', region: 'west' };

  for (let i = 0; i < 10; i++)
    assert.equal(chosen(decide(selector({ tags }), anybody, ports)), 'west');
});

test('tags are given up in order, never the capability tag, and each time with a warning', () => {
  const { ports, directory } = open(['zone', 'region', 'capability']);
  addAgent(directory, definition('a', undefined, { tags: { capability: 'sql' } }), ['a1']);
  const tags = { capability: 'sql', region: 'east', zone: 'z1' };

  const decision = decide(selector({ tags }), anybody, ports);

  assert.equal(chosen(decision), 'a1');
  assert.match(decision.warnings[0] ?? '', /zone=z1, region=east/);
  const other = decide(selector({ tags: { ...tags, capability: 'mail' } }), anybody, ports);
  assert.equal(refusal(other).code, 'capability-not-found');
  const strict = decide(selector({ tags, strictTags: true }), anybody, ports);
  assert.equal(refusal(strict).code, 'capability-not-found');
});

test('the less busy of two instances is taken', () => {
  const { ports, directory, board } = open();
  const [busy] = addAgent(directory, definition('a'), ['busy', 'idle']);
  board.begin(busy?.key ?? '');

  for (let i = 0; i < 20; i++) assert.equal(chosen(decide(selector(), anybody, ports)), 'idle');
});

test('two choices spread load over many instances without herding', () => {
  const { ports, directory, board } = open();
  const names = Array.from({ length: 10 }, (_, i) => `i${i}`);
  addAgent(directory, definition('a'), names);
  const counts = new Map<string, number>();

  for (let i = 0; i < 1_000; i++) {
    const decision = decide(selector(), anybody, ports);
    const id = chosen(decision);
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (decision.outcome === 'route') board.begin(decision.instance.key);
  }

  // Nothing ever finishes, so in flight is the count: two choices keep it within a few of even.
  for (const name of names) assert.ok(Math.abs((counts.get(name) ?? 0) - 100) <= 5);
});

test('draining, disabled, pulling, unprobed, unreachable and gone instances are never taken', () => {
  const { ports, directory } = open();
  const [drain, off, pull, fresh, lost, gone] = addAgent(directory, definition('a'), [
    instanceRow('a', 'drain', { intent: 'draining', intentBy: 'agent' }),
    instanceRow('a', 'off', { intent: 'disabled', intentBy: 'operator', intentReason: 'nonsense' }),
    instanceRow('a', 'pull', { mode: 'pull' }),
    'fresh',
    'lost',
    'gone',
  ]);
  assert.ok(drain && off && pull && fresh && lost && gone);
  fresh.observed = 'new';
  lost.observed = 'unreachable';
  lost.failure = 'connection refused';
  gone.observed = 'gone';

  // Traffic that goes direct needs an address.
  const direct = { ...anybody, addressed: true };
  const none = refusal(decide(selector(), direct, ports));

  assert.equal(none.code, 'no-reachable-agent');
  assert.equal(none.facts.agent, 'a');
  for (const why of ['draining by agent', 'nonsense', 'pulls', 'connection refused']) {
    assert.match(none.detail, new RegExp(why));
  }
});

test('one that pulls is taken as long as it beats: the call waits for it', () => {
  const { ports, directory } = open();
  const [pull] = addAgent(directory, definition('a'), [instanceRow('a', 'pull', { mode: 'pull' })]);
  assert.ok(pull);
  pull.observed = 'new';

  assert.equal(chosen(decide(selector(), anybody, ports)), 'pull');
  pull.observed = 'gone';
  assert.match(refusal(decide(selector(), anybody, ports)).detail, /heartbeats stopped/);
});

test('a suspect is taken only when nobody better is left', () => {
  const { ports, directory } = open();
  const [doubtful] = addAgent(directory, definition('a'), ['doubtful', 'good']);
  assert.ok(doubtful);
  doubtful.observed = 'suspect';

  for (let i = 0; i < 20; i++) assert.equal(chosen(decide(selector(), anybody, ports)), 'good');
  directory.leave('internal', 'a', 'good');
  assert.equal(chosen(decide(selector(), anybody, ports)), 'doubtful');
});

test('an instance that was tried is taken again only when nobody else is left', () => {
  const { ports, directory } = open();
  const [first] = addAgent(directory, definition('a'), ['first', 'second']);
  const limits = { ...anybody, tried: new Set([first?.key ?? '']) };

  for (let i = 0; i < 20; i++) assert.equal(chosen(decide(selector(), limits, ports)), 'second');
  directory.leave('internal', 'a', 'second');
  assert.equal(chosen(decide(selector(), limits, ports)), 'first');
});

test('an explanation tells of every candidate why it was taken or left', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a'), ['a1']);
  const [lost] = addAgent(directory, definition('b'), ['b1']);
  addAgent(directory, definition('c', undefined, { tags: { region: 'x' } }), ['c1']);
  assert.ok(lost);
  lost.observed = 'gone';
  const decision = decide(selector({ agent: undefined }), anybody, ports);

  const views = explain(decision, ports);

  assert.equal(views.length, 3);
  assert.deepEqual(
    views.filter((v) => v.verdict === 'excluded').map((v) => v.agent),
    ['b'],
  );
  assert.match(views.find((v) => v.agent === 'b')?.reason ?? '', /heartbeats stopped/);
  assert.equal(views.filter((v) => v.verdict === 'chosen').length, 1);
});

test('tags that fit two capabilities are a question with both names', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a', [capability({ name: 'x', tags: { k: '' } })]), ['a1']);
  addAgent(directory, definition('b', [capability({ name: 'y', tags: { k: '' } })]), ['b1']);

  const decision = decide(selector({ capability: undefined, tags: { k: '' } }), anybody, ports);

  assert.equal(decision.outcome, 'ask');
  assert.equal(decisionError(decision).code, 'ambiguous-match');
});

test('a removed or redefined agent offers nothing it no longer declares', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a'), ['a1']);
  directory.define(definition('a', [capability({ name: 'other' })]));

  assert.equal(refusal(decide(selector(), anybody, ports)).code, 'capability-not-found');
  assert.equal(chosen(decide(selector({ capability: 'other' }), anybody, ports)), 'a1');
  directory.remove('internal', 'a');
  const gone = decide(selector({ capability: 'other' }), anybody, ports);
  assert.equal(refusal(gone).code, 'capability-not-found');
});

test('another tenant’s agents do not exist', () => {
  const { ports, directory } = open();
  addAgent(directory, definition('a'), ['a1']);

  const decision = refusal(decide(selector({ tenant: 'other' }), anybody, ports));

  assert.equal(decision.code, 'capability-not-found');
  assert.deepEqual(decision.weighed, []);
});

test('only declared writes let a request id serve as a key', () => {
  const { directory } = open();
  addAgent(directory, definition('a', [capability({ name: 'r', effect: 'read' })]), ['a1']);
  addAgent(directory, definition('b', [capability({ name: 'w', effect: 'write' })]), ['b1']);
  addAgent(directory, definition('c', [capability({ name: 'u' })]), ['c1']);
  const ask = (name: string) =>
    mightWrite({ tenant: 'internal', capability: name, intent: undefined, tags: {} }, directory);

  assert.deepEqual(['r', 'w', 'u'].map(ask), [false, true, false]);
});
