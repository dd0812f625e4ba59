import type { PinsPolicy, PinView } from '@agent-reach/core';
import { TenantDocs } from '../storage/spi/tenant-docs.ts';
import { keyOf, plain } from './meaning/text.ts';

/** A pin as it was found: what is pinned, and in which version of the document. */
export type Pin = Pick<PinView, 'version' | 'capability' | 'phrase' | 'strategy'> & {
  /** Who alone may serve the capability; undefined: whoever offers it. */
  agents: readonly string[] | undefined;
  /** Of a phrase: who of them is meant. */
  agent: string | undefined;
};

interface Pinned {
  doc: PinsPolicy;
  /** Phrases by their key: the same words in another case, width or punctuation. */
  phrases: ReadonlyMap<string, string>;
}

/** The longest text that may be a phrase; what goes on is another text, however it begins. */
const PHRASE_CHARS_MAX = 256;

/** The key of a text that may be a pinned phrase; '': it is none, for it has no words or too many. */
export function phraseKey(text: string): string {
  const whole = plain(text, PHRASE_CHARS_MAX + 1);
  return whole.length > PHRASE_CHARS_MAX ? '' : keyOf(whole).replace(BETWEEN_CHINESE, '');
}

/** A comma or a space between Chinese words parts no words: there are none to begin with. */
const BETWEEN_CHINESE = /(?<=\p{Script=Han}) (?=\p{Script=Han})/gu;

/** What operators have nailed down, as decisions look at it: a copy of the documents, one a tenant. */
export class PinBook extends TenantDocs<PinsPolicy, Pinned> {
  protected override read(doc: PinsPolicy): Pinned {
    const phrases = Object.keys(doc.phrases ?? {}).map((text) => [phraseKey(text), text] as const);
    return { doc, phrases: new Map(phrases) };
  }

  /** The pin of a capability; undefined: it is found like any other. */
  ofCapability(tenant: string, capability: string): Pin | undefined {
    const { capabilities = {} } = this.known(tenant)?.doc ?? {};
    const row = Object.hasOwn(capabilities, capability) ? capabilities[capability] : undefined;
    if (row === undefined) return undefined;
    const { agents, strategy } = row;
    const version = this.versionOf(tenant);
    const how = strategy === undefined ? {} : { strategy };
    return { version, capability, ...how, agents, agent: undefined };
  }

  /** Where an intent is pinned to that says precisely this; undefined: its meaning decides. */
  ofPhrase(tenant: string, intent: string): Pin | undefined {
    const own = this.known(tenant);
    if (own === undefined || own.phrases.size === 0) return undefined;
    const key = phraseKey(intent);
    const phrase = key === '' ? undefined : own.phrases.get(key);
    const row = phrase === undefined ? undefined : own.doc.phrases?.[phrase];
    if (phrase === undefined || row === undefined) return undefined;
    const { capability, agent } = row;
    const agents = this.ofCapability(tenant, capability)?.agents;
    return { version: this.versionOf(tenant), capability, phrase, agents, agent };
  }
}

/** A pin as callers see it. */
export function pinView({ version, capability, phrase, strategy, agents, agent }: Pin): PinView {
  const shown = agent === undefined ? agents : [agent];
  return {
    version,
    capability,
    ...(phrase === undefined ? {} : { phrase }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(shown === undefined ? {} : { agents: [...shown] }),
  };
}
