import type { Input } from '@agent-reach/core';
import type { AgentEntry, Directory } from './directory.ts';
import { whyNotRoutable } from './routable.ts';
import { statusOf } from './view.ts';

/** Agents that pass every given filter, from memory alone. */
export function search(
  directory: Directory,
  tenant: string,
  filter: Input<'agents.list'>,
): AgentEntry[] {
  const words = filter.q?.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return directory.agents(tenant).filter((entry) => {
    const { manifest } = entry.definition;
    const instances = [...entry.instances.values()];
    if (filter.kind !== undefined && manifest.kind !== filter.kind) return false;
    if (filter.status !== undefined && statusOf(instances) !== filter.status) return false;
    if (filter.available === true && instances.every((i) => whyNotRoutable(i) !== undefined)) {
      return false;
    }
    if (!offersCapability(entry, filter.capability) || !hasTag(entry, filter.tag)) return false;
    if (words.length === 0) return true;
    const text = textOf(entry);
    return words.every((word) => text.includes(word));
  });
}

function offersCapability(entry: AgentEntry, name: string | undefined): boolean {
  return name === undefined || entry.providers.some((p) => p.capability.name === name);
}

function hasTag(entry: AgentEntry, tag: string | undefined): boolean {
  if (tag === undefined) return true;
  const at = tag.indexOf('=');
  const key = at < 0 ? tag : tag.slice(0, at);
  const has = (tags: Readonly<Record<string, string>>) =>
    Object.hasOwn(tags, key) && (at < 0 || tags[key] === tag.slice(at + 1));
  if (has(entry.definition.manifest.tags)) return true;
  if (entry.providers.some((provider) => has(provider.tags))) return true;
  return [...entry.instances.values()].some((instance) => has(instance.row.tags));
}

function textOf(entry: AgentEntry): string {
  const { manifest } = entry.definition;
  const parts = [manifest.agent_id, manifest.display_name, manifest.description ?? ''];
  for (const c of manifest.capabilities) {
    parts.push(c.name, c.display_name, ...(c.aliases ?? []), c.description, ...Object.keys(c.tags));
  }
  return parts.join('\n').toLowerCase();
}
