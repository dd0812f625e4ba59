import { stem } from './stem.ts';
import { HOME } from './thesaurus/home.ts';
import { LIFE } from './thesaurus/life.ts';
import { MONEY } from './thesaurus/money.ts';
import { OFFICE } from './thesaurus/office.ts';
import { PLACES } from './thesaurus/places.ts';
import { SHOP } from './thesaurus/shop.ts';
import { TECHNOLOGY } from './thesaurus/technology.ts';

/** What stands before the name of a concept, so that it is never taken for a word. */
const MARK = '≈';

/** Whether a word of an index is a concept. */
export function isConcept(word: string): boolean {
  return word.startsWith(MARK);
}

/** The groups of the thesaurus, in their order: words of Chinese and English for one thing. */
export const GROUPS: readonly (readonly string[])[] = [
  SHOP,
  MONEY,
  HOME,
  OFFICE,
  TECHNOLOGY,
  PLACES,
  LIFE,
].flatMap((part) =>
  part
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(', ')),
);

/** The expressions of one script, as parts in a row. */
interface Table {
  /** Concepts by expression, its parts joined. */
  concepts: Map<string, string[]>;
  /** By its first part, how many parts the longest expression has. */
  longest: Map<string, number>;
  between: string;
}

/** English by the stems of its words, Chinese by its letters. */
const ENGLISH: Table = { concepts: new Map(), longest: new Map(), between: ' ' };
const CHINESE: Table = { concepts: new Map(), longest: new Map(), between: '' };
for (const group of GROUPS) {
  const concept = `${MARK}${group[0]}`;
  for (const entry of group) {
    const words = entry.match(/[a-z0-9]+/g);
    if (words === null) put(Array.from(entry), concept, CHINESE);
    else put(words.map(stem), concept, ENGLISH);
  }
}

function put(parts: readonly string[], concept: string, { concepts, longest, between }: Table) {
  const [first = ''] = parts;
  const key = parts.join(between);
  const known = concepts.get(key);
  if (known === undefined) concepts.set(key, [concept]);
  else if (!known.includes(concept)) known.push(concept);
  longest.set(first, Math.max(longest.get(first) ?? 0, parts.length));
}

/** The concepts that English words in a row stand for, by their stems. */
export function conceptsInEnglish(stems: readonly string[]): string[] {
  return conceptsIn(stems, ENGLISH);
}

/** The concepts that a run of Chinese stands for. */
export function conceptsInChinese(letters: readonly string[]): string[] {
  return conceptsIn(letters, CHINESE);
}

/** Those of every expression, within a longer one too: who says "credit card" speaks of a card. */
function conceptsIn(parts: readonly string[], { concepts, longest, between }: Table): string[] {
  const found: string[] = [];
  for (let from = 0; from < parts.length; from++) {
    const most = Math.min(longest.get(parts[from] ?? '') ?? 0, parts.length - from);
    for (let length = most; length > 0; length--) {
      found.push(...(concepts.get(parts.slice(from, from + length).join(between)) ?? []));
    }
  }
  return found;
}
