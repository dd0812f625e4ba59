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

/** Expressions of one script as a tree: one part a step. */
interface Node {
  /** What the parts up to here stand for. */
  concepts: string[];
  next: Map<string, Node>;
}

const emptyNode = (): Node => ({ concepts: [], next: new Map() });

/** English by the stems of its words, Chinese by its letters. */
const ENGLISH = emptyNode();
const CHINESE = emptyNode();
for (const group of GROUPS) {
  const concept = `${MARK}${group[0]}`;
  for (const entry of group) {
    const words = entry.match(/[a-z0-9]+/g);
    if (words === null) put(Array.from(entry), concept, CHINESE);
    else put(words.map(stem), concept, ENGLISH);
  }
}

function put(parts: readonly string[], concept: string, root: Node): void {
  let node = root;
  for (const part of parts) {
    const next = node.next.get(part) ?? emptyNode();
    node.next.set(part, next);
    node = next;
  }
  if (!node.concepts.includes(concept)) node.concepts.push(concept);
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
function conceptsIn(parts: readonly string[], root: Node): string[] {
  const found: string[] = [];
  for (let from = 0; from < parts.length; from++) {
    let node = root.next.get(parts[from] ?? '');
    for (let at = from + 1; node !== undefined; at++) {
      found.push(...node.concepts);
      node = node.next.get(parts[at] ?? '');
    }
  }
  return found;
}
