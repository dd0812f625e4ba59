import type { Effect } from '@agent-reach/core';
import type { Instance } from '../registry/directory.ts';
import { intentOf } from '../registry/intent.ts';
import type { Weighed } from './decision.ts';
import type { RoutingPorts } from './ports.ts';
import { whyWeightless } from './weight.ts';

// Design. When most of those who were there are suddenly away, two things may be true: they are, and
// the few that are left are about to drown in the work of all; or the gateway's own sight is bad. In
// both it is better to spread reads over everybody who may be there than to trust the difference
// between well and in doubt. A plain write is not gambled with: it is refused, which is certain.

/** Fewer than so many are no fleet: one of two that restarts is no emergency. */
const INSTANCES_MIN = 3;

/** How many of those who were there still are. */
export interface Muster {
  there: number;
  all: number;
}

/**
 * Counts who of the instances that match can be reached, if they are so few that it is an emergency.
 * Whoever was taken out does not count, nor who was never reached, nor whose lease is over.
 */
export function panicOf(
  fitting: readonly Weighed[],
  { options, weights }: Pick<RoutingPorts, 'options' | 'weights'>,
): Muster | undefined {
  if (options.panic === 'off' || isFar(fitting, options.panic)) return undefined;
  const muster = { there: 0, all: 0 };
  for (const { provider, members } of fitting) {
    const { agent, capability } = provider;
    for (const instance of members) {
      if (!isCounted(instance)) continue;
      if (whyWeightless({ agent, capability, instance }, { weights }) !== undefined) continue;
      muster.all += 1;
      if (isThere(instance)) muster.there += 1;
    }
  }
  const isPanic = muster.all >= INSTANCES_MIN && muster.there < options.panic * muster.all;
  return isPanic ? muster : undefined;
}

/**
 * Whether it is no emergency, whatever the weights say: those who could be taken are there and have a
 * weight, and even of all who match they are enough. Spares most decisions the question for weights.
 */
function isFar(fitting: readonly Weighed[], part: number): boolean {
  let there = 0;
  let all = 0;
  for (const { members, instances } of fitting) {
    all += members.length;
    for (const { instance } of instances) if (isThere(instance)) there += 1;
  }
  return there >= part * all;
}

function isCounted({ row, observed }: Instance): boolean {
  if (row.intent === 'draining' || row.intent === 'disabled') return false;
  return observed !== 'gone' && (observed !== 'new' || row.mode === 'pull');
}

/** Degraded or full is there: what it cannot be is away. */
function isThere(instance: Instance): boolean {
  const { observed } = instance;
  const isWanted = intentOf(instance).intent === 'enabled';
  return isWanted && observed !== 'suspect' && observed !== 'unreachable';
}

/** Whether work of this effect is spread over all who may be there, rather than refused. */
export function mayGamble(effect: Effect | undefined): boolean {
  return effect === 'read' || effect === 'idempotent_write';
}

/** What whoever gets an answer in an emergency is told. */
export function toldOfPanic({ there, all }: Muster): string {
  return `Only ${there} of ${all} instances can be reached for sure, so those in doubt are used as well.`;
}
