import { rendezvousDraw } from '@agent-reach/core/kernel';
import type { Change, LookRequest, ProbeReport, Vouch } from '../peers/changes.ts';
import { conclude, freshMs, LOSSES_MAX, opinionOn } from './conclude.ts';
import type { Instance } from './directory.ts';
import { considerFence } from './fencing.ts';
import { noteProbe, shift } from './observe.ts';
import { nextProbeAt } from './probe-pace.ts';
import type { RegistryPorts } from './ports.ts';
import { type ProbeResult, probe, probeTarget } from './probe.ts';
import { isContradicted } from './sight.ts';

// Design. What one gateway cannot reach may be out of reach for it alone. Before it says so for all it
// asks two others to look. If one of them gets through, the instance is in doubt for the one that does
// not, and the others go on as before. A report of losses counts nowhere against a look that passed
// since they began.

/** How many others are asked to look. */
const WITNESSES = 2;
/** Findings of so many gateways are kept; those that restart come with another id. */
const FINDINGS_MAX = 16;

/** Takes in what other gateways tell of probes. */
export function hearOfProbes(change: Change, ports: RegistryPorts): void {
  if (change.kind !== 'probe' && change.kind !== 'look' && change.kind !== 'vouch') return;
  const { tenant, agentId, instanceId, addrVersion } = change;
  const instance = ports.directory.agent(tenant, agentId)?.instances.get(instanceId);
  if (instance === undefined || instance.row.addrVersion !== addrVersion) return;
  if (change.kind === 'probe') {
    hearProbe(instance, change, ports);
    // Looking is left to whoever looks, as long as he tells.
    if (instance.probeAt !== undefined && !ports.peers.isMine(instance.key)) {
      instance.probeAt = nextProbeAt(instance, ports);
    }
  }
  if (change.kind === 'look') hearRequest(instance, change, ports);
  if (change.kind === 'vouch') hearVouch(instance, change, ports);
}

/** Notes what a gateway found when it looked for itself. */
export function noteFound(
  { sight: { found } }: Instance,
  by: string,
  passed: boolean,
  { clock }: Pick<RegistryPorts, 'clock'>,
): void {
  found.delete(by);
  found.set(by, { passed, at: clock.monotonic() });
  const [oldest] = found.keys();
  if (found.size > FINDINGS_MAX && oldest !== undefined) found.delete(oldest);
}

/** Every gateway knows what one of them found. */
export function tellProbe(
  { row: { tenant, agentId, instanceId, addrVersion }, sight }: Instance,
  result: ProbeResult,
  { peers, clock }: Pick<RegistryPorts, 'peers' | 'clock'>,
  isAsked = false,
): void {
  const losingMs = clock.monotonic() - (sight.losingSince ?? clock.monotonic());
  const found = result.passed
    ? { rttMs: result.rttMs }
    : { detail: result.detail, ...(losingMs === 0 ? {} : { losingMs }) };
  const at = { tenant, agentId, instanceId, addrVersion };
  const asked = isAsked ? ({ isAsked } as const) : {};
  peers.tell({ kind: 'probe', ...at, by: peers.self.id, ...found, ...asked });
}

/**
 * Asks two others to look at an instance that is lost from here, unless they were asked lately; and
 * all whether calls get through.
 */
export function askOthers(instance: Instance, ports: RegistryPorts): void {
  const { sight, row, key } = instance;
  const { peers, clock } = ports;
  if (peers.isAlone) return;
  const now = clock.monotonic();
  const isDisputed = opinionOn(instance, ports) === 'reached-elsewhere';
  const pauseMs = isDisputed ? ports.options.probeIntervalMs / 2 : freshMs(ports);
  const isAsked = sight.asked !== undefined && now - sight.asked.at < pauseMs;
  const of = isAsked ? [] : witnessesOf(key, peers);
  if (!isAsked) sight.asked = { of, at: now };
  const { tenant, agentId, instanceId, addrVersion } = row;
  peers.tell({ kind: 'look', tenant, agentId, instanceId, addrVersion, of: of.join(' ') });
}

/** Others of those that live, the same two for one instance as long as they do. */
function witnessesOf(key: string, { living, self }: RegistryPorts['peers']): string[] {
  return living
    .filter(({ id }) => id !== self.id)
    .map(({ id }) => ({ id, draw: rendezvousDraw(id, key, 1) }))
    .sort((a, b) => b.draw - a.draw)
    .slice(0, WITNESSES)
    .map(({ id }) => id);
}

function hearRequest(instance: Instance, { of }: LookRequest, ports: RegistryPorts): void {
  vouch(instance, ports);
  if (!of.split(' ').includes(ports.peers.self.id)) return;
  lookFor(instance, ports).catch((error: unknown) =>
    ports.log.error({ err: error }, 'a look for another gateway stumbled'),
  );
}

/** Looks because another asked, and tells all what it found. */
async function lookFor(instance: Instance, ports: RegistryPorts): Promise<void> {
  const { tenant, agentId, addrVersion } = instance.row;
  const entry = ports.directory.agent(tenant, agentId);
  const target = probeTarget(instance, entry?.definition.manifest.network.health_path ?? '/health');
  if (target === undefined) return;
  const result = await probe(target, ports);
  if (instance.row.addrVersion !== addrVersion) return;
  noteFound(instance, ports.peers.self.id, result.passed, ports);
  noteProbe(instance, result, ports);
  tellProbe(instance, result, ports, true);
}

/** Says that a call got through from here lately, if one did. */
function vouch({ row, key }: Instance, { board, clock, options, peers }: RegistryPorts): void {
  const { succeededAt } = board.of(key);
  if (succeededAt === undefined) return;
  const agoMs = Math.round(clock.monotonic() - succeededAt);
  if (agoMs >= options.fenceVetoMs) return;
  const { tenant, agentId, instanceId, addrVersion } = row;
  peers.tell({ kind: 'vouch', tenant, agentId, instanceId, addrVersion, agoMs });
}

function hearVouch({ sight }: Instance, { agoMs }: Vouch, { clock }: RegistryPorts): void {
  sight.vouchedAt = Math.max(sight.vouchedAt ?? -Infinity, clock.monotonic() - agoMs);
}

function hearProbe(instance: Instance, report: ProbeReport, ports: RegistryPorts): void {
  const { rttMs, by = '' } = report;
  const { peers } = ports;
  const isAnswer = report.isAsked === true && instance.sight.asked?.of.includes(by) === true;
  noteFound(instance, by, rttMs !== undefined, ports);
  // Whoever looks after it and loses it goes by what he sees: from here it is lost all the same.
  const isLostHere = instance.sight.found.get(peers.self.id)?.passed === false;
  const isOwnLoss = isLostHere && peers.isMine(instance.key);
  if (rttMs === undefined) hearLoss(instance, report, ports);
  else if (!isOwnLoss) noteProbe(instance, { passed: true, rttMs }, ports);
  if (!isAnswer) return;
  conclude(instance, ports);
  considerFence(instance, ports).catch((error: unknown) =>
    ports.log.error({ err: error }, 'an instance could not be fenced'),
  );
}

function hearLoss(
  instance: Instance,
  { by = '', detail = 'another gateway could not reach it', ...report }: ProbeReport,
  ports: RegistryPorts,
): void {
  const { losingMs = 0 } = report;
  const now = ports.clock.monotonic();
  if (isContradicted(instance.sight, by, { now, losingMs, freshMs: freshMs(ports) })) return;
  if (report.isVerdict === true) {
    instance.failures = Math.max(LOSSES_MAX, instance.failures);
    instance.failure = detail;
    shift(instance, 'probe-failed-thrice', ports);
    // Of one that was asked only he who asked makes something.
  } else if (report.isAsked !== true) noteProbe(instance, { passed: false, detail }, ports);
}
