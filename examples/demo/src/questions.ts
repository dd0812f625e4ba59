import type { ListedQuestion } from './data.ts';
import type { Language } from './language.ts';

/** A question that is in the list, and in which language it was asked. */
export interface FoundQuestion {
  listed: ListedQuestion;
  language: Language;
}

/**
 * Finds a question in the list, in whatever case and punctuation it is typed; undefined for any
 * other. The list stands in for routing by meaning until that lands: it does not guess, so neither
 * does the demo.
 */
export function findQuestion(
  question: string,
  list: readonly ListedQuestion[],
): FoundQuestion | undefined {
  const wanted = bare(question);
  for (const listed of list) {
    for (const language of ['zh', 'en'] as const) {
      if (listed[language].some((phrasing) => bare(phrasing) === wanted)) {
        return { listed, language };
      }
    }
  }
  return undefined;
}

/** Letters and digits alone: full-width forms, case, spaces and punctuation do not count. */
function bare(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}
