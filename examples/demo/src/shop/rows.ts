import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '../language.ts';

// A folder of labelled questions: `capabilities.jsonl` says what is offered, `queries.jsonl` what is
// asked and what would be right, `examples.jsonl` (which may be missing) what others have said.

/** A capability as a folder describes it. */
export interface Row {
  id: string;
  name: string;
  display_name?: string;
  description: string;
  description_en?: string;
  /** What it is not for. */
  boundary?: string;
  boundary_en?: string;
  tags?: string[];
  input_schema?: Record<string, unknown>;
}

/** A question, and the names of those that would be right. */
export interface Labelled {
  text: string;
  language: Language;
  /** None: nobody should answer. Several: it should be asked back. */
  wanted: readonly string[];
  /** What the customer has filled in beside what he says. */
  given?: Record<string, unknown>;
}

/** All of a folder. */
export interface Folder {
  rows: readonly Row[];
  questions: readonly Labelled[];
  /** Utterances by id. */
  examples: ReadonlyMap<string, readonly string[]>;
}

/** What the customer service takes at most. */
const QUESTION_MAX = 500;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Reads a folder. Throws a `TypeError` that names file, line and field of what is wrong. */
export function readFolder(folder: string): Folder {
  const rows = linesOf(folder, 'capabilities.jsonl').map(rowOf);
  if (rows.length === 0) throw new TypeError('capabilities.jsonl has no capability.');
  const names = new Map<string, string>();
  for (const { id, name } of rows) {
    if (names.has(id)) throw new TypeError(`capabilities.jsonl has the id ${id} twice.`);
    if ([...names.values()].includes(name)) {
      throw new TypeError(`capabilities.jsonl has the name ${name} twice.`);
    }
    names.set(id, name);
  }
  const questions = linesOf(folder, 'queries.jsonl').map((line) => questionOf(line, names));
  if (questions.length === 0) throw new TypeError('queries.jsonl has no question.');
  const examples = linesOf(folder, 'examples.jsonl', 'maybe').map((line) => {
    const { id, examples: said } = line.value;
    if (typeof id !== 'string' || !names.has(id)) throw wrong(line, 'id', 'that of a capability');
    if (!areTexts(said)) throw wrong(line, 'examples', 'a list of texts');
    return [id, said] as const;
  });
  return { rows, questions, examples: new Map(examples) };
}

/** One line, and where it stands. */
interface Line {
  at: string;
  value: Record<string, unknown>;
}

function linesOf(folder: string, file: string, need: 'must' | 'maybe' = 'must'): Line[] {
  let text: string;
  try {
    text = readFileSync(join(folder, file), 'utf8');
  } catch (error) {
    if (need === 'maybe' && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new TypeError(`${join(folder, file)} cannot be read.`, { cause: error });
  }
  return text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    const at = `${file}:${i + 1}`;
    const value = parsed(line);
    if (!isObject(value)) throw new TypeError(`${at} is not one JSON object.`);
    return [{ at, value }];
  });
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const TEXTS = ['display_name', 'description_en', 'boundary', 'boundary_en'] as const;

function rowOf(line: Line): Row {
  const { value } = line;
  const { id, name, description, tags, input_schema: input } = value;
  if (typeof id !== 'string' || id === '') throw wrong(line, 'id', 'a text');
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw wrong(line, 'name', '1 to 128 of A-Z, a-z, 0-9, ".", "_" and "-"');
  }
  if (typeof description !== 'string') throw wrong(line, 'description', 'a text');
  const odd = TEXTS.find((field) => !['string', 'undefined'].includes(typeof value[field]));
  if (odd !== undefined) throw wrong(line, odd, 'a text');
  if (tags !== undefined && !areTexts(tags)) throw wrong(line, 'tags', 'a list of texts');
  if (input !== undefined && !isObject(input)) throw wrong(line, 'input_schema', 'an object');
  return value as unknown as Row;
}

function questionOf(line: Line, names: ReadonlyMap<string, string>): Labelled {
  const { text, lang, expected, payload, candidates } = line.value;
  if (typeof text !== 'string' || text.length < 1 || text.length > QUESTION_MAX) {
    throw wrong(line, 'text', `a text of 1 to ${QUESTION_MAX} characters`);
  }
  if (lang !== 'zh' && lang !== 'en') throw wrong(line, 'lang', 'zh or en');
  const ids: unknown[] = Array.isArray(expected) ? expected : expected === null ? [] : [expected];
  const wanted = ids.map((id) => (typeof id === 'string' ? names.get(id) : undefined));
  if (!areTexts(wanted)) throw wrong(line, 'expected', 'null, the id of a capability or a list');
  if (payload !== undefined && !isObject(payload)) throw wrong(line, 'payload', 'an object');
  // A question that only some may answer would be asked of all, and counted as if it were the same.
  if (candidates !== undefined) throw wrong(line, 'candidates', 'left out: here all are asked');
  const question = { text, language: lang, wanted } as const;
  return payload === undefined ? question : { ...question, given: payload };
}

function wrong({ at, value }: Line, field: string, bound: string): TypeError {
  const shown = JSON.stringify(value[field])?.slice(0, 80) ?? 'missing';
  return new TypeError(`${at}: ${field} is ${bound}, not ${shown}.`);
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
