import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { addAgent, capability, definition, emptyDirectory } from '../registry/testing/builders.ts';
import { Scores } from '../registry/scores.ts';
import { boardOn } from '../resilience/testing/board.ts';
import { decide, type RouteLimits } from './decide.ts';
import { fallbacksOf } from './fallbacks.ts';
import { ROUTING_OPTIONS } from './options.ts';
import { openRouting } from './ports.ts';
import { anybody, selector } from './testing/selector.ts';

/** A house of agents that offer `look_up`, each with a list of fallbacks. */
function open(lists: Record<string, string[]>) {
  const directory = emptyDirectory();
  for (const [agent, fallback] of Object.entries(lists)) {
    addAgent(directory, definition(agent, [capability({ fallback })]), []);
  }
  const clock = new ManualClock();
  const board = boardOn(clock);
  const scores = new Scores(clock, board);
  const options = defaultsOf(ROUTING_OPTIONS);
  return openRouting({ directory, board, scores, random: seededRandom(1), options });
}

interface Asked {
  requested?: string[];
  agent?: string;
  limits?: RouteLimits;
}

function namesOf(
  lists: Record<string, string[]>,
  { requested = [], agent, limits = anybody }: Asked = {},
): string[] {
  const ports = open(lists);
  const asked = selector({ agent });
  const { weighed } = decide(asked, limits, ports);
  return fallbacksOf(asked, requested, weighed).standIns.map((one) => one.capability);
}

test('the request’s list goes before those of the manifests, and each name counts once', () => {
  const lists = { a: ['x', 'y'], b: ['y', 'z'] };

  assert.deepEqual(namesOf(lists, { requested: ['z', 'w'] }), ['z', 'w', 'x', 'y']);
  assert.deepEqual(namesOf(lists), ['x', 'y', 'z']);
});

test('nothing stands in for itself', () => {
  assert.deepEqual(namesOf({ a: ['look_up', 'x'] }, { requested: ['look_up'] }), ['x']);
});

test('however many agents declare some, six are tried', () => {
  const lists = { a: ['1', '2', '3'], b: ['4', '5', '6'], c: ['7', '8'] };

  assert.deepEqual(namesOf(lists), ['1', '2', '3', '4', '5', '6']);
});

test('who names an agent gets what he lists, and nothing that is merely declared', () => {
  assert.deepEqual(namesOf({ a: ['x'] }, { agent: 'a', requested: ['y'] }), ['y']);
});

test('what the asker may not have has no fallback, not even one that he lists', () => {
  const nobody = { ...anybody, permits: () => false };
  const onlyB = { ...anybody, permits: ({ agentId }: { agentId: string }) => agentId === 'b' };

  assert.deepEqual(namesOf({ a: ['x'] }, { requested: ['y'], limits: nobody }), []);
  assert.deepEqual(namesOf({ a: ['x'], b: ['z'] }, { requested: ['y'], limits: onlyB }), [
    'y',
    'z',
  ]);
});
