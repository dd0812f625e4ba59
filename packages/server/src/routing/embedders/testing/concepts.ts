import { PAIRS } from '../../meaning/self-test.ts';
import { type Embedded, type Embedder, type Patience, vectorsFrom } from '../embedder.ts';

/** Words that mean the same, in any language: a text has a bit of each concept that it has a word of. */
export const CONCEPTS: readonly (readonly string[])[] = [
  ['order', '订单', 'purchase', '买的东西'],
  ['parcel', 'package', '包裹', '快递', '物流', 'whereabouts'],
  ['invoice', '发票', 'receipt'],
  ['weather', '天气', 'galoshes', '胶鞋'],
  ['delete', '注销', 'erase', 'forget me'],
];
/** Length of its vectors: the concepts, the pairs of the test, and one number that all texts share. */
export const CONCEPT_DIMS = CONCEPTS.length + PAIRS.en.length + 1;

/** An embedder that knows concepts, and what was asked of it. */
export interface ConceptEmbedder extends Embedder {
  /** Each request, with its texts. */
  readonly asked: (readonly string[])[];
  /** From now on it answers this, until it is set back to undefined. */
  answer: ((texts: readonly string[], patience: Patience) => Promise<Embedded>) | undefined;
  isClosed: boolean;
}

/** An embedder of concepts. `knows`: languages in which it passes its test. */
export function conceptEmbedder(knows: readonly ('en' | 'zh')[] = ['en', 'zh']): ConceptEmbedder {
  const embedder: ConceptEmbedder = {
    name: 'concepts',
    batchMax: 4,
    asked: [],
    answer: undefined,
    isClosed: false,
    async embed(texts, _, patience) {
      embedder.asked.push(texts);
      if (embedder.answer !== undefined) return embedder.answer(texts, patience);
      return conceptsOf(texts, knows);
    },
    async close() {
      embedder.isClosed = true;
    },
  };
  return embedder;
}

/** What it answers when nothing is wrong. */
export function conceptsOf(
  texts: readonly string[],
  knows: readonly ('en' | 'zh')[] = ['en', 'zh'],
): Embedded {
  const rows = texts.map((text) => rowOf(text.toLowerCase(), knows));
  return vectorsFrom(rows, texts.length);
}

function rowOf(text: string, knows: readonly ('en' | 'zh')[]): number[] {
  const concepts = CONCEPTS.map((words) => (words.some((word) => text.includes(word)) ? 1 : 0));
  const pairs = PAIRS.en.map((_, i) =>
    knows.some((language) => PAIRS[language][i]?.some((one) => one.toLowerCase() === text)) ? 3 : 0,
  );
  return [...concepts, ...pairs, 0.3];
}
