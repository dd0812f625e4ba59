import assert from 'node:assert/strict';
import type { Capability } from '@agent-reach/core';
import { defaultsOf, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { Directory } from '../../registry/directory.ts';
import { addAgent, definition, emptyDirectory } from '../../registry/testing/builders.ts';
import { Scores } from '../../registry/scores.ts';
import type { Board } from '../../resilience/board.ts';
import { boardOn } from '../../resilience/testing/board.ts';
import type { Decision, Selector } from '../decision.ts';
import { SHOP } from '../meaning/testing/shop.ts';
import { ROUTING_OPTIONS } from '../options.ts';
import { openRouting, type RoutingPorts } from '../ports.ts';
import { selector } from './selector.ts';

/** A shop whose capabilities are offered by one agent each, called like them. */
export function shop(capabilities: readonly Capability[] = SHOP): {
  ports: RoutingPorts;
  directory: Directory;
  board: Board;
} {
  const directory = emptyDirectory();
  const clock = new ManualClock();
  const board = boardOn(clock);
  const scores = new Scores(clock, board);
  const options = defaultsOf(ROUTING_OPTIONS);
  const ports = openRouting({ directory, board, scores, random: seededRandom(1), options });
  for (const one of capabilities) addAgent(directory, definition(one.name, [one]), [one.name]);
  return { ports, directory, board };
}

/** An intent, and nothing else. */
export function meant(intent: string, over: Partial<Selector> = {}): Selector {
  return selector({ capability: undefined, intent, ...over });
}

/** A decision that must have ended so. */
export function ended<O extends Decision['outcome']>(decision: Decision, outcome: O) {
  assert.equal(decision.outcome, outcome);
  return decision as Extract<Decision, { outcome: O }>;
}
