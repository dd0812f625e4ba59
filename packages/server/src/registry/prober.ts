import { loop, type MonotonicMs, type Service } from '@agent-reach/core/kernel';
import type { ProbeReport } from '../peers/changes.ts';
import type { Directory, Instance } from './directory.ts';
import { noteProbe } from './observe.ts';
import type { RegistryPorts } from './ports.ts';
import { type ProbeResult, probe, probeTarget } from './probe.ts';

/** How often due probes are looked for: also the error of a probe's time. */
const TICK_MS = 100;
/**
 * Of an instance that another gateway looks after, how many intervals may pass without its word
 * before this one looks for itself.
 */
const SILENCE = 2.5;
/** Probes of a fleet that started together drift apart by this share of the interval. */
const JITTER = 0.1;

/**
 * Probes every addressed instance in turn. A state in doubt is probed again soon; a settled one
 * at the usual interval. Where more are due than may be under way at once, whoever is overdue for
 * longest is next, and the next one starts as soon as one has ended: nobody is passed over for ever.
 */
export function prober(ports: RegistryPorts): Service {
  const { directory, clock, log, options } = ports;
  const running = new Set<Promise<void>>();
  let line: Iterator<Instance> = [].values();
  const fill = () => {
    while (running.size < options.probeParallel) {
      const { value: instance, done } = line.next();
      if (done === true) return;
      // Since it was put in line it may have left, or been probed by its registration.
      if (!isDue(instance, clock.monotonic()) || !isThere(instance, directory)) continue;
      const work = look(instance, ports)
        .catch((error: unknown) => log.error({ err: error }, 'a probe stumbled'))
        .finally(() => {
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
    // It moved while we looked: what we saw was the old address.
    if (instance.row.addrVersion !== addrVersion) return;
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

/** Every gateway knows what one of them found. */
function tellProbe(
  { row: { tenant, agentId, instanceId, addrVersion } }: Instance,
  result: ProbeResult,
  { peers }: RegistryPorts,
): void {
  const found = result.passed ? { rttMs: result.rttMs } : { detail: result.detail };
  peers.tell({ kind: 'probe', tenant, agentId, instanceId, addrVersion, ...found });
}

/** Takes over what another gateway found, and leaves the looking to it as long as it tells. */
export function hearProbe(report: ProbeReport, ports: RegistryPorts): void {
  const {
    tenant,
    agentId,
    instanceId,
    rttMs,
    detail = 'another gateway could not reach it',
  } = report;
  const instance = ports.directory.agent(tenant, agentId)?.instances.get(instanceId);
  if (instance === undefined || instance.row.addrVersion !== report.addrVersion) return;
  noteProbe(
    instance,
    rttMs === undefined ? { passed: false, detail } : { passed: true, rttMs },
    ports,
  );
  if (instance.probeAt !== undefined && !ports.peers.isMine(instance.key)) {
    instance.probeAt = nextProbeAt(instance, ports);
  }
}

function nextProbeAt(instance: Instance, ports: RegistryPorts): number {
  const pause = pauseMs(instance, ports);
  const share = ports.peers.isMine(instance.key) ? 1 : SILENCE;
  return ports.clock.monotonic() + pause * share;
}

/** Takes a probe's finding into account. Exported for registration, which probes by itself. */
export async function take(
  instance: Instance,
  result: ProbeResult,
  ports: RegistryPorts,
): Promise<void> {
  noteProbe(instance, result, ports);
  // An agent that was registered by hand and does not beat lives as long as it can be reached.
  if (result.passed && instance.row.heartbeatIntervalMs === 0) await renewByProbe(instance, ports);
}

async function renewByProbe(instance: Instance, ports: RegistryPorts): Promise<void> {
  const { tenant, agentId, instanceId, leaseMs, leaseEndsAt } = instance.row;
  if (leaseEndsAt - ports.clock.now() > leaseMs / 2) return;
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

function pauseMs(instance: Instance, ports: RegistryPorts): number {
  const { probeEdgeMs, probeIntervalMs } = ports.options;
  const inDoubt = instance.observed === 'new' || instance.observed === 'suspect';
  // The first look after a loss comes twice as soon: a restart is over by then, or it is down.
  const edgeMs = instance.failures === 1 ? probeEdgeMs / 2 : probeEdgeMs;
  const pause = inDoubt ? edgeMs : probeIntervalMs;
  return pause * (1 - JITTER + 2 * JITTER * ports.random.next());
}
