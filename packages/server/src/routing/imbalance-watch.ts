import { type Clock, type Log, loop, type Service } from '@agent-reach/core/kernel';
import type { Provider } from '../registry/directory.ts';
import { type Portion, type Skew, skewOf, watchRatio } from './imbalance.ts';
import type { RoutingPorts } from './ports.ts';
import { presenceOf } from './presence.ts';
import { standingWeight } from './weight.ts';

/** What the watch works with. */
export interface WatchPorts {
  routing: RoutingPorts;
  clock: Clock;
  log: Log;
  /**
   * How many tasks of a capability wait for an agent, counted up to `most`. An agent's queue holds
   * tasks of all it offers: those of another capability are no imbalance of this one.
   */
  waitingOf: (
    at: { tenant: string; agentId: string; capability: string },
    most: number,
  ) => Promise<number>;
}

const LOOK_MS = 5_000;

/**
 * Looks whether work piles up at one candidate of a capability while others who offer it have
 * little: mostly a tag that only one of them has. Told in the log once when it has lasted, and once
 * when it is over.
 */
export function imbalanceWatch(ports: WatchPorts): Service {
  return loop({
    clock: ports.clock,
    pauseMs: () => LOOK_MS,
    round: () => look(ports),
    onError: (error) => ports.log.error({ err: error }, 'the balance could not be looked at'),
  });
}

async function look(ports: WatchPorts): Promise<void> {
  const { directory, imbalance } = ports.routing;
  const uneven = new Map<string, Skew>();
  for (const tenant of directory.tenants()) {
    for (const capability of suspects(tenant, ports)) {
      const skew = await skewIn(tenant, capability, ports);
      if (skew !== undefined) uneven.set(`${tenant}/${capability}`, skew);
    }
  }
  for (const name of new Set([...imbalance.names(), ...uneven.keys()])) {
    judge(name, uneven.get(name), ports);
  }
}

/** Capabilities of agents that have enough waiting to be looked at. */
function suspects(tenant: string, { routing }: WatchPorts): Set<string> {
  const names = new Set<string>();
  for (const { definition, providers } of routing.directory.agents(tenant)) {
    const { agentId } = definition;
    if (routing.board.waitingOf({ tenant, agentId }) < routing.options.imbalanceMin) continue;
    for (const { capability } of providers) names.add(capability.name);
  }
  return names;
}

async function skewIn(
  tenant: string,
  capability: string,
  { routing, waitingOf }: WatchPorts,
): Promise<Skew | undefined> {
  const least = routing.options.imbalanceMin;
  const portions = routing.directory
    .offers(tenant, capability)
    .map((offer) => portionOf(offer, routing));
  const skew = skewOf(portions, least);
  if (skew === undefined) return undefined;
  const { agentId } = skew;
  return (await waitingOf({ tenant, agentId, capability }, least)) < least ? undefined : skew;
}

/** Whoever is away has no weight: his queue is not uneven, it is stuck, and moved by others. */
function portionOf({ agent, capability }: Provider, routing: RoutingPorts): Portion {
  const { tenant, agentId } = agent.definition;
  const { places } = presenceOf({ tenant, agentId }, 1, routing);
  let weight = 0;
  for (const { instanceId, slots } of places) {
    const instance = agent.instances.get(instanceId);
    if (instance === undefined) continue;
    weight += slots * standingWeight({ agent, capability, instance }, routing);
  }
  return { agentId, waiting: routing.board.waitingOf({ tenant, agentId }), weight };
}

function judge(name: string, skew: Skew | undefined, { routing, clock, log }: WatchPorts): void {
  const { imbalanceRatio: ratio, imbalanceAfterMs: afterMs } = routing.options;
  const before = routing.imbalance.evennessOf(name);
  const now = clock.monotonic();
  const after = watchRatio(before, skew?.ratio ?? 0, now, { ratio, afterMs });
  const since = after.is === 'skewed' ? clock.now() - (now - after.since) : 0;
  routing.imbalance.note(
    name,
    after,
    after.is === 'skewed' && skew !== undefined ? { ...skew, since } : undefined,
  );
  if (after.is === before.is) return;
  const [tenant, ...capability] = name.split('/');
  const said = { tenant, capability: capability.join('/') };
  if (after.is === 'even') log.info(said, 'work is shared evenly again');
  else {
    const more = { agent: skew?.agentId, ratio: Math.round((skew?.ratio ?? 0) * 10) / 10 };
    log.warn({ ...said, ...more }, 'work piles up at one of several who could do it');
  }
}
