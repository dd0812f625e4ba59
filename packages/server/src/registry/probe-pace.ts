import { opinionOn } from './conclude.ts';
import type { Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';

/**
 * Of an instance that another gateway looks after, how many intervals may pass without its word
 * before this one looks for itself.
 */
const SILENCE = 2.5;
/** Probes of a fleet that started together drift apart by this share of the interval. */
const JITTER = 0.1;

/** When an instance is to be probed next: later by those who leave it to another. */
export function nextProbeAt(instance: Instance, ports: RegistryPorts): number {
  const pause = pauseMs(instance, ports);
  const share = ports.peers.isMine(instance.key) ? 1 : SILENCE;
  return ports.clock.monotonic() + pause * share;
}

function pauseMs(instance: Instance, ports: RegistryPorts): number {
  const { probeEdgeMs, probeIntervalMs } = ports.options;
  const { observed, failures } = instance;
  const isLosing = observed === 'suspect' || (observed === 'degraded' && failures > 0);
  const isDisputed = isLosing && opinionOn(instance, ports) === 'reached-elsewhere';
  const inDoubt = observed === 'new' || (isLosing && !isDisputed);
  // The first look after a loss comes twice as soon: a restart is over by then, or it is down.
  const edgeMs = failures === 1 ? probeEdgeMs / 2 : probeEdgeMs;
  const pause = inDoubt ? edgeMs : probeIntervalMs;
  return pause * (1 - JITTER + 2 * JITTER * ports.random.next());
}
