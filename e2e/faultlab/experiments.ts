import { gatewayKilled } from './e1-gateway-killed.ts';
import { burst } from './e10-burst.ts';
import { poison } from './e11-poison.ts';
import { agentKilled } from './e2-agent-killed.ts';
import { storeRestarts } from './e3-store-restarts.ts';
import { cutOff } from './e12-cut-off.ts';
import { unreachable } from './e13-unreachable.ts';
import { fleet } from './e14-fleet.ts';
import { stalls } from './e4-stalls.ts';
import { duplicates } from './e5-duplicates.ts';
import { clockJump } from './e6-clock.ts';
import { diskFull } from './e7-disk-full.ts';
import { drain } from './e9-drain.ts';
import type { Experiment } from './experiment.ts';

/** Every experiment, in the order in which they are run. */
export const EXPERIMENTS: readonly Experiment[] = [
  gatewayKilled,
  agentKilled,
  storeRestarts,
  stalls,
  duplicates,
  clockJump,
  diskFull,
  drain,
  burst,
  poison,
  cutOff,
  unreachable,
  fleet,
];
