import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { TASKS_MAX } from './house.ts';
import { type Language, systemLanguage } from './language.ts';
import { type Plan, planOf } from './shop/plan.ts';
import { type Folder, readFolder } from './shop/rows.ts';

/** What the command line asks for. */
export interface DemoOptions {
  /** In the order given; undefined: a tour, or a prompt on a terminal. */
  questions: string[] | undefined;
  language: Language;
  /** How many tasks the last scene submits. */
  tasks: number;
  keep: boolean;
  /** Everybody has a key of his own, and what he may. */
  secure: boolean;
  /** A folder of labelled questions, instead of the story. */
  shop: Shop | undefined;
  help: boolean;
}

/** A shop made from a folder. */
export interface Shop {
  folder: Folder;
  plan: Plan;
}

const TASKS = 2_000;
/** Fewer are printed before one could kill a printer. */
const TASKS_MIN = 100;
const EXAMPLES = 5;
/** A capability has no more. */
const EXAMPLES_MAX = 32;

export const USAGE = `npm run demo -- [options]

  --ask QUESTION   ask this; may be repeated
  --file FILE      ask what stands in a file, one question a line
  --lang zh|en     default: the language of this machine
  --tasks N        labels to print, ${TASKS_MIN} to ${TASKS_MAX}; default: ${TASKS}
  --questions DIR  instead of all this: ask the labelled questions of a folder, and count
  --examples N     of each of its capabilities, 0 to ${EXAMPLES_MAX}; default: ${EXAMPLES}
  --secure         everybody signs, and has only what he is granted
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
      tasks: { type: 'string', default: String(TASKS) },
      questions: { type: 'string' },
      examples: { type: 'string' },
      keep: { type: 'boolean', default: false },
      secure: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { lang, keep, secure, help } = values;
  const tasks = /^\d+$/.test(values.tasks) ? Number(values.tasks) : 0;
  if (lang !== 'zh' && lang !== 'en') throw new TypeError(`--lang is zh or en, not ${lang}.`);
  if (tasks < TASKS_MIN || tasks > TASKS_MAX) {
    throw new TypeError(
      `--tasks is a whole number from ${TASKS_MIN} to ${TASKS_MAX}, not ${values.tasks}.`,
    );
  }
  const questions = [...values.ask, ...values.file.flatMap(linesOf)];
  const isAsked = values.ask.length + values.file.length > 0;
  if (isAsked && questions.length === 0) throw new TypeError('There is no question in the file.');
  const shop = shopIn(values, args);
  return {
    questions: isAsked ? questions : undefined,
    language: lang,
    tasks,
    keep,
    secure,
    shop,
    help,
  };
}

/** What the story has and a shop has not. */
const STORY = ['--ask', '--file', '--tasks', '--secure'];

function shopIn(
  { questions: dir, examples: asked }: { questions?: string; examples?: string },
  args: readonly string[],
): Shop | undefined {
  if (dir === undefined) {
    if (asked === undefined) return undefined;
    throw new TypeError('--examples is of the capabilities that --questions names; it is missing.');
  }
  const other = STORY.find((name) => args.some((arg) => arg.split('=')[0] === name));
  if (other !== undefined) throw new TypeError(`--questions and ${other} do not go together.`);
  const examples = /^\d+$/.test(asked ?? String(EXAMPLES)) ? Number(asked ?? EXAMPLES) : -1;
  if (examples < 0 || examples > EXAMPLES_MAX) {
    throw new TypeError(`--examples is a whole number from 0 to ${EXAMPLES_MAX}, not ${asked}.`);
  }
  const folder = readFolder(dir);
  return { folder, plan: planOf(folder, examples) };
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
