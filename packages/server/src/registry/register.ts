import { type Asker, type Manifest, type Output, ReachError } from '@agent-reach/core';
import { iso } from '@agent-reach/core/kernel';
import type { DefinitionRow, InstanceRow } from '../storage/spi/agents.ts';
import { demandAddress, instanceIdOf, peerUrl } from './addresses.ts';
import { diagnose } from './diagnose.ts';
import { type AgentEntry, type Instance, protocolOf } from './directory.ts';
import { admitManifest } from './manifest/admission.ts';
import { compareManifests } from './manifest/compare.ts';
import { withKnownActions } from './manifest/connector.ts';
import { digestManifest } from './manifest/digest.ts';
import { fallbackWarnings } from './manifest/fallbacks.ts';
import { type InstanceInput, normaliseManifest } from './manifest/normalise.ts';
import type { RegistryPorts } from './ports.ts';
import { knownAgent, tellOthers } from './sync.ts';

type Registration = Output<'agents.register'>;

/** Several registrations of one agent at once settle after a few rounds of compare and set. */
const ROUNDS_MAX = 8;

/**
 * Registers a manifest, and an instance if the body says where one lives. Refuses
 * before it stores; what is stored and cannot be reached now is not routed to, and the answer
 * says which step fails and what to do.
 */
export async function register(
  body: unknown,
  from: Pick<Asker, 'tenant' | 'principal' | 'peer' | 'client'>,
  ports: RegistryPorts,
): Promise<Registration> {
  ports.admission.demand();
  const { manifest, instance, warnings } = normaliseManifest(body, {
    callTimeoutMaxMs: ports.callTimeoutMaxMs,
  });
  demandSelf(manifest, from);
  const admitted = admitManifest(manifest, { idempotency: ports.options.admissionIdempotency });
  if (admitted.refusals.length > 0) throw refused(manifest, admitted.refusals);
  const place = placeOf(manifest, instance, from.peer);
  demandWilling(manifest, place);
  if (place.baseUrl !== undefined) await demandAddress(place.baseUrl, from.peer, ports.fetch);
  demandRoom(from.tenant, manifest.agent_id, place, ports);

  const names = manifest.capabilities.map(({ name }) => name);
  // Before anybody can be sent to it.
  const foreign = await ports.claimNames({ agentId: manifest.agent_id, names }, from);
  const defined = await define(from.tenant, manifest, ports);
  const entry = ports.directory.define(defined.row);
  const useless = fallbackWarnings(defined.row.manifest, (name) =>
    ports.directory.offers(from.tenant, name).map(({ capability }) => capability),
  );
  const answer: Registration = {
    agent_id: manifest.agent_id,
    manifest_version: defined.row.manifestVersion,
    outcome: defined.outcome,
    breaking: defined.row.breaking,
    warnings: [
      ...warnings,
      ...admitted.warnings,
      ...defined.warnings,
      ...useless,
      ...foreign.map(pendingWarning),
      ...(isNew(defined) ? ports.lint(defined.row) : []),
    ],
  };
  if (place.mode === 'none') {
    if (manifest.kind === 'agent') answer.warnings.push(NO_ADDRESS);
    // Its instances, if it has any, may offer something else now.
    tellArrival(entry, ports);
    return answer;
  }
  const { instance: joined, toldMs } = await join(entry, place, ports);
  answer.instance = {
    instance_id: joined.row.instanceId,
    addr_version: joined.addrVersion,
    lease_ms: joined.row.leaseMs,
    heartbeat_interval_ms: toldMs,
    ...(joined.row.baseUrl === undefined ? {} : { base_url: joined.row.baseUrl }),
  };
  if (place.mode === 'push') answer.diagnosis = await diagnose(entry, joined, ports);
  tellArrival(entry, ports);
  return answer;
}

/** Whoever registers what he has registered before was told already. */
function isNew({ outcome }: Pick<Registration, 'outcome'>): boolean {
  return outcome === 'created' || outcome === 'updated';
}

function pendingWarning(capability: string): string {
  return `Others had the name ${capability} first: nobody is sent here for it before an operator approves (reach capabilities approve).`;
}

/** A client that is bound to an agent registers this one and no other. */
function demandSelf({ agent_id: agentId }: Manifest, { client }: Pick<Asker, 'client'>): void {
  if (client?.actsAs === undefined || client.actsAs === agentId) return;
  const detail = `The credential is that of ${client.actsAs}, and the manifest is one of ${agentId}.`;
  throw new ReachError('permission-denied', detail);
}

/** Who says how it is to be called is not put up to be called in another way. */
function demandWilling({ agent_id: agentId, network }: Manifest, { mode }: Place): void {
  if (mode === 'none' || network.protocols === undefined) return;
  const way = protocolOf(mode);
  if (network.protocols.includes(way)) return;
  const detail = `says ${network.protocols.join(', ')}, and this instance is called by ${way}`;
  throw new ReachError(
    'manifest-refused',
    `The manifest of ${agentId} is refused: #/network/protocols ${detail}.`,
    { errors: [{ pointer: '#/network/protocols', detail }], agent: agentId },
  );
}

function tellArrival({ definition }: AgentEntry, ports: RegistryPorts): void {
  tellOthers(definition, ports);
  ports.arrived({ tenant: definition.tenant, agentId: definition.agentId });
}

const NO_ADDRESS =
  'The manifest says no address, so nothing can be sent to this agent: give network.base_url, or instance{} when it runs where this request came from, or instance{pull: true} when it pulls.';

interface Place {
  mode: 'none' | 'push' | 'pull';
  instanceId: string;
  baseUrl: string | undefined;
  bootId: string | undefined;
  tags: Record<string, string>;
}

function placeOf(manifest: Manifest, given: InstanceInput | undefined, peer: string): Place {
  const pulls = given?.pull === true;
  const declared = given?.base_url ?? manifest.network.base_url;
  const lives = given !== undefined || manifest.network.base_url !== undefined;
  const baseUrl = pulls || !lives ? undefined : (declared ?? peerUrl(peer));
  return {
    mode: pulls ? 'pull' : baseUrl === undefined ? 'none' : 'push',
    instanceId: given?.instance_id ?? instanceIdOf(baseUrl, manifest.agent_id),
    baseUrl,
    bootId: given?.boot_id,
    tags: { ...versionTag(manifest), ...given?.tags },
  };
}

/**
 * The version that this instance runs: the agent’s manifest is soon that of the next one, while old
 * and new live side by side under one name.
 */
function versionTag({ tags, version: declared }: Manifest): Record<string, string> {
  const version = tags['version'] || declared;
  return version === undefined ? {} : { version };
}

function demandRoom(tenant: string, agentId: string, place: Place, ports: RegistryPorts): void {
  const { agentsMax, instancesMax } = ports.options;
  const entry = ports.directory.agent(tenant, agentId);
  if (entry === undefined && ports.directory.count(tenant) >= agentsMax) {
    throw new ReachError(
      'manifest-refused',
      `The tenant has ${agentsMax} agents, the most it may.`,
      {
        limit: agentsMax,
      },
    );
  }
  const isNew = place.mode !== 'none' && entry?.instances.has(place.instanceId) !== true;
  if (isNew && (entry?.instances.size ?? 0) >= instancesMax) {
    throw new ReachError(
      'manifest-refused',
      `${agentId} has ${instancesMax} instances, the most it may.`,
      { limit: instancesMax },
    );
  }
}

async function define(
  tenant: string,
  said: Manifest,
  ports: RegistryPorts,
): Promise<{ outcome: Registration['outcome']; row: DefinitionRow; warnings: string[] }> {
  let before = (await knownAgent({ tenant, agentId: said.agent_id }, ports))?.definition;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const manifest = withKnownActions(before?.manifest, said);
    const digest = digestManifest(manifest);
    if (before !== undefined && before.digest !== digest && sameVersion(before, manifest)) {
      return { outcome: 'kept', row: before, warnings: [keptWarning(manifest)] };
    }
    const breaking = before === undefined ? [] : compareManifests(before.manifest, manifest);
    const answer = await ports.storage.agents.define({
      tenant,
      manifest,
      digest,
      breaking,
      expectVersion: before?.manifestVersion ?? 0,
      now: ports.now(),
    });
    if (answer.outcome !== 'conflict') {
      const changed = before === undefined ? 'created' : 'updated';
      const outcome = answer.outcome === 'stored' ? changed : 'unchanged';
      return { outcome, row: answer.row, warnings: [] };
    }
    before = answer.row;
  }
  throw new ReachError('overloaded', `${said.agent_id} is being registered by too many at once.`, {
    retry_after_ms: 1_000,
  });
}

/** A declared version names one content; without one, the content itself is the version. */
function sameVersion(before: DefinitionRow, manifest: Manifest): boolean {
  return manifest.version !== undefined && manifest.version === before.manifest.version;
}

function keptWarning(manifest: Manifest): string {
  return `Version ${manifest.version} is already registered with other content, and stays as it was: raise version to publish a change.`;
}

async function join(
  entry: AgentEntry,
  place: Place,
  ports: RegistryPorts,
): Promise<{ instance: Instance; toldMs: number }> {
  const { tenant, agentId, manifest } = entry.definition;
  const declared = manifest.network.heartbeat_interval_ms;
  const plan = ports.beats.first(declared);
  const instance: Parameters<typeof ports.storage.agents.join>[0]['instance'] = {
    instanceId: place.instanceId,
    mode: place.mode === 'pull' ? 'pull' : 'push',
    ...(place.baseUrl === undefined ? {} : { baseUrl: place.baseUrl }),
    ...(place.bootId === undefined ? {} : { bootId: place.bootId }),
    tags: place.tags,
    heartbeatIntervalMs: declared ?? ports.options.heartbeatIntervalMs,
    leaseMs: plan.leaseMs,
  };
  const answer = await ports.storage.agents.join({ tenant, agentId, instance, now: ports.now() });
  if (answer.outcome === 'unknown') {
    throw new ReachError('agent-not-found', `${agentId} was removed while it registered.`);
  }
  if (answer.outcome === 'held') throw heldBy(answer.row);
  const known = ports.directory.join(entry, answer.row);
  known.seenAt = ports.clock.now();
  ports.beats.keep(known, plan, answer.row);
  return { instance: known, toldMs: declared ?? plan.toldMs };
}

function heldBy(row: InstanceRow): ReachError {
  return new ReachError(
    'instance-conflict',
    `Instance ${row.instanceId} of ${row.agentId} lives at ${row.baseUrl ?? 'a pulling process'} until its lease ends. Use another instance_id.`,
    { agent: row.agentId, lease_ends: iso(row.leaseEndsAt) },
  );
}

function refused(manifest: Manifest, refusals: { pointer: string; detail: string }[]): ReachError {
  const first = refusals[0];
  return new ReachError(
    'manifest-refused',
    `${manifest.agent_id} is not admitted: ${first?.pointer} ${first?.detail}`,
    { errors: refusals },
  );
}
