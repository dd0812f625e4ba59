import { createHash } from 'node:crypto';
import type { Capability } from '@agent-reach/core';
import { describe, passagesOf } from './describe.ts';
import { Lexicon } from './lexicon.ts';
import { DOCUMENTS_MAX as NUMBERS_MAX } from './postings.ts';
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
}

/** How a text named a capability; the first kind that any has is the one that counts. */
const KEY_KINDS = ['name', 'display name', 'last part', 'example'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/**
 * About 10 KB of memory each. What is registered beyond is found by name as always, and by meaning
 * not at all; `isFull` says so.
 */
const DOCUMENTS_MAX = Math.min(20_000, NUMBERS_MAX);
/** Of one capability: agents that describe it in so many ways would crowd out all others. */
const TEXTS_MAX = 8;

/** What one tenant's capabilities mean: an index that is changed in place, one capability at a time. */
export class Catalogue {
  readonly lexicon = new Lexicon();
  /** What an embedder makes of the same documents; empty where there is none. */
  readonly vectors = new Vectors(() => this.#byDocument.keys());
  readonly #entries = new Map<string, Indexed[]>();
  readonly #byDocument = new Map<number, Indexed>();
  readonly #byKey = new Map<KeyKind, Map<string, Set<string>>>(
    KEY_KINDS.map((kind) => [kind, new Map()]),
  );
  readonly #byProperty = new Map<string, Set<number>>();
  readonly #leftOut = new Set<string>();
  readonly #documentsMax: number;

  constructor(documentsMax = DOCUMENTS_MAX) {
    this.#documentsMax = documentsMax;
  }

  /** Whether something was left out for want of room. */
  get isFull(): boolean {
    return this.#leftOut.size > 0;
  }

  /** A capability that was left out and would find room now, to be put in again. */
  get next(): string | undefined {
    if (this.lexicon.size >= this.#documentsMax) return undefined;
    return this.#leftOut.values().next().value;
  }

  /** Puts a capability in as it is offered now, in place of what was there; without offers it goes. */
  put(name: string, offers: readonly Offer[], learned: readonly string[] = []): void {
    const before = this.#entries.get(name) ?? [];
    if (before.length > 0) this.#unname(name, before);
    this.#leftOut.delete(name);
    const after: Indexed[] = [];
    for (const { digest, agents, capability } of byText(offers, learned)) {
      const known = before.find((entry) => entry.digest === digest);
      const entry = known ?? this.#index(capability, digest, learned);
      if (entry === undefined) {
        this.#leftOut.add(name);
        continue;
      }
      entry.agents = agents;
      after.push(entry);
    }
    for (const entry of before) if (!after.includes(entry)) this.#drop(entry);
    if (after.length === 0) {
      this.#entries.delete(name);
      return;
    }
    this.#entries.set(name, after);
    for (const [kind, key] of keysFor(name, after)) {
      const byKey = this.#byKey.get(kind);
      const names = byKey?.get(key) ?? new Set();
      byKey?.set(key, names.add(name));
    }
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

  /** Documents of capabilities whose input has a property of this name. */
  withProperty(name: string): Iterable<number> {
    return this.#byProperty.get(name) ?? [];
  }

  /** The capabilities that a whole text names, in the order of their names; none: it names none. */
  named(text: string): { kind: KeyKind; names: string[] } | undefined {
    const key = keyOf(text);
    for (const kind of KEY_KINDS) {
      const names = this.#byKey.get(kind)?.get(key);
      if (key !== '' && names !== undefined) return { kind, names: [...names].sort() };
    }
    return undefined;
  }

  /** Whether this very name, or this one of an agent, is that of a capability. */
  mentioned(word: string): string | undefined {
    if (this.#entries.has(word)) return word;
    const dot = word.indexOf('.');
    const name = word.slice(dot + 1);
    const isOfAgent = this.#entries.get(name)?.some(({ agents }) => agents.has(word.slice(0, dot)));
    return dot > 0 && isOfAgent === true ? name : undefined;
  }

  #index(capability: Capability, digest: string, learned: readonly string[]): Indexed | undefined {
    if (this.lexicon.size >= this.#documentsMax) return undefined;
    const text = describe(capability, learned);
    const document = this.lexicon.add(text);
    const facts = factsOf(capability.input);
    const { examples } = text;
    const entry = { document, digest, capability, facts, examples, agents: new Set<string>() };
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

  #unname(name: string, entries: readonly Indexed[]): void {
    for (const [kind, key] of keysFor(name, entries)) {
      const byKey = this.#byKey.get(kind);
      const names = byKey?.get(key);
      names?.delete(name);
      if (names?.size === 0) byKey?.delete(key);
    }
  }
}

function keysFor(name: string, entries: readonly Indexed[]): [KeyKind, string][] {
  const last = name.split(/[./]|__/).at(-1) ?? name;
  const keys: [KeyKind, string][] = [['name', keyOf(name)]];
  // One word, such as `delete`, is no name but the beginning of a sentence.
  if (keyOf(last).includes(' ')) keys.push(['last part', keyOf(last)]);
  for (const { capability, agents, examples } of entries) {
    keys.push(['display name', keyOf(capability.display_name)]);
    for (const agentId of agents) keys.push(['name', keyOf(`${agentId}.${name}`)]);
    for (const example of examples) keys.push(['example', keyOf(example)]);
  }
  return keys;
}

/** Offers that say the same, together; in the order of their agents, so that the same ones count. */
function byText(offers: readonly Offer[], learned: readonly string[]) {
  const found = new Map<string, { digest: string; agents: Set<string>; capability: Capability }>();
  const ordered = offers.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1));
  for (const { agentId, capability } of ordered) {
    const digest = digestOf(capability, learned);
    const same = found.get(digest);
    if (same !== undefined) same.agents.add(agentId);
    else if (found.size < TEXTS_MAX) {
      found.set(digest, { digest, capability, agents: new Set([agentId]) });
    }
  }
  return found.values();
}

/** Of all by which a capability is found and shown. */
function digestOf(capability: Capability, learned: readonly string[]): string {
  const { sla: _, output: __, priority: ___, ...said } = capability;
  return createHash('sha256')
    .update(JSON.stringify([said, learned]))
    .digest('base64');
}
