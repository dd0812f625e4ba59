import { observe } from './agent-machine.ts';
import type { Instance } from './directory.ts';
import type { RegistryPorts } from './ports.ts';
import { whyNotRoutable } from './routable.ts';

/** What noting needs. */
type NotePorts = Pick<RegistryPorts, 'directory' | 'clock' | 'log' | 'arrived' | 'scores'>;

/** What a look at an instance found. */
export type Finding =
  | { passed: true; rttMs: number; isVerified?: boolean }
  | { passed: false; detail: string; isDefinite?: boolean };

/**
 * Takes a probe's finding into account, whoever made it. That an instance is unreachable is not
 * concluded here: see `conclude`.
 */
export function noteProbe(instance: Instance, finding: Finding, ports: NotePorts): void {
  ports.scores.probed(instance, finding.passed ? finding.rttMs : undefined);
  if (!finding.passed) {
    noteLoss(instance, finding, ports);
    return;
  }
  instance.failures = 0;
  instance.failure = undefined;
  const { sight } = instance;
  sight.passed += 1;
  sight.losingSince = undefined;
  sight.asked = undefined;
  sight.spared = undefined;
  if (finding.isVerified !== undefined) sight.isVerified = finding.isVerified;
  instance.rttMs = finding.rttMs;
  instance.seenAt = ports.clock.now();
  shift(instance, 'probe-passed', ports);
  lookAtScore(instance, ports);
}

function noteLoss(
  instance: Instance,
  { detail, isDefinite = false }: Extract<Finding, { passed: false }>,
  ports: NotePorts,
): void {
  const { sight } = instance;
  instance.failures += 1;
  instance.failure = detail;
  sight.passed = 0;
  sight.losingSince ??= ports.clock.monotonic();
  sight.isDefinite = isDefinite;
  // Who is called degraded instead of being fenced stays so until a probe passes.
  if (sight.spared === undefined || instance.observed !== 'degraded') {
    shift(instance, 'probe-failed', ports);
  }
}

/**
 * Says of an instance that is there whether it is well or degraded. Looked at when something was
 * heard of it, and not with each call: nobody shall be taken down by one busy moment.
 */
function lookAtScore(
  instance: Instance,
  ports: Pick<NotePorts, 'directory' | 'log' | 'arrived' | 'scores'>,
): void {
  if (instance.observed !== 'up' && instance.observed !== 'degraded') return;
  const { isDegraded } = ports.scores.look(instance);
  shift(instance, isDegraded ? 'score-low' : 'score-recovered', ports);
}

/** Takes a sign of life into account. */
export function alive(instance: Instance, row: Instance['row'], ports: NotePorts): void {
  const intent = instance.row.intent;
  instance.row = row;
  if (row.intent !== intent) ports.directory.touch(row);
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
  ports: Pick<NotePorts, 'directory' | 'log' | 'arrived' | 'scores'>,
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
  instance.scoring.last = undefined;
  ports.directory.touch(instance.row);
  if (wasAway && whyNotRoutable(instance) === undefined) {
    ports.scores.cameBack(instance);
    const { tenant, agentId } = instance.row;
    ports.arrived({ tenant, agentId });
  }
}
