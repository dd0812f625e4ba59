import { observe } from './agent-machine.ts';
import type { Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';
import { whyNotRoutable } from './routable.ts';

/** Failures in a row that make an instance unreachable. */
const FAILURES_MAX = 3;

/** What a look at an instance found. */
export type Finding = { passed: true; rttMs: number } | { passed: false; detail: string };

/** Takes a probe's finding into account, whoever made it. */
export function noteProbe(
  instance: Instance,
  finding: Finding,
  ports: Pick<RegistryPorts, 'clock' | 'log' | 'arrived'>,
): void {
  if (!finding.passed) {
    instance.failures += 1;
    instance.failure = finding.detail;
    const cause = instance.failures >= FAILURES_MAX ? 'probe-failed-thrice' : 'probe-failed';
    shift(instance, cause, ports);
    return;
  }
  instance.failures = 0;
  instance.failure = undefined;
  instance.rttMs = finding.rttMs;
  instance.seenAt = ports.clock.now();
  shift(instance, 'probe-passed', ports);
}

/** Takes a sign of life into account. */
export function alive(
  instance: Instance,
  row: Instance['row'],
  ports: Pick<RegistryPorts, 'clock' | 'log' | 'arrived'>,
): void {
  instance.row = row;
  instance.seenAt = ports.clock.now();
  if (instance.observed === 'gone') {
    shift(instance, 'heartbeat', ports);
    instance.failures = 0;
    instance.probeAt = 0; // At once: it was away.
  }
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
