import { type BalanceRow, type BalanceView, ReachError, type Shares } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { Instance, Provider } from '../registry/directory.ts';
import { whyNotRoutable } from '../registry/routable.ts';
import { toldOf } from '../resilience/circuits.ts';
import type { RoutingPorts } from './ports.ts';
import { thousandth } from '../registry/score-view.ts';
import { roundedParts } from './explain.ts';
import { whyNoShare } from './versions.ts';
import { slowStarts, versionOf, weightOf, weightParts, whyWeightless } from './weight.ts';
import type { Split } from './weight-book.ts';

interface Row {
  row: BalanceRow;
  /** The versions that share what this one’s weight counts in. */
  split: Split | undefined;
}

/** How the work of a capability is shared out now. Throws `capability-not-found`. */
export function balanceOf(
  { tenant, capability }: { tenant: string; capability: string },
  ports: RoutingPorts,
): BalanceView {
  const { directory, weights, options, imbalance } = ports;
  const offers = directory.offers(tenant, capability);
  if (offers.length === 0) {
    const detail = `Nobody offers ${capability}.`;
    throw new ReachError('capability-not-found', detail, { capability });
  }
  const split = weights.splitOf(tenant, capability);
  const instances = offers.flatMap(({ agent }) => [...agent.instances.values()]);
  const slowStart = slowStarts(
    instances.filter((instance) => whyNotRoutable(instance) === undefined),
    ports,
  );
  const rows = offers.flatMap((offer) =>
    [...offer.agent.instances.values()].map((instance) => rowOf(offer, instance, slowStart, ports)),
  );
  share(rows);
  const skew = imbalance.of(tenant, capability);
  return {
    capability,
    strategy: weights.strategyOf(tenant, capability) ?? options.strategy,
    ...(split === undefined ? {} : { versions: split.shares }),
    ...(split?.stateful === undefined ? {} : { stateful: split.stateful }),
    candidates: rows.map(({ row }) => row),
    ...(skew === undefined
      ? {}
      : {
          imbalance: {
            agent: skew.agentId,
            ratio: thousandth(skew.ratio),
            since: iso(skew.since),
          },
        }),
  };
}

function rowOf(
  offer: Provider,
  instance: Instance,
  slowStart: (instance: Instance) => number,
  ports: RoutingPorts,
): Row {
  const { agent, capability } = offer;
  const { tenant, agentId } = agent.definition;
  const of = { agent, capability, instance };
  const parts = weightParts(of, ports, slowStart(instance));
  const version = versionOf(agent, instance);
  const why =
    whyNotRoutable(instance) ??
    whyWeightless(of, ports) ??
    whyNoShare(offer, instance, ports.weights) ??
    whyShutOff(offer, instance, ports);
  const { weights, board } = ports;
  return {
    split: weights.splitOf(tenant, capability.name) ?? weights.splitOfAgent(tenant, agentId),
    row: {
      agent: agentId,
      instance: instance.row.instanceId,
      ...(version === undefined ? {} : { version }),
      weight: thousandth(weightOf(parts)),
      parts: roundedParts(parts),
      share: 0,
      held: board.of(instance.key).inflight,
      waiting: board.waitingOf({ tenant, agentId }),
      ...(why === undefined ? {} : { why }),
    },
  };
}

function whyShutOff(
  { capability }: Provider,
  { key }: Instance,
  { board }: RoutingPorts,
): string | undefined {
  const circuit = board.circuits.of({ endpoint: key, capability: capability.name });
  return circuit === undefined || circuit.blockedMs === 0 ? undefined : toldOf(circuit);
}

/**
 * The part of each in the whole, as weights and versions give it. Versions of a capability share it
 * all; those of one agent share what the agent’s weight gives it.
 */
function share(rows: readonly Row[]): void {
  const able = rows.filter(({ row }) => row.why === undefined);
  const total = weightOfAll(able);
  for (const [shares, group] of Map.groupBy(able, ({ split }) => split?.shares)) {
    const part = weightOfAll(group) / total;
    if (shares === undefined) {
      for (const { row } of group) row.share = thousandth(row.weight / total);
      continue;
    }
    const byVersion = Map.groupBy(group, ({ row }) => row.version ?? '');
    const given = sharesOfPresent(shares, new Set(byVersion.keys()));
    for (const [version, peers] of byVersion) {
      const ofVersion = weightOfAll(peers);
      for (const { row } of peers) {
        row.share = thousandth((part * (given.get(version) ?? 0) * row.weight) / ofVersion);
      }
    }
  }
}

function weightOfAll(rows: readonly Row[]): number {
  return rows.reduce((sum, { row }) => sum + row.weight, 0);
}

/** 0 to 1 of each version that is there: the largest of them stands in for those that are not. */
function sharesOfPresent(shares: Shares, present: ReadonlySet<string>): Map<string, number> {
  const given = new Map<string, number>();
  let absent = 0;
  let largest = { version: '', percent: 0 };
  for (const [version, percent] of Object.entries(shares)) {
    if (!present.has(version)) absent += percent;
    else {
      given.set(version, percent / 100);
      if (percent > largest.percent) largest = { version, percent };
    }
  }
  given.set(largest.version, (largest.percent + absent) / 100);
  return given;
}
