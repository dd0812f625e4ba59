import type { HandlersOf } from '@agent-reach/core';
import type { RoadPorts } from '../pipeline/ports.ts';
import { reach } from '../pipeline/road.ts';

/** A call is worth a second attempt, not a third: its caller waits. */
const ATTEMPTS_MAX = 2;

/** A call runs the road now, and its caller waits. */
export function callHandlers(ports: RoadPorts): Pick<HandlersOf<'calls'>, 'calls.invoke'> {
  return { 'calls.invoke': (input, asker) => reach(input, asker, ATTEMPTS_MAX, ports) };
}
