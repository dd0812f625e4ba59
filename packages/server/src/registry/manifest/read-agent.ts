import type { Capability, Manifest, ManifestFormA, ManifestFormC } from '@agent-reach/core';
import { type RawCapability, readCapability } from './read-capability.ts';
import type { Reading } from './reading.ts';
import { capabilityNameOf, slugOf } from './text.ts';

/** Where the process that registers lives, as it says itself. */
export interface InstanceInput {
  instance_id?: string;
  base_url?: string;
  boot_id?: string;
  tags?: Record<string, string>;
  pull?: boolean;
}

/** An agent and, if the body says where one runs, its instance. */
export interface ReadAgent {
  manifest: Manifest;
  instance: InstanceInput | undefined;
}

const HEALTH_PATH = '/health';

/** Reads form A or C, which differ in the spelling of a few fields. */
export function readAgent(raw: ManifestFormA | ManifestFormC, reading: Reading): ReadAgent {
  const isC = 'agent_name' in raw;
  const [given, nameAt] = isC ? [raw.agent_name, '#/agent_name'] : [raw.name, '#/name'];
  const name = reading.line(given, nameAt);
  const { network, dependencies, description, owner } = raw;
  const seconds = network?.heartbeat_interval_sec;
  const endpoint = isC ? raw.health_endpoint : undefined;
  const manifest: Manifest = {
    agent_id: agentIdOf(raw, name, nameAt, reading),
    kind: 'agent',
    display_name: reading.line(raw.display_name ?? name, '#/display_name'),
    ...(description === undefined ? {} : { description: reading.text(description) }),
    ...reading.version(raw.version, '#/version'),
    ...(owner === undefined ? {} : { owner: reading.line(owner, '#/owner') }),
    schema_version: raw.schema_version ?? raw.manifest_schema_version ?? 1,
    tags: reading.tags(raw.tags, '#/tags'),
    capabilities: readCapabilities(raw, reading),
    network: {
      ...reading.baseUrl(network?.base_url, '#/network/base_url'),
      health_path: reading.path(
        endpoint ?? network?.health_path ?? HEALTH_PATH,
        endpoint === undefined ? '#/network/health_path' : '#/health_endpoint',
      ),
      ...(seconds === undefined ? {} : { heartbeat_interval_ms: Math.round(seconds * 1000) }),
      ...(network?.protocols === undefined ? {} : { protocols: network.protocols }),
    },
    ...(raw.context === undefined ? {} : { context: raw.context }),
    ...(dependencies?.max_concurrency === undefined
      ? {}
      : { max_concurrency: dependencies.max_concurrency }),
    // No field of the canonical form speaks of models; people who choose an agent want to know.
    metadata: reading.metadata({
      ...(dependencies?.llm_model === undefined ? {} : { llm_model: dependencies.llm_model }),
      ...raw.metadata,
    }),
  };
  return { manifest, instance: readInstance(raw.instance, reading) };
}

const AGENT_ID = /^[a-z0-9][a-z0-9._-]{0,127}$/;

function agentIdOf(
  raw: ManifestFormA | ManifestFormC,
  name: string,
  nameAt: string,
  reading: Reading,
): string {
  const said = raw.agent_id ?? raw.id;
  const saidAt = raw.agent_id === undefined ? '#/id' : '#/agent_id';
  if (raw.agent_id !== undefined && raw.id !== undefined && raw.id !== raw.agent_id) {
    reading.refuse({ pointer: '#/id', detail: `is not "${raw.agent_id}", the agent_id` });
  }
  if (said === undefined) {
    const slug = slugOf(name);
    if (slug !== name) reading.warnings.push(`${nameAt} "${name}" has the agent_id ${slug}.`);
    return slug;
  }
  if (!AGENT_ID.test(said)) {
    const detail =
      'must be 1 to 128 of a-z, 0-9, ".", "_" and "-", and begin with a letter or digit';
    reading.refuse({ pointer: saidAt, detail });
    return slugOf(said);
  }
  return said;
}

function readCapabilities(raw: ManifestFormA | ManifestFormC, reading: Reading): Capability[] {
  const isC = 'agent_name' in raw;
  const seen = new Map<string, number>();
  return raw.capabilities.map((given, index) => {
    const at = `#/capabilities/${index}`;
    const spelt = isC ? spellAsA(given as ManifestFormC['capabilities'][number]) : given;
    const places = {
      at,
      name: isC ? `${at}/id` : `${at}/name`,
      displayName: isC ? `${at}/name` : `${at}/display_name`,
      timeout: `${at}/sla/timeout_ms`,
      agentSla: raw.network,
    };
    const own = spelt as RawCapability;
    const capability = readCapability(
      { ...own, fallback: own.fallback ?? forOthers(raw.fallback, own.name) },
      places,
      reading,
    );
    const twin = seen.get(capability.name);
    if (twin !== undefined) {
      const detail = `is "${capability.name}", as capability ${twin} is called already`;
      reading.refuse({ pointer: places.name, detail });
    }
    seen.set(capability.name, index);
    return capability;
  });
}

/** What an agent says of all its capabilities is not said of the one that is to stand in. */
function forOthers(names: readonly string[] | undefined, title: string): string[] | undefined {
  return names?.filter((name) => name !== capabilityNameOf(title));
}

/** In form C the `id` is the name, and the `name` is for people. */
function spellAsA(given: ManifestFormC['capabilities'][number]): RawCapability {
  const { id, name, ...rest } = given;
  return { ...rest, name: id, display_name: name };
}

function readInstance(raw: ManifestFormA['instance'], reading: Reading): InstanceInput | undefined {
  if (raw === undefined) return undefined;
  if (raw.pull === true && raw.base_url !== undefined) {
    const detail = 'is given beside "pull": true, and who pulls is never called';
    reading.refuse({ pointer: '#/instance/base_url', detail });
  }
  const { instance_id, boot_id, pull, tags } = raw;
  return {
    ...(instance_id === undefined ? {} : { instance_id }),
    ...reading.baseUrl(raw.base_url, '#/instance/base_url'),
    ...(boot_id === undefined ? {} : { boot_id: reading.line(boot_id, '#/instance/boot_id') }),
    ...(tags === undefined ? {} : { tags: reading.tags(tags, '#/instance/tags') }),
    ...(pull === undefined ? {} : { pull }),
  };
}
