import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Language, systemLanguage } from './language.ts';

/** What the command line asks for. */
export interface DemoOptions {
  /** In the order given; undefined: a tour, or a prompt on a terminal. */
  questions: string[] | undefined;
  language: Language;
  keep: boolean;
  help: boolean;
}

export const USAGE = `npm run demo -- [options]

  --ask QUESTION   ask this; may be repeated
  --file FILE      ask what stands in a file, one question a line
  --lang zh|en     default: the language of this machine
  --keep           leave everything running until Ctrl-C
  --help           this

Without questions: a short tour; on a terminal a prompt as well.
`;

/** Reads the command line. Throws a `TypeError` that says what is wrong with it. */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ask: { type: 'string', multiple: true, default: [] },
      file: { type: 'string', multiple: true, default: [] },
      lang: { type: 'string', default: systemLanguage(env) },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { lang, keep, help } = values;
  if (lang !== 'zh' && lang !== 'en') throw new TypeError(`--lang is zh or en, not ${lang}.`);
  const questions = [...values.ask, ...values.file.flatMap(linesOf)];
  const isAsked = values.ask.length + values.file.length > 0;
  if (isAsked && questions.length === 0) throw new TypeError('There is no question in the file.');
  return { questions: isAsked ? questions : undefined, language: lang, keep, help };
}

function linesOf(file: string): string[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new TypeError(`--file ${file} cannot be read.`, { cause: error });
  }
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}
