import { loop, type MonotonicMs, type Service } from '@agent-reach/core/kernel';
import { conclude, concludeReused, LOSSES_MAX } from './conclude.ts';
import type { Directory, Instance } from './directory.ts';
import { considerFence } from './fencing.ts';
import { noteProbe } from './observe.ts';
import { isFresh } from './freshness.ts';
import type { RegistryPorts } from './ports.ts';
import { type ProbeResult, probe, probeTarget } from './probe.ts';
import { nextProbeAt } from './probe-pace.ts';
import { ProbePlaces } from './probe-places.ts';
import { refresh } from './sync.ts';
import { askOthers, noteFound, tellProbe } from './witness.ts';

/** How often due probes are looked for: also the error of a probe's time. */
const TICK_MS = 100;
/** After so many losses in a row others are asked. */
const DOUBTED = 2;

/**
 * Probes every addressed instance in turn. A state in doubt is probed again soon; a settled one
 * at the usual interval. Where more are due than may be under way at once, whoever is overdue for
 * longest is next, and the next one starts as soon as one has ended: nobody is passed over for ever.
 * Those that do not answer hold a part of the places only (`probe-places.ts`).
 */
export function prober(ports: RegistryPorts): Service {
  const { directory, clock, log, options } = ports;
  const running = new Set<Promise<void>>();
  const places = new ProbePlaces(options.probeParallel, LOSSES_MAX);
  let line: Iterator<Instance> = [].values();
  const fill = () => {
    while (!places.isFull) {
      const { value: instance, done } = line.next();
      if (done === true) return;
      // Since it was put in line it may have left, or been probed by its registration.
      if (!isDue(instance, clock.monotonic()) || !isThere(instance, directory)) continue;
      const leave = places.take(instance.failures);
      if (leave === undefined) continue; // Others of its kind hold theirs; it is asked again soon.
      const work = look(instance, ports)
        .catch((error: unknown) => log.error({ err: error }, 'a probe stumbled'))
        .finally(() => {
          leave();
          running.delete(work);
          fill();
        });
      running.add(work);
    }
  };
  const ticks = loop({
    clock,
    pauseMs: () => TICK_MS,
    onError: (error) => log.error({ err: error }, 'the prober stumbled'),
    async round() {
      ports.doubt.tick(TICK_MS);
      line = due(directory, clock.monotonic()).values();
      fill();
    },
  });
  return {
    start: () => ticks.start(),
    async stop() {
      await ticks.stop();
      ports.doubt.rest();
      line = [].values();
      await Promise.all(running);
    },
  };
}

/** Instances that are due, the longest overdue first. */
function due(directory: Directory, now: number): Instance[] {
  const found: Instance[] = [];
  for (const instance of directory.allInstances()) if (isDue(instance, now)) found.push(instance);
  return found.sort((a, b) => (a.probeAt ?? now) - (b.probeAt ?? now));
}

function isDue({ row, observed, probeAt }: Instance, now: number): boolean {
  if (row.mode !== 'push' || observed === 'gone') return false;
  return probeAt !== undefined && probeAt <= now;
}

function isThere(instance: Instance, directory: Directory): boolean {
  const { tenant, agentId, instanceId } = instance.row;
  return directory.agent(tenant, agentId)?.instances.get(instanceId) === instance;
}

/** Probes one instance and takes what it found into account. */
export async function look(instance: Instance, ports: RegistryPorts): Promise<void> {
  const { tenant, agentId, addrVersion } = instance.row;
  const entry = ports.directory.agent(tenant, agentId);
  const target = probeTarget(instance, entry?.definition.manifest.network.health_path ?? '/health');
  if (target === undefined) return;
  instance.probeAt = undefined;
  let isDropped = false;
  try {
    const startedAt = ports.clock.monotonic();
    const result = await probe(target, ports);
    // A process or a beat that came to another gateway is not held against it.
    if (!result.passed && ports.peers.isPossible) await refresh({ tenant, agentId }, ports);
    // It moved while we looked: what we saw was the old address.
    if (!isThere(instance, ports.directory) || instance.row.addrVersion !== addrVersion) return;
    if (!isConclusive(result, startedAt, ports)) {
      isDropped = true;
      return;
    }
    noteDoubt(instance, result, ports);
    tellProbe(instance, result, ports);
    await take(instance, result, ports);
  } finally {
    instance.probeAt = isDropped
      ? ports.clock.monotonic() + ports.options.probeEdgeMs
      : nextProbeAt(instance, ports);
  }
}

/** What is slow is not held against an instance while we were slow ourselves. */
const PROMPT_MS = 100;

/** Whether a look says something of the instance, and not of this process, which was blocked. */
function isConclusive(
  result: ProbeResult,
  startedAt: MonotonicMs,
  { doubt }: RegistryPorts,
): boolean {
  if (result.passed && result.rttMs <= PROMPT_MS) return true;
  return !doubt.wasBlockedSince(startedAt);
}

/** Many that could be reached until now and cannot any more: that may be our own fault. */
function noteDoubt(
  { observed }: Instance,
  { passed }: ProbeResult,
  { doubt }: RegistryPorts,
): void {
  const wasThere = observed === 'up' || observed === 'degraded' || observed === 'suspect';
  if (wasThere) doubt.looked(!passed);
}

/** Takes a probe's finding into account. Exported for registration, which probes by itself. */
export async function take(
  instance: Instance,
  result: ProbeResult,
  ports: RegistryPorts,
): Promise<void> {
  noteFound(instance, ports.peers.self.id, result.passed, ports);
  noteProbe(instance, result, ports);
  if (!result.passed && result.isStranger === true) concludeReused(instance, ports);
  if (instance.failures >= DOUBTED) askOthers(instance, ports);
  conclude(instance, ports);
  await considerFence(instance, ports);
  // An agent that was registered by hand and does not beat lives as long as it can be reached.
  if (result.passed && instance.row.heartbeatIntervalMs === 0) await renewByProbe(instance, ports);
}

async function renewByProbe(instance: Instance, ports: RegistryPorts): Promise<void> {
  if (isFresh(instance, ports.clock)) return;
  const { tenant, agentId, instanceId, leaseMs } = instance.row;
  const answer = await ports.storage.agents.renew({
    tenant,
    agentId,
    instanceId,
    leaseMs,
    reported: {},
    now: ports.now(),
  });
  if (answer.outcome === 'renewed') instance.row = answer.row;
}
