import type { Capability } from '@agent-reach/core';
import { STOP_WORDS } from './stop-words.ts';
import { plain, unjoin } from './text.ts';

/** One of those between which a caller is to choose. */
export interface Option {
  capability: string;
  displayName: string;
  description: string;
  /** What it says it is not for. */
  notFor: readonly string[];
  /** Words of it that none of the others has. */
  differs: readonly string[];
}

const DIFFERING_MAX = 6;
const SEGMENTER = new Intl.Segmenter('zh', { granularity: 'word' });

/** Capabilities as a question: each with what sets it apart. */
export function optionsOf(capabilities: readonly Capability[]): Option[] {
  const said = capabilities.map(wordsIn);
  return capabilities.map((capability, i) => {
    const others = new Set(said.flatMap((words, j) => (j === i ? [] : [...words])));
    return {
      capability: capability.name,
      displayName: capability.display_name,
      description: capability.description,
      notFor: capability.not_for,
      differs: [...(said[i] ?? [])].filter((word) => !others.has(word)).slice(0, DIFFERING_MAX),
    };
  });
}

/** As they are written, for people: no stems. */
export function wordsIn({
  display_name: name,
  description,
}: Pick<Capability, 'display_name' | 'description'>): Set<string> {
  const text = unjoin(plain(`${name} ${description}`));
  const words = [...SEGMENTER.segment(text)].filter(({ isWordLike }) => isWordLike === true);
  const said = words.map(({ segment }) => segment);
  // A single letter of a longer word, or of none, tells nobody anything.
  return new Set(said.filter((word) => word.length > 1 && !STOP_WORDS.has(word)));
}
