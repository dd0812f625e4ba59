import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WeightsPolicy } from '@agent-reach/core';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import {
  addAgent,
  capability,
  definition,
  emptyDirectory,
  instanceRow,
} from '../registry/testing/builders.ts';
import { Scores } from '../registry/scores.ts';
import { boardOn } from '../resilience/testing/board.ts';
import { decide } from './decide.ts';
import { nearest } from './nearest.ts';
import { ROUTING_OPTIONS } from './options.ts';
import { openRouting } from './ports.ts';
import { anybody, chosen, selector } from './testing/selector.ts';

function open(doc: WeightsPolicy = {}) {
  const directory = emptyDirectory();
  const clock = new ManualClock();
  const board = boardOn(clock);
  const scores = new Scores(clock, board);
  const options = defaultsOf(ROUTING_OPTIONS);
  const ports = openRouting({ directory, board, scores, random: seededRandom(1), options });
  ports.weights.take('internal', 1, doc);
  return { ports, directory, board };
}

test('a source keeps its instance through one lost probe, and gets it back after more', () => {
  const doc: WeightsPolicy = { capabilities: { look_up: { strategy: 'consistent-hash' } } };
  const { ports, directory } = open(doc);
  const instances = addAgent(directory, definition('a'), ['i0', 'i1', 'i2', 'i3']);
  const of = (sourceId: string) => chosen(decide(selector({ sourceId }), anybody, ports));
  const before = of('user-7');
  const home = instances.find(({ row }) => row.instanceId === before);
  assert.ok(home);

  home.observed = 'suspect';
  assert.equal(of('user-7'), before);
  home.observed = 'unreachable';
  assert.notEqual(of('user-7'), before);
  home.observed = 'up';
  assert.equal(of('user-7'), before);
});

test('work that failed at the drawn version is tried again at another one', () => {
  const doc: WeightsPolicy = { capabilities: { look_up: { versions: { '1': 0.01, '2': 99.99 } } } };
  const { ports, directory } = open(doc);
  const [, second] = addAgent(directory, definition('a'), [
    instanceRow('a', 'old', { tags: { version: '1' } }),
    instanceRow('a', 'new', { tags: { version: '2' } }),
  ]);
  assert.equal(chosen(decide(selector(), anybody, ports)), 'new');

  const again = decide(selector(), { ...anybody, tried: new Set([second?.key ?? '']) }, ports);

  assert.equal(chosen(again), 'old');
  assert.match(again.warnings.join(), /Nobody of version 2 is there; 1 takes it/);
});

test('a capability’s word goes before an agent’s, and an instance’s weight is a part of its agent’s', () => {
  const { ports } = open({
    agents: { a: { weight: 2, instances: { i1: 0.5 } } },
    capabilities: { look_up: { agents: { a: 6 } } },
  });
  const hand = (capability: string | undefined, instanceId: string) =>
    ports.weights.handOf({ tenant: 'internal', capability, agentId: 'a', instanceId });

  assert.deepEqual([hand('look_up', 'i1'), hand('other', 'i1'), hand(undefined, 'i2')], [3, 1, 2]);
});

test('a name is looked up as a name, whatever an object would make of it', () => {
  const { ports, directory } = open({ agents: {}, capabilities: {} });
  addAgent(directory, definition('constructor', [capability({ name: 'valueOf' })]), ['i']);

  assert.equal(chosen(decide(selector({ capability: 'valueOf' }), anybody, ports)), 'i');
  assert.equal(ports.weights.splitOfAgent('internal', 'toString'), undefined);
});

test('an older document does not take the place of a newer one', () => {
  const { ports } = open();
  ports.weights.take('internal', 5, { agents: { a: { weight: 7 } } });
  ports.weights.take('internal', 4, {});

  assert.equal(ports.weights.of('internal').agents?.['a']?.weight, 7);
});

test('a tag capacity that is no number says nothing', () => {
  for (const [tag, expected] of [
    ['4', 4],
    ['2.5', 2.5],
    ['', 1],
    ['large', 1],
    ['-1', 1],
    ['1e99', 1_000],
  ] as const) {
    const { ports, directory } = open();
    addAgent(directory, definition('a', undefined, { tags: { capacity: tag } }), ['i']);
    const decision = decide(selector(), anybody, ports);
    assert.equal(decision.weighed[0]?.instances[0]?.standing, expected, tag);
  }
});

test('the nearest name is one that may have been meant', () => {
  const known = ['sql-agent', 'report-agent', '2.0'];

  assert.equal(nearest('sql-agnt', known), 'sql-agent');
  assert.equal(nearest('2.1', known), '2.0');
  assert.equal(nearest('mail', known), undefined);
  assert.equal(nearest('x', []), undefined);
});
