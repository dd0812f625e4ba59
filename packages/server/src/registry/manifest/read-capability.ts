import type { Capability, ManifestFormA } from '@agent-reach/core';
import type { Reading, Sla } from './reading.ts';
import { soundsSensitive } from './sensitive.ts';
import { capabilityNameOf } from './text.ts';

/** A capability as any form writes it, with the fields that the forms spell differently made one. */
export type RawCapability = Omit<
  ManifestFormA['capabilities'][number],
  'display_name' | 'fallback'
> & {
  display_name?: string | undefined;
  fallback?: readonly string[] | undefined;
};

/** Where the differently spelt fields of a capability stand in the body. */
export interface CapabilityPlaces {
  at: string;
  name: string;
  displayName: string;
  timeout: string;
  /** What its agent says for all of them. */
  agentSla?: Sla | undefined;
}

const PRIORITY = 50;

/** One capability in canonical form. */
export function readCapability(
  raw: RawCapability,
  places: CapabilityPlaces,
  reading: Reading,
): Capability {
  const { at } = places;
  const title = reading.line(raw.name, places.name);
  const name = capabilityNameOf(title);
  if (name !== title) reading.warnings.push(`${places.name} "${title}" is called ${name} here.`);
  const displayName = reading.line(raw.display_name ?? title, places.displayName);
  const aliases = aliasesOf(raw.aliases ?? [], at, reading);
  const tags = reading.tags(raw.tags, `${at}/tags`);
  const { effect, idempotency, sla } = raw;
  const isSensitive =
    raw.sensitive ??
    (effect !== 'read' && soundsSensitive(title, displayName, [...aliases, ...tagTexts(tags)]));
  return {
    name,
    display_name: displayName,
    ...(aliases.length === 0 ? {} : { aliases }),
    description: reading.text(raw.description ?? ''),
    input: schemaOf(raw, 'input', at, reading),
    output: schemaOf(raw, 'output', at, reading),
    tags,
    ...(effect === undefined ? {} : { effect }),
    ...(idempotency === undefined ? {} : { idempotency }),
    sensitive: isSensitive,
    ...strategyOf(raw, { name, isSensitive }, at, reading),
    sla: reading.sla(sla, places.agentSla, places.timeout),
    priority: raw.priority ?? PRIORITY,
    examples: (raw.examples ?? []).map((example) => reading.text(example)),
    not_for: (raw.not_for ?? []).map((boundary) => reading.text(boundary)),
    ...reading.version(raw.version, `${at}/version`),
    ...fallbackOf(raw.fallback),
  };
}

/** Each stands on one line, and has something by which it could be asked for. */
function aliasesOf(aliases: readonly string[], at: string, reading: Reading): string[] {
  const read = aliases.map((alias, i) => {
    const pointer = `${at}/aliases/${i}`;
    if (!/[\p{L}\p{N}]/u.test(alias)) {
      reading.refuse({ pointer, detail: `is "${alias}", which has no letter and no digit` });
    }
    return reading.line(alias, pointer);
  });
  return [...new Set(read)];
}

/** `auto` says no more than nothing. */
function strategyOf(
  { strategy = 'auto' }: RawCapability,
  { name, isSensitive }: { name: string; isSensitive: boolean },
  at: string,
  reading: Reading,
): Pick<Capability, 'strategy'> {
  if (strategy === 'auto') return {};
  if (isSensitive && strategy !== 'exact') {
    reading.warnings.push(
      `${at}/strategy is ${strategy}, and ${name} is sensitive: only its name or a pinned phrase reaches it.`,
    );
  }
  return { strategy };
}

/** An empty list says no more than none. */
function fallbackOf(names: readonly string[] | undefined): { fallback?: string[] } {
  return names === undefined || names.length === 0 ? {} : { fallback: [...names] };
}

function tagTexts(tags: Record<string, string>): string[] {
  return [...Object.keys(tags), ...Object.values(tags)];
}

function schemaOf(raw: RawCapability, side: 'input' | 'output', at: string, reading: Reading) {
  const long = `${side}_schema` as const;
  if (raw[side] !== undefined && raw[long] !== undefined) {
    const detail = `is given as "${side}" too: give one of them`;
    reading.refuse({ pointer: `${at}/${long}`, detail });
  }
  return reading.schema(raw[side] ?? raw[long], `${at}/${raw[side] === undefined ? long : side}`);
}
