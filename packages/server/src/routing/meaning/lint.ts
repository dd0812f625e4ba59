import type { Capability } from '@agent-reach/core';
import type { Catalogue, Entry, KeyKind } from './catalogue.ts';
import { wordsIn } from './differ.ts';
import { likenable, likeness } from './likeness.ts';
import { rank } from './rank.ts';
import { keyOf, wordsOf } from './text.ts';

/** What makes a capability hard to tell from others, or to find at all. */
export type Lint =
  | { kind: 'weak' }
  /** Another one reads like it: its name, whose it is, and the words that both have. */
  | { kind: 'alike'; neighbour: string; agents: readonly string[]; shared: readonly string[] }
  /** Its example is one of another as well, and so decides nothing. */
  | { kind: 'example'; neighbour: string; example: string }
  /** Its alias is a name of another one, which wins, or an alias of another one as well. */
  | { kind: 'alias'; neighbour: string; alias: string; is: KeyKind }
  /** Its name is an alias of another one, which loses it. */
  | { kind: 'aliased'; neighbour: string };

/** From here on two descriptions are spelled so much alike that few readers see a difference. */
const ALIKE = 0.75;
/** And from here on if words alone are looked at, in whatever order. */
const SAME_WORDS = 0.6;
/** The nearest ones are enough: whoever mends these mends the others. */
const NEIGHBOURS_MAX = 2;
const SHARED_SHOWN = 6;

/**
 * Looks at one capability among all of its catalogue. Pure; costs one ranking and no comparison of
 * pairs. Those that say what they are not for have been told apart by somebody already, and so have
 * `others` that stand in one manifest with it.
 */
export function lint(
  capability: Capability,
  catalogue: Catalogue,
  others: ReadonlySet<string> = new Set(),
): Lint[] {
  const { name, display_name: displayName, description } = capability;
  const found: Lint[] = [];
  const named = new Set(wordsOf(`${displayName} ${name}`));
  if (description !== '' && wordsOf(description).every((word) => named.has(word))) {
    found.push({ kind: 'weak' });
  }
  const near = rank(
    {
      intent: `${displayName} ${description}`,
      params: {},
      admits: (other) => (other === name || others.has(other) ? 'out' : 'in'),
    },
    catalogue,
  );
  for (const { capability: other } of near.candidates.slice(0, NEIGHBOURS_MAX)) {
    if (!isAlike(capability, other)) continue;
    const theirs = new Set(wordsIn(other));
    const shared = [...wordsIn(capability)].filter((word) => theirs.has(word));
    found.push({
      kind: 'alike',
      neighbour: other.name,
      agents: agentsOf(catalogue.entriesOf(other.name)),
      shared: shared.slice(0, SHARED_SHOWN),
    });
  }
  return [
    ...found,
    ...sharedExamples(capability, catalogue),
    ...sharedNames(capability, catalogue),
  ];
}

function isAlike(a: Capability, b: Capability): boolean {
  if (a.not_for.length > 0 || b.not_for.length > 0) return false;
  if (a.description === '' || b.description === '') return false;
  if (likeness(likenable(a.description), likenable(b.description)) >= ALIKE) return true;
  const ours = wordsIn(a);
  const theirs = wordsIn(b);
  const all = ours.union(theirs);
  return all.size > 0 && ours.intersection(theirs).size / all.size >= SAME_WORDS;
}

function sharedExamples({ name, examples }: Capability, catalogue: Catalogue): Lint[] {
  return examples.flatMap((example): Lint[] => {
    const own = catalogue.named(example);
    const neighbour = own?.names.find((other) => other !== name);
    const isExample = own?.kind === 'example' && keyOf(example) !== '';
    return isExample && neighbour !== undefined ? [{ kind: 'example', neighbour, example }] : [];
  });
}

function sharedNames({ name, aliases = [] }: Capability, catalogue: Catalogue): Lint[] {
  const lost = catalogue.aliased(name).filter((other) => other !== name);
  return [
    ...aliases.flatMap((alias): Lint[] => {
      const named = catalogue.named(alias);
      const neighbour = named?.names.find((other) => other !== name);
      if (named === undefined || neighbour === undefined) return [];
      return [{ kind: 'alias', neighbour, alias, is: named.kind }];
    }),
    ...lost.slice(0, 1).map((neighbour): Lint => ({ kind: 'aliased', neighbour })),
  ];
}

function agentsOf(entries: readonly Entry[]): string[] {
  return [...new Set(entries.flatMap(({ agents }) => [...agents]))].sort();
}
