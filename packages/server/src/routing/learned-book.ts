import type { ExamplesPolicy } from '@agent-reach/core';
import { type Listenable, Signal } from '@agent-reach/core/kernel';
import { counting } from './meaning/learn.ts';
import { type Likenable, likenable, likeness } from './meaning/likeness.ts';
import { TenantDocs } from '../storage/spi/tenant-docs.ts';

/** What was learned of a tenant, as decisions look at it. */
interface Learned {
  doc: ExamplesPolicy;
  /** Utterances that count, by capability. */
  examples: ReadonlyMap<string, readonly string[]>;
  refusals: readonly { text: Likenable; options: readonly string[] }[];
}

const EMPTY: ExamplesPolicy = {};
/** A refusal holds for what is all but the same; anything else is another question. */
const SAME = 0.85;

/** What the answers to earlier questions taught: a copy of the stored documents, one a tenant. */
export class LearnedBook extends TenantDocs<ExamplesPolicy, Learned> {
  readonly #changed = new Signal<{ tenant: string; capability: string }>((error) => {
    throw error;
  });

  /** Told of each capability whose examples are others than before. */
  readonly changed: Listenable<{ tenant: string; capability: string }> = this.#changed;

  of(tenant: string): ExamplesPolicy {
    return this.known(tenant)?.doc ?? EMPTY;
  }

  /** The utterances that count for a capability. */
  examplesOf(tenant: string, capability: string): readonly string[] {
    return this.known(tenant)?.examples.get(capability) ?? [];
  }

  /** Capabilities that were not what was meant when all but the same was asked. */
  refusedFor(tenant: string, intent: string): ReadonlySet<string> {
    const refusals = this.known(tenant)?.refusals ?? [];
    if (refusals.length === 0) return NOTHING;
    const text = likenable(intent);
    return new Set(
      refusals.filter((one) => likeness(one.text, text) >= SAME).flatMap(({ options }) => options),
    );
  }

  protected override read(doc: ExamplesPolicy): Learned {
    const refusals = counting(doc.none ?? []).map(({ text, options }) => ({
      text: likenable(text),
      options,
    }));
    return { doc, examples: examplesIn(doc), refusals };
  }

  protected override taken(
    tenant: string,
    { examples }: Learned,
    before: Learned | undefined,
  ): void {
    for (const capability of new Set([...(before?.examples.keys() ?? []), ...examples.keys()])) {
      const [was = [], is = []] = [before?.examples.get(capability), examples.get(capability)];
      if (was.join('\n') !== is.join('\n')) this.#changed.emit({ tenant, capability });
    }
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function examplesIn({ capabilities = {} }: ExamplesPolicy): Map<string, readonly string[]> {
  const counted = Object.entries(capabilities).map(
    ([name, rows]) => [name, counting(rows).map(({ text }) => text)] as const,
  );
  return new Map(counted.filter(([, texts]) => texts.length > 0));
}
