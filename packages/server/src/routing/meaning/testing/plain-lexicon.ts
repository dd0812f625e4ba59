import type { Terms } from '../text.ts';

/** A document as the plain lexicon keeps it: nothing but its terms. */
export interface PlainDocument extends Terms {
  id: number;
}

export interface PlainScore {
  words: number;
  grams: number;
  coverage: number;
  hasRarest: boolean;
}

const K1 = 1.2;
const B = 0.75;

/** What the scores of a query are by their formulas, with a look at every document: no index at all. */
export function scorePlainly(
  query: Terms,
  documents: readonly PlainDocument[],
): { unknown: number; found: Map<number, PlainScore> } {
  const having = (kind: 'words' | 'grams', term: string | number) =>
    documents.filter((one) => (one[kind] as Map<string | number, number>).has(term)).length;
  const average = documents.reduce((sum, one) => sum + lengthOf(one), 0) / documents.length || 1;
  const wordsHaving = new Map([...query.words.keys()].map((word) => [word, having('words', word)]));
  const known = [...wordsHaving].filter(([, count]) => count > 0);
  const fewest = Math.min(...known.map(([, count]) => count));
  const rarest = known.find(([, count]) => count === fewest)?.[0];
  const idf = (count: number) => Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  const mass = (count: number) => Math.log(1 + documents.length / count);
  const most = sum([...wordsHaving.values()].map((count) => idf(count) * (K1 + 1)));
  const answerable = sum(known.map(([, count]) => mass(count)));
  const wanted = [...query.grams].map(([gram, times]) => {
    const rarity = Math.log((1 + documents.length) / (1 + having('grams', gram))) + 1;
    return [gram, (1 + Math.log(times)) * rarity] as const;
  });
  const queryNorm = Math.hypot(...wanted.map(([, weight]) => weight)) || 1;
  const found = new Map<number, PlainScore>();
  for (const document of documents) {
    const own = known.filter(([word]) => document.words.has(word));
    const shared = wanted.filter(([gram]) => document.grams.has(gram));
    if (own.length + shared.length === 0) continue;
    const norm = K1 * (1 - B + (B * lengthOf(document)) / average);
    const byWords = own.map(([word, count]) => {
      const weight = document.words.get(word) ?? 0;
      return (idf(count) * weight * (K1 + 1)) / (weight + norm);
    });
    const bySpelling = shared.map(
      ([gram, weight]) => weight * damped(document.grams.get(gram) ?? 0),
    );
    const documentNorm = Math.hypot(...[...document.grams.values()].map(damped)) || 1;
    found.set(document.id, {
      words: sum(byWords) / (most || 1),
      grams: sum(bySpelling) / (documentNorm * queryNorm),
      coverage: sum(own.map(([, count]) => mass(count))) / (answerable || 1),
      hasRarest: rarest !== undefined && document.words.has(rarest),
    });
  }
  const missing = query.words.size - known.length;
  return { unknown: query.words.size === 0 ? 1 : missing / query.words.size, found };
}

function lengthOf({ words }: Terms): number {
  return sum([...words.values()]);
}

function damped(weight: number): number {
  return 1 + Math.log(Math.max(1, weight));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
