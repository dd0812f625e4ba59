/** The demo speaks two languages; so does its data. */
export type Language = 'zh' | 'en';

/** The same in both. */
export interface Bilingual {
  zh: string;
  en: string;
}

/** The language of a text; undefined: it has no letters of either. */
export function languageOf(text: string): Language | undefined {
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  return /[a-z]/i.test(text) ? 'en' : undefined;
}

/**
 * The language that the machine is set to, as POSIX orders the variables. English if it is neither.
 */
export function systemLanguage(env: NodeJS.ProcessEnv): Language {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
