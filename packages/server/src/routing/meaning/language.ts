/** Languages in which an embedder can be tested. */
export const LANGUAGES = ['zh', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export function isLanguage(word: string): word is Language {
  return (LANGUAGES as readonly string[]).includes(word);
}

const HAN = /\p{Script=Han}/gu;
const WORD = /(?:(?!\p{Script=Han})\p{L})+/gu;

/** The language that most of a text is in, by its letters: two of Chinese are about a word. */
export function languageOf(text: string): Language {
  const han = text.match(HAN)?.length ?? 0;
  const words = text.match(WORD)?.length ?? 0;
  return han >= 2 * words && han > 0 ? 'zh' : 'en';
}
