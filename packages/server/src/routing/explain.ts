import type { CandidateView, WeightParts } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { Instance, Provider } from '../registry/directory.ts';
import { intentOf } from '../registry/intent.ts';
import { whyNotRoutable } from '../registry/routable.ts';
import { reachabilityView, thousandth, whyLow } from '../registry/score-view.ts';
import { toldOf } from '../resilience/circuits.ts';
import type { Method } from './balance.ts';
import type { Decision, Ranked, Weighed, Routed } from './decision.ts';
import { clause } from './none.ts';
import { whyNoShare } from './versions.ts';
import {
  slowStarts,
  versionOf,
  type WeightPorts,
  weightOf,
  weightParts,
  whyWeightless,
} from './weight.ts';

/** More candidates than a person reads; the bound of the answer's size. */
const CANDIDATES_MAX = 50;

/** Why each candidate was taken or left. Rendered only when asked for: it costs more than the choice. */
export function explain(decision: Decision, ports: WeightPorts): CandidateView[] {
  const views: CandidateView[] = [];
  const rivals = decision.weighed.flatMap(({ instances }) => instances);
  const slowStart = slowStarts(
    rivals.map(({ instance }) => instance),
    ports,
  );
  for (const candidate of decision.weighed) {
    for (const view of viewsOf(candidate, decision, ports, slowStart)) {
      if (views.length === CANDIDATES_MAX) return views;
      views.push(view);
    }
  }
  return views;
}

function viewsOf(
  { provider, out, instances }: Weighed,
  decision: Decision,
  ports: WeightPorts,
  slowStart: (instance: Instance) => number,
): CandidateView[] {
  const { agent, capability } = provider;
  const names = { agent: agent.definition.agentId, capability: capability.name };
  const all = [...agent.instances.values()];
  if (out !== undefined || all.length === 0) {
    return [{ ...names, verdict: 'excluded', reason: out ?? 'it has no instance' }];
  }
  return all.map((instance) => {
    const parts = weightParts({ agent, capability, instance }, ports, slowStart(instance));
    const version = versionOf(agent, instance);
    return {
      ...names,
      instance: instance.row.instanceId,
      ...judgement({ provider, instance, eligible: instances }, decision, ports),
      observed: instance.observed,
      intent: intentOf(instance).intent,
      inflight: ports.board.of(instance.key).inflight,
      ...(version === undefined ? {} : { version }),
      weight: thousandth(weightOf(parts)),
      ...likingOf(instance, decision),
      parts: roundedParts(parts),
      reachability: reachabilityView(ports.scores.of(instance)),
      last_seen: iso(instance.seenAt),
    };
  });
}

function likingOf(instance: Instance, decision: Decision): Pick<CandidateView, 'prefer'> {
  const preferred = decision.outcome === 'route' ? decision.preferred : undefined;
  return preferred === undefined ? {} : { prefer: thousandth(preferred(instance)) };
}

/** The factors of a weight as they are shown. */
export function roundedParts(parts: WeightParts): WeightParts {
  return {
    ...parts,
    reported: thousandth(parts.reported),
    reachability: thousandth(parts.reachability),
    slow_start: thousandth(parts.slow_start),
  };
}

const CHOSEN_BY: Record<Method['by'], string> = {
  'two-choices': 'least in flight for its weight, of two drawn by weight',
  'round-robin': 'it was its turn',
  ring: 'the source belongs to it',
  rendezvous: 'the source belongs to it',
};

function judgement(
  at: { provider: Provider; instance: Instance; eligible: readonly Ranked[] },
  decision: Decision,
  ports: WeightPorts,
): Pick<CandidateView, 'verdict' | 'reason'> {
  const { provider, instance, eligible } = at;
  const chosen = decision.outcome === 'route' ? decision : undefined;
  const name = { endpoint: instance.key, capability: provider.capability.name };
  const circuit = ports.board.circuits.of(name);
  if (instance === chosen?.instance) {
    const rivals = eligible.filter((one) => isOfGroup(provider, one.instance, chosen.group));
    const how = rivals.length === 1 ? 'the only one' : CHOSEN_BY[chosen.chosenBy];
    const { inflight } = ports.board.of(instance.key);
    const state = circuit === undefined ? '' : `; ${toldOf(circuit)}`;
    return { verdict: 'chosen', reason: `${how} (${inflight} in flight)${state}` };
  }
  const why =
    whyNotRoutable(instance) ??
    whyWeightless({ agent: provider.agent, capability: provider.capability, instance }, ports);
  if (why !== undefined) return { verdict: 'excluded', reason: why };
  if (circuit !== undefined && circuit.blockedMs > 0) {
    return { verdict: 'excluded', reason: toldOf(circuit) };
  }
  if (eligible.some((one) => one.instance === instance)) {
    const better = whyOthersFirst(instance, decision, ports);
    const reason = better ?? whyNotPicked(provider, instance, chosen, ports);
    return { verdict: 'eligible', reason };
  }
  const reason =
    instance.row.mode === 'pull'
      ? 'it pulls its work: nothing goes to it direct, or its tags do not match'
      : 'tried already, in doubt, or its tags or its version do not match';
  return { verdict: 'excluded', reason };
}

/** Why an instance waits until those of a better tier are gone; undefined: there are none. */
function whyOthersFirst(
  instance: Instance,
  decision: Decision,
  { scores }: WeightPorts,
): string | undefined {
  if (decision.outcome === 'route' && decision.isPanic) return undefined;
  const all = decision.weighed.flatMap(({ instances }) => instances);
  const own = all.find((one) => one.instance === instance);
  if (own === undefined || own.tier === 0) return undefined;
  if (!all.some(({ rank }) => rank < own.rank)) return undefined;
  const why = own.tier === 1 ? whyLow(scores.of(instance)) : (instance.failure ?? 'it is in doubt');
  return `others are better: ${clause(why)}`;
}

function isOfGroup({ agent }: Provider, instance: Instance, group: string | undefined): boolean {
  return group === undefined || versionOf(agent, instance) === group;
}

function whyNotPicked(
  provider: Provider,
  instance: Instance,
  chosen: Routed | undefined,
  { weights }: WeightPorts,
): string {
  const noShare = whyNoShare(provider, instance, weights);
  if (noShare !== undefined) return noShare;
  if (chosen?.group !== undefined && !isOfGroup(provider, instance, chosen.group)) {
    return `version ${chosen.group} was drawn`;
  }
  switch (chosen?.chosenBy) {
    case 'round-robin':
      return 'it was not its turn';
    case 'ring':
    case 'rendezvous':
      return 'the source belongs to another';
    case 'two-choices':
    case undefined:
      return 'not drawn, or more in flight for its weight';
  }
}
