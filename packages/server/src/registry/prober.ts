import { loop, type Service } from '@agent-reach/core/kernel';
import { observe } from './agent-machine.ts';
import type { Directory, Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';
import { type ProbeResult, probe, probeTarget } from './probe.ts';
import { whyNotRoutable } from './routable.ts';

/** Failures in a row that make an instance unreachable. Seed C §2.4. */
const FAILURES_MAX = 3;
/** How often due probes are looked for: also the error of a probe's time. */
const TICK_MS = 100;
/** Probes of a fleet that started together drift apart by this share of the interval. */
const JITTER = 0.1;

/**
 * Probes every addressed instance in turn. A state in doubt is probed again soon; a settled one
 * at the usual interval.
 */
export function prober(ports: RegistryPorts): Service {
  let underWay = 0;
  const running = new Set<Promise<void>>();
  return withDrain(
    loop({
      clock: ports.clock,
      pauseMs: () => TICK_MS,
      onError: (error) => ports.log.error({ err: error }, 'the prober stumbled'),
      async round() {
        for (const instance of due(ports.directory, ports.clock.monotonic())) {
          if (underWay >= ports.options.probeParallel) return;
          underWay += 1;
          const work = look(instance, ports)
            .catch((error: unknown) => ports.log.error({ err: error }, 'a probe stumbled'))
            .finally(() => {
              underWay -= 1;
              running.delete(work);
            });
          running.add(work);
        }
      },
    }),
    running,
  );
}

function withDrain(service: Service, running: Set<Promise<void>>): Service {
  return {
    start: () => service.start(),
    async stop() {
      await service.stop();
      await Promise.all(running);
    },
  };
}

function* due(directory: Directory, now: number): Iterable<Instance> {
  for (const instance of directory.allInstances()) {
    if (instance.row.mode === 'push' && instance.observed !== 'gone') {
      if (instance.probeAt !== undefined && instance.probeAt <= now) yield instance;
    }
  }
}

/** Probes one instance and takes what it found into account. */
export async function look(instance: Instance, ports: RegistryPorts): Promise<void> {
  const { tenant, agentId, addrVersion } = instance.row;
  const entry = ports.directory.agent(tenant, agentId);
  const target = probeTarget(instance, entry?.definition.manifest.network.health_path ?? '/health');
  if (target === undefined) return;
  instance.probeAt = undefined;
  try {
    const result = await probe(target, ports);
    // It moved while we looked: what we saw was the old address.
    if (instance.row.addrVersion === addrVersion) await take(instance, result, ports);
  } finally {
    instance.probeAt = ports.clock.monotonic() + pauseMs(instance, ports);
  }
}

/** Takes a probe's finding into account. Exported for registration, which probes by itself. */
export async function take(
  instance: Instance,
  result: ProbeResult,
  ports: RegistryPorts,
): Promise<void> {
  if (!result.passed) {
    instance.failures += 1;
    instance.failure = result.detail;
    const cause = instance.failures >= FAILURES_MAX ? 'probe-failed-thrice' : 'probe-failed';
    shift(instance, cause, ports);
    return;
  }
  instance.failures = 0;
  instance.failure = undefined;
  instance.rttMs = result.rttMs;
  instance.seenAt = ports.clock.now();
  shift(instance, 'probe-passed', ports);
  // An agent that was registered by hand and does not beat lives as long as it can be reached.
  if (instance.row.heartbeatIntervalMs === 0) await renewByProbe(instance, ports);
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
  const pause = inDoubt ? probeEdgeMs : probeIntervalMs;
  return pause * (1 - JITTER + 2 * JITTER * ports.random.next());
}

/** Moves an instance by the table and tells the log. */
export function shift(
  instance: Instance,
  cause: Parameters<typeof observe>[1],
  ports: Pick<RegistryPorts, 'log' | 'arrived'>,
): void {
  const to = observe(instance.observed, cause);
  if (to === instance.observed) return;
  const wasAway = whyNotRoutable(instance) !== undefined;
  ports.log.info(
    { instance: instance.key, from: instance.observed, to, cause, why: instance.failure },
    'an instance changed',
  );
  instance.observed = to;
  instance.cause = cause;
  if (wasAway && whyNotRoutable(instance) === undefined) {
    const { tenant, agentId } = instance.row;
    ports.arrived({ tenant, agentId });
  }
}
