import type { Instance } from './directory.ts';
import { isBeating } from './fence-machine.ts';
import { shift } from './observe.ts';
import type { RegistryPorts } from './ports.ts';
import { type Opinion, opinionOf } from './sight.ts';

/** Losses in a row that make an instance unreachable. */
export const LOSSES_MAX = 3;
/** For how many intervals of probing a look says how it is. */
const FRESH_INTERVALS = 2.5;
/** Over the time of a probe, others may need so long to answer. */
const ANSWER_MS = 250;

/** For how long a look says how an instance is. */
export function freshMs({ options }: Pick<RegistryPorts, 'options'>): number {
  return options.probeIntervalMs * FRESH_INTERVALS;
}

/** What other gateways say of an instance that cannot be reached from here. */
export function opinionOn(
  { sight }: Instance,
  { clock, options, peers }: Pick<RegistryPorts, 'clock' | 'options' | 'peers'>,
): Opinion {
  return opinionOf(sight, peers.self.id, {
    now: clock.monotonic(),
    freshMs: freshMs({ options }),
    patienceMs: options.probeTimeoutMs + ANSWER_MS,
  });
}

/** How often an instance beats, and how long ago it did. */
export function beatOf(
  instance: Instance,
  { beats, clock }: Pick<RegistryPorts, 'beats' | 'clock'>,
) {
  return {
    beatEveryMs: beats.everyMs(instance),
    beatAgoMs: Math.max(0, clock.now() - instance.row.lastHeartbeatAt),
  };
}

/**
 * Whether it is unreachable, for everybody: three losses in a row, of which no other gateway says
 * otherwise. While it beats, losses that leave doubt do not make it so: whether it hangs or the way
 * is broken cannot be told from here, and a fence is for that.
 */
export function conclude(instance: Instance, ports: RegistryPorts): void {
  if (instance.failures < LOSSES_MAX) return;
  if (!instance.sight.isDefinite && isBeating(beatOf(instance, ports))) return;
  if (opinionOn(instance, ports) !== 'agreed') return;
  const before = instance.observed;
  shift(instance, 'probe-failed-thrice', ports);
  if (instance.observed !== before) tellVerdict(instance, ports);
}

/** The address answers as somebody else: nothing that is sent there would be meant for him. */
export function concludeReused(instance: Instance, ports: RegistryPorts): void {
  instance.failures = Math.max(instance.failures, LOSSES_MAX);
  const before = instance.observed;
  shift(instance, 'address-reused', ports);
  if (instance.observed !== before) tellVerdict(instance, ports);
}

function tellVerdict({ row, failure = '' }: Instance, { peers }: RegistryPorts): void {
  const { tenant, agentId, instanceId, addrVersion } = row;
  const at = { tenant, agentId, instanceId, addrVersion };
  peers.tell({ kind: 'probe', ...at, by: peers.self.id, detail: failure, isVerdict: true });
}
