import { createHash } from 'node:crypto';
import type { Capability } from '@agent-reach/core';
import { describe, passagesOf } from './describe.ts';
import { bareOf, masked } from './learn.ts';
import { Lexicon } from './lexicon.ts';
import { NamesByKey } from './names-by-key.ts';
import { type Facts, factsOf } from './schema-fit.ts';
import { keyOf } from './text.ts';
import { Vectors } from './vectors.ts';

/** One agent's offer of a capability. */
export interface Offer {
  agentId: string;
  capability: Capability;
}

/** What is indexed once: offers of one capability that say the same of it. */
export interface Entry {
  capability: Capability;
  /** Who says so. */
  agents: ReadonlySet<string>;
  /** Of its input. */
  facts: Facts;
}

interface Indexed extends Entry {
  document: number;
  digest: string;
  examples: readonly string[];
  /** Of all offers that say the same, with who declares each. They are keys alone: no text of the index. */
  aliases: Aliases | undefined;
}

type Aliases = Map<string, Set<string>>;

/** How a text named a capability; the first kind that any has is the one that counts. */
const KEY_KINDS = [
  'name',
  'display name',
  'alias',
  'last part',
  'example',
  /** But for numbers and addresses, which are not what was meant; learned ones are kept without. */
  'bare example',
] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/**
 * How much a catalogue takes. What is registered beyond is found by name as always, and by meaning
 * not at all; `isFull` says so.
 */
export interface Room {
  /** About 4 KB of memory each. */
  documents: number;
  /** Terms of each document, all together: about ten bytes each, however they are spread. */
  postings: number;
}

const ROOM: Room = { documents: 50_000, postings: 20_000_000 };
/** Of one capability: agents that describe it in so many ways would crowd out all others. */
const TEXTS_MAX = 8;

/** What one tenant's capabilities mean: an index that is changed in place, one capability at a time. */
export class Catalogue {
  readonly lexicon: Lexicon;
  /** What an embedder makes of the same documents; empty where there is none. */
  readonly vectors = new Vectors(() => this.#byDocument.keys());
  readonly #entries = new Map<string, Indexed[]>();
  readonly #byDocument = new Map<number, Indexed>();
  readonly #byKey = new Map(KEY_KINDS.map((kind) => [kind, new NamesByKey()]));
  /** Aliases as they are written, by which a sentence may mention a capability. */
  readonly #byAlias = new NamesByKey();
  readonly #byProperty = new Map<string, Set<number>>();
  readonly #leftOut = new Set<string>();
  readonly #room: Room;

  constructor(room: Partial<Room> = {}, lexicon: Lexicon = new Lexicon()) {
    this.#room = { ...ROOM, ...room };
    this.lexicon = lexicon;
  }

  /** Whether something was left out for want of room. */
  get isFull(): boolean {
    return this.#leftOut.size > 0;
  }

  /** A capability that was left out and would find room now, to be put in again. */
  get next(): string | undefined {
    if (!this.#hasRoom()) return undefined;
    return this.#leftOut.values().next().value;
  }

  /** Puts a capability in as it is offered now, in place of what was there; without offers it goes. */
  put(name: string, offers: readonly Offer[], learned: readonly string[] = []): void {
    const before = this.#entries.get(name) ?? [];
    for (const [keys, key] of this.#keysOf(name, before)) keys.delete(key, name);
    this.#leftOut.delete(name);
    const after: Indexed[] = [];
    for (const { digest, agents, aliases, capability } of byText(offers, learned)) {
      const known = before.find((entry) => entry.digest === digest);
      const entry = known ?? this.#index(capability, digest, learned);
      if (entry === undefined) {
        this.#leftOut.add(name);
        continue;
      }
      entry.agents = agents;
      entry.aliases = aliases;
      after.push(entry);
    }
    for (const entry of before) if (!after.includes(entry)) this.#drop(entry);
    if (after.length === 0) {
      this.#entries.delete(name);
      return;
    }
    this.#entries.set(name, after);
    for (const [keys, key] of this.#keysOf(name, after)) keys.add(key, name);
  }

  entryOf(document: number): Entry | undefined {
    return this.#byDocument.get(document);
  }

  /** The texts of a document that an embedder gets; none of one that is gone. */
  passagesOf(document: number): string[] {
    const entry = this.#byDocument.get(document);
    return entry === undefined ? [] : passagesOf(entry.capability, entry.examples);
  }

  /** The texts under which a capability is known. */
  entriesOf(name: string): readonly (Entry & { document: number })[] {
    return this.#entries.get(name) ?? [];
  }

  /**
   * Those of the texts of a capability by which it is known as `text`. An alias is of the agents that
   * declare it; a display name or an example of those whose text has it, and gives it to no other's.
   */
  entriesKnownAs(name: string, text: string, kind: KeyKind): readonly Entry[] {
    const entries = this.entriesOf(name);
    const key = keyOf(text);
    const is = (said: string) => keyOf(said) === key;
    switch (kind) {
      case 'display name':
        return entries.filter(({ capability }) => is(capability.display_name));
      case 'example':
        return (this.#entries.get(name) ?? []).filter(({ examples }) => examples.some(is));
      case 'bare example': {
        const bareKey = keyOf(masked(text));
        const isBare = (said: string) => keyOf(masked(said)) === bareKey;
        return (this.#entries.get(name) ?? []).filter(({ examples }) => examples.some(isBare));
      }
      case 'alias':
        return (this.#entries.get(name) ?? []).flatMap((entry) => {
          const declared = [...(entry.aliases ?? [])].filter(([alias]) => is(alias));
          const agents = new Set(declared.flatMap(([, by]) => [...by]));
          return agents.size === 0 ? [] : [{ ...entry, agents }];
        });
      case 'name':
      case 'last part':
        return entries;
    }
  }

  /** Documents of capabilities whose input has a property of this name. */
  withProperty(name: string): Iterable<number> {
    return this.#byProperty.get(name) ?? [];
  }

  /** The capabilities that a whole text names, in the order of their names; none: it names none. */
  named(text: string): { kind: KeyKind; names: string[] } | undefined {
    const [key, bareKey] = [keyOf(text), keyOf(bareOf(text) ?? '')];
    for (const kind of KEY_KINDS) {
      const own = kind === 'bare example' ? bareKey : key;
      const names = this.#byKey.get(kind)?.of(own);
      if (own !== '' && names !== undefined) return { kind, names };
    }
    return undefined;
  }

  /** The capabilities that have this alias, however it is written, in the order of their names. */
  aliased(text: string): string[] {
    return this.#byKey.get('alias')?.of(keyOf(text)) ?? [];
  }

  /** Whether this very name, this one of an agent, or this alias of no other, is that of a capability. */
  mentioned(word: string): string | undefined {
    if (this.#entries.has(word)) return word;
    const dot = word.indexOf('.');
    const name = word.slice(dot + 1);
    const isOfAgent = this.#entries.get(name)?.some(({ agents }) => agents.has(word.slice(0, dot)));
    if (dot > 0 && isOfAgent === true) return name;
    const [only, ...others] = this.#byAlias.of(word) ?? [];
    return others.length === 0 ? only : undefined;
  }

  #hasRoom(): boolean {
    const { size, postings, isFull } = this.lexicon;
    return size < this.#room.documents && postings < this.#room.postings && !isFull;
  }

  #index(capability: Capability, digest: string, learned: readonly string[]): Indexed | undefined {
    if (!this.#hasRoom()) return undefined;
    const text = describe(capability, learned);
    const document = this.lexicon.add(text);
    const facts = factsOf(capability.input);
    const { examples } = text;
    const said = { agents: new Set<string>(), aliases: undefined };
    const entry: Indexed = { document, digest, capability, facts, examples, ...said };
    this.#byDocument.set(document, entry);
    this.vectors.want(document);
    for (const property of facts.properties) {
      const documents = this.#byProperty.get(property) ?? new Set();
      this.#byProperty.set(property, documents.add(document));
    }
    return entry;
  }

  #drop({ document, facts }: Indexed): void {
    this.lexicon.remove(document);
    this.vectors.remove(document);
    this.#byDocument.delete(document);
    for (const property of facts.properties) {
      const documents = this.#byProperty.get(property);
      documents?.delete(document);
      if (documents?.size === 0) this.#byProperty.delete(property);
    }
  }

  /** Every key by which a capability is known, with the map that it stands in. */
  *#keysOf(name: string, entries: readonly Indexed[]): Iterable<[NamesByKey, string]> {
    if (entries.length === 0) return;
    for (const [kind, key] of keysFor(name, entries)) {
      const keys = this.#byKey.get(kind);
      if (keys !== undefined) yield [keys, key];
    }
    for (const { aliases } of entries) {
      for (const alias of aliases?.keys() ?? [])
        if (AS_NAME.test(alias)) yield [this.#byAlias, alias];
    }
  }
}

/** Written as names are; any other alias is only ever a whole intent. */
const AS_NAME = /^[A-Za-z0-9._-]+$/;

function keysFor(name: string, entries: readonly Indexed[]): [KeyKind, string][] {
  const last = name.split(/[./]|__/).at(-1) ?? name;
  const keys: [KeyKind, string][] = [['name', keyOf(name)]];
  // One word, such as `delete`, is no name but the beginning of a sentence.
  if (keyOf(last).includes(' ')) keys.push(['last part', keyOf(last)]);
  for (const { capability, agents, aliases, examples } of entries) {
    keys.push(['display name', keyOf(capability.display_name)]);
    for (const agentId of agents) keys.push(['name', keyOf(`${agentId}.${name}`)]);
    for (const alias of aliases?.keys() ?? []) keys.push(['alias', keyOf(alias)]);
    for (const example of examples) {
      keys.push(['example', keyOf(example)], ['bare example', keyOf(masked(example))]);
    }
  }
  return keys;
}

interface Text {
  digest: string;
  capability: Capability;
  agents: Set<string>;
  aliases: Aliases | undefined;
}

/** Offers that say the same, together; in the order of their agents, so that the same ones count. */
function byText(offers: readonly Offer[], learned: readonly string[]) {
  const found = new Map<string, Text>();
  const ordered = offers.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
  for (const { agentId, capability } of ordered) {
    const digest = digestOf(capability, learned);
    const same = found.get(digest);
    const own = same ?? { digest, capability, agents: new Set(), aliases: undefined };
    if (same === undefined && found.size === TEXTS_MAX) continue;
    own.agents.add(agentId);
    for (const alias of capability.aliases ?? []) {
      own.aliases ??= new Map();
      own.aliases.set(alias, (own.aliases.get(alias) ?? new Set()).add(agentId));
    }
    found.set(digest, own);
  }
  return found.values();
}

/** Of all by which a capability is found and shown; neither aliases nor what it may be found by are indexed. */
function digestOf(capability: Capability, learned: readonly string[]): string {
  const { sla: _, output: __, priority: ___, aliases: ____, strategy: _____, ...said } = capability;
  return createHash('sha256')
    .update(JSON.stringify([said, learned]))
    .digest('base64');
}
