import type { RouteDecision } from '@agent-reach/core';
import type { Clock, Ids, Log, Random, Values } from '@agent-reach/core/kernel';
import type { Link } from '../egress/link.ts';
import type { PolicyPorts } from '../policy/ports.ts';
import type { Board } from '../resilience/board.ts';
import type { BULKHEAD_OPTIONS } from '../resilience/options.ts';
import type { RoutingPorts } from '../routing/ports.ts';
import type { LiveWatch } from '../telemetry/live-watch.ts';
import type { Recorder } from '../telemetry/recorder.ts';
import type { FallbackWatch } from './fallback-watch.ts';

/** What the road works with. Rooms are imported; only effects are handed in. */
export interface RoadPorts {
  policy: PolicyPorts;
  routing: RoutingPorts;
  link: Link;
  board: Board;
  /** How many calls are at a place at once whose manifest does not say it. */
  bulkhead: Values<typeof BULKHEAD_OPTIONS>;
  recorder: Recorder;
  /** Who watches decisions as they are made. */
  watch: LiveWatch<RouteDecision>;
  clock: Clock;
  ids: Ids;
  random: Random;
  log: Log;
  /** Tells of what fallbacks cover up. */
  fallbacks: FallbackWatch;
  /** Told when an endpoint could not even be connected to, so that whoever watches it looks again. */
  unconnected: (at: { tenant: string; agentId: string; instanceId: string; why: string }) => void;
}
