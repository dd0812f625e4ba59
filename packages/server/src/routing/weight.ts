import type { WeightParts } from '@agent-reach/core';
import type { AgentEntry, Instance } from '../registry/directory.ts';
import type { Scores } from '../registry/scores.ts';
import type { Board } from '../resilience/board.ts';
import type { WeightBook } from './weight-book.ts';

/** What a weight is made from. */
export interface WeightPorts {
  board: Board;
  scores: Scores;
  weights: WeightBook;
}

/** Whose weight, and for which work; without a capability: for its work as a whole. */
export interface Weighable {
  agent: AgentEntry;
  capability: { name: string; tags: Readonly<Record<string, string>> } | undefined;
  instance: Instance;
}

const CAPACITY_MAX = 1_000;
/** Whatever its score, nobody is without weight: he could never show that he is well again. */
const SCORE_MIN = 0.05;
/** What an instance says of its load lowers its weight, never to nothing: it may be wrong. */
const REPORTED_MIN = 0.1;

/**
 * The part of a weight that does not change by itself: what an operator set, times the reserved tag
 * `capacity`. 0: it is never used. What keys are spread by, so that a busy hour moves no session.
 */
export function standingWeight(of: Weighable, { weights }: Pick<WeightPorts, 'weights'>): number {
  return handOf(of, weights) * capacityOf(of);
}

/**
 * The same of an agent: the sum of all its instances that nobody took out, there or away. So a
 * source stays with its agent while one of many instances restarts.
 */
export function agentStanding(
  { agent, capability }: Omit<Weighable, 'instance'>,
  ports: Pick<WeightPorts, 'weights'>,
): number {
  let sum = 0;
  for (const instance of agent.instances.values()) {
    if (instance.row.intent !== 'enabled') continue;
    sum += standingWeight({ agent, capability, instance }, ports);
  }
  return sum;
}

/** All factors of the weight of an instance. The only place where they are put together. */
export function weightParts(
  of: Weighable,
  { scores, weights }: Pick<WeightPorts, 'scores' | 'weights'>,
  slowStart = 1,
): WeightParts {
  return {
    hand: handOf(of, weights),
    capacity: capacityOf(of),
    reported: reportedOf(of),
    reachability: Math.max(SCORE_MIN, scores.of(of.instance).score) ** 2,
    slow_start: slowStart,
  };
}

/** The weight: the product of its factors. */
export function weightOf(parts: WeightParts): number {
  const { hand, capacity, reported, reachability, slow_start: slowStart } = parts;
  return hand * capacity * reported * reachability * slowStart;
}

/**
 * The part of its share that each of several gets who came back lately; all of it where every one
 * of them did, for then there is nobody who could spare them.
 */
export function slowStarts(
  instances: readonly Instance[],
  { scores }: Pick<WeightPorts, 'scores'>,
): (instance: Instance) => number {
  const isAll = instances.every((instance) => scores.slowStart(instance) < 1);
  return isAll ? () => 1 : (instance) => scores.slowStart(instance);
}

/** The version to which an instance belongs: its tag `version`, else that of its manifest. */
export function versionOf(
  { definition: { manifest } }: AgentEntry,
  { row }: Instance,
): string | undefined {
  return row.tags['version'] || manifest.tags['version'] || manifest.version;
}

/** Why an instance gets nothing, whatever its state; undefined: it does. */
export function whyWeightless(
  of: Weighable,
  ports: Pick<WeightPorts, 'weights'>,
): string | undefined {
  if (handOf(of, ports.weights) === 0) return 'its weight is set to 0';
  return capacityOf(of) === 0 ? 'its tag capacity is 0' : undefined;
}

function handOf({ capability, instance: { row } }: Weighable, weights: WeightBook): number {
  const { tenant, agentId, instanceId } = row;
  return weights.handOf({ tenant, agentId, instanceId, capability: capability?.name });
}

/** A tag that is no number says nothing. */
function capacityOf({ agent, capability, instance }: Weighable): number {
  const said =
    capability?.tags['capacity'] ??
    instance.row.tags['capacity'] ??
    agent.definition.manifest.tags['capacity'];
  if (said === undefined || said === '') return 1;
  const value = Number(said);
  return Number.isFinite(value) && value >= 0 ? Math.min(CAPACITY_MAX, value) : 1;
}

/** What is free of its machine. The queue that it tells of is in its score already. */
function reportedOf({ instance: { row } }: Weighable): number {
  return Math.max(REPORTED_MIN, 1 - (row.reported.load ?? 0));
}
