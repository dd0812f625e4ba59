import type { Instance, Provider } from '../registry/directory.ts';
import { TIERS } from '../registry/routable.ts';
import type { EndpointView } from '../resilience/board.ts';
import { first, type Member, type Method, methodFor, UNWEIGHED } from './balance.ts';
import type { RoutingPorts } from './ports.ts';
import type { Ranked, Selector, Weighed } from './decision.ts';
import { mayGamble, type Muster, panicOf, toldOfPanic } from './panic.ts';
import { factorOf, preferred } from './prefer.ts';
import { byVersion, type Grouped } from './versions.ts';
import { agentStanding, slowStarts, weightOf, weightParts } from './weight.ts';

/** Who it is, and how he was chosen. */
interface Picked {
  preferred: ((instance: Instance) => number) | undefined;
  provider: Provider;
  instance: Instance;
  group: string | undefined;
  chosenBy: Method['by'];
  isPanic: boolean;
}

/** An instance as the choice sees it. */
interface Seat extends Member {
  provider: Provider;
  instance: Instance;
  group: string | undefined;
}

/** The ranks of those that have not failed this very piece of work: sure, less so, and in doubt. */
const FRESH_RANKS = TIERS;

/**
 * Chooses among all who fit: the version first, then an instance of it, whoever offers it. Better
 * ranks go first. For work that stays with its source one lost probe is no reason to move.
 */
export function pick(
  fitting: readonly Weighed[],
  selector: Selector,
  ports: RoutingPorts,
): Picking {
  const panic = panicOf(fitting, ports);
  const { grouped, warnings } = byVersion(fitting, selector, ports.weights);
  const capability = fitting[0]?.provider.capability.name ?? '';
  const { tenant, sourceId } = selector;
  const strategy = ports.weights.strategyOf(tenant, capability) ?? ports.options.strategy;
  const method = methodFor(strategy, sourceId, false);
  const places = bestRanked(grouped, { isSticky: method.by === 'ring', panic });
  const instances = places.map(({ instance }) => instance);
  const { prefer } = selector;
  const liking = prefer === undefined ? undefined : preferred(instances, prefer, ports);
  const slowStart = slowStarts(instances, ports);
  const seats = seatsOf(places, { liking, slowStart }, ports);
  const how = { name: `${tenant}/${capability}`, method };
  const seat = method.by === 'ring' ? onRing(seats, how, ports) : choose(seats, how, ports);
  if (seat === undefined) return { chosen: undefined, warnings, panic };
  if (panic !== undefined) warnings.push(toldOfPanic(panic));
  const { provider, instance, group } = seat;
  const isPanic = panic !== undefined;
  const told = { chosenBy: method.by, isPanic, preferred: liking };
  return { chosen: { provider, instance, group, ...told }, warnings, panic };
}

interface Picking {
  chosen: Picked | undefined;
  warnings: string[];
  /** Set when too few are there to go on as always. */
  panic: Muster | undefined;
}

interface How {
  name: string;
  method: Method;
}

/** A ring holds agents: a task of the same source finds the same one, in whose queue it then stands. */
function onRing(seats: readonly Seat[], how: How, ports: RoutingPorts): Seat | undefined {
  const byAgent = Map.groupBy(seats, ({ provider }) => provider.agent.definition.agentId);
  const agents = [...byAgent].map(([id, ofAgent]) => ({
    id,
    ofAgent,
    ...UNWEIGHED,
    standing: ofAgent[0] === undefined ? 0 : agentStanding(ofAgent[0].provider, ports),
  }));
  const agent = choose(agents, how, ports);
  if (agent === undefined) return undefined;
  return choose(agent.ofAgent, { ...how, name: `${how.name}/${agent.id}` }, ports);
}

function choose<M extends Member>(
  members: readonly M[],
  { name, method }: How,
  { random, memory, options }: RoutingPorts,
): M | undefined {
  return first(members, name, method, { random, memory, vnodes: options.vnodes });
}

/** Who waits for a place there is work that it has, too. */
function loadOf({ inflight, waiting }: EndpointView): number {
  return inflight + waiting;
}

type Place = Ranked & Omit<Grouped, 'instances'>;

function bestRanked(
  grouped: readonly Grouped[],
  { isSticky, panic }: { isSticky: boolean; panic: Muster | undefined },
): Place[] {
  let best = Number.POSITIVE_INFINITY;
  let places: Place[] = [];
  for (const { provider, group, instances } of grouped) {
    if (panic !== undefined && !mayGamble(provider.capability.effect)) continue;
    for (const ranked of instances) {
      const isTierless = panic !== undefined || (isSticky && ranked.rank < FRESH_RANKS);
      const rank = isTierless ? ranked.rank - ranked.tier : ranked.rank;
      if (rank > best) continue;
      if (rank < best) places = [];
      best = rank;
      const { instance, tier, standing } = ranked;
      places.push({ provider, group, instance, rank: ranked.rank, tier, standing });
    }
  }
  return places;
}

function seatsOf(
  places: readonly Place[],
  { liking, slowStart }: { liking: Picked['preferred']; slowStart: (of: Instance) => number },
  ports: RoutingPorts,
): Seat[] {
  return places.map(({ provider, instance, group, standing }) => {
    const { agent, capability } = provider;
    const parts = weightParts({ agent, capability, instance }, ports, slowStart(instance));
    return {
      id: instance.key,
      provider,
      instance,
      group,
      standing,
      weight: weightOf(parts) * factorOf(liking?.(instance) ?? 1),
      load: loadOf(ports.board.of(instance.key)),
      reliability: parts.reachability,
    };
  });
}
