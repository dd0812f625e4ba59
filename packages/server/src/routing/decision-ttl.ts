import type { RoutingPorts } from './ports.ts';
import type { Decision } from './decision.ts';

type Routed = Extract<Decision, { outcome: 'route' }>;

/** Below it somebody may be gone before the usual time is over; above it nothing has changed for long. */
const SHAKY = 0.7;
const STEADY = 0.9;
/** 5 s and 45 s of 30 s. */
const SHAKY_PART = 1 / 6;
const STEADY_PART = 1.5;

/**
 * How long whoever goes direct may use a decision again, milliseconds: longer to an instance that is well,
 * shorter to one that is not, or has just come. A changed address ends it sooner (421).
 */
export function decisionTtlMs(
  { instance }: Pick<Routed, 'instance'>,
  { scores, options: { decisionTtlMs: usualMs } }: Pick<RoutingPorts, 'scores' | 'options'>,
): number {
  const { steady } = scores.of(instance);
  const isSettled = scores.slowStart(instance) === 1 && instance.failures === 0;
  if (steady < SHAKY || instance.failures > 0) return Math.ceil(usualMs * SHAKY_PART);
  return Math.ceil(usualMs * (steady > STEADY && isSettled ? STEADY_PART : 1));
}
