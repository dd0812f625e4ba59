import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { Budget } from './budget.ts';
import { LIMITS } from './limits.ts';

// JavaScript's own engine backtracks: `^(a+)+$` takes 3.6 s over 26 letters. RE2 runs in time
// linear in text times program, and has therefore no look-around and no back-references.

/** What is known of a pattern that was judged. */
export type PatternVerdict =
  | { usable: true /** Instructions of its program. */; size: number }
  | { usable: false /** Why, for its author. */; fault: string };

/** Registering again, and compiling after registering, meet the same patterns. */
const compiled = new LRUCache<string, RE2JS>({ max: 512 });

/** Whether a pattern from outside may be used, decided before anything costly is done with it. */
export function judgePattern(source: string): PatternVerdict {
  if (source.length > LIMITS.patternChars) {
    return unusable(`is ${source.length} characters long, at most ${LIMITS.patternChars}`);
  }
  const { patternSize: sizeMax } = LIMITS;
  const impossible = nonLinear(source);
  if (impossible !== undefined) return unusable(impossible);
  let size = sizeOf(source);
  if (size > sizeMax) return unusable(tooLarge(size));
  try {
    size = compile(source).programSize();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = reason.replace('error parsing regexp: ', '');
    return unusable(`is not a regular expression that RE2 reads: ${detail}`);
  }
  return size > sizeMax ? unusable(tooLarge(size)) : { usable: true, size };
}

/** A pattern as Ajv wants one: a thing with `test`, and with its source as its name. */
export interface BudgetedPattern {
  test(text: string): boolean;
  toString(): string;
}

/** A judged pattern whose tests are paid for. */
export function budgeted(source: string, budget: Budget): BudgetedPattern {
  const pattern = compile(source);
  const size = pattern.programSize();
  return {
    test: (text) => {
      budget.spend(1 + ((text.length * size) >> 3));
      return pattern.test(text);
    },
    toString: () => source,
  };
}

function compile(source: string): RE2JS {
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    pattern = RE2JS.compile(toRe2(source));
    compiled.set(source, pattern);
  }
  return pattern;
}

/** From the spelling of ECMA-262, which JSON Schema uses, to that of RE2. */
function toRe2(source: string): string {
  const scripts = source.replaceAll(
    /\\(?:([pP])\{(?:Script|sc)=(\w+)\}|[\s\S])/g,
    (whole, letter: string | undefined, script: string) =>
      letter === undefined ? whole : `\\${letter}{${script}}`,
  );
  return RE2JS.translateRegExp(scripts);
}

function unusable(fault: string): PatternVerdict {
  return { usable: false, fault };
}

function tooLarge(size: number): string {
  return `is a program of ${size} instructions, at most ${LIMITS.patternSize}; bound a length by "maxLength" instead of {n,m}`;
}

/** What no linear-time engine can do. Looked for first: RE2JS reads `\k` as the letter. */
function nonLinear(source: string): string | undefined {
  for (const { 0: construct, index } of source.matchAll(/\\[\s\S]|\(\?<?[=!]/g)) {
    if (construct.startsWith('(')) {
      return `has look-around ("${construct}" at ${index}), which no linear-time engine has; use "allOf", "anyOf" or "not" with simpler patterns`;
    }
    if (/[1-9k]/.test(construct)) {
      return `has a back-reference ("${construct}" at ${index}), which no linear-time engine has`;
    }
  }
  return undefined;
}

const REPEAT = /^\{(\d{1,6})(?:,(\d{0,6}))?\}/;

/**
 * About how many instructions a pattern will have, without compiling it: `(a{9}){9}` is 81. Reads
 * RE2's grammar loosely and errs to the high side, since it only guards the compiler.
 */
function sizeOf(source: string): number {
  const groups: number[] = [];
  let total = 0; // Of the group that is open.
  let atom = 0; // Of the last atom, which a repetition multiplies.
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === '(') {
      groups.push(total);
      total = atom = 0;
    } else if (char === ')') {
      atom = total + 2;
      total = (groups.pop() ?? 0) + atom;
    } else if (char === '{' && REPEAT.test(source.slice(at, at + 16))) {
      const [whole, least, most] = REPEAT.exec(source.slice(at, at + 16)) as RegExpExecArray;
      // Each optional copy takes an instruction of its own to be skipped.
      const copies = Number(least) + 2 * Math.max(Number(most ?? 0) - Number(least), 0);
      total += atom * Math.max(copies - 1, 0);
      atom *= Math.max(copies, 1);
      at += whole.length - 1;
    } else {
      at = endOfAtom(source, at);
      atom = 1;
      total += 1;
    }
  }
  return total;
}

/** The place of the last character of the class, escape or character that begins at `at`. */
function endOfAtom(source: string, at: number): number {
  if (source[at] === '\\') {
    const isBraced = /^[pPxu]\{/.test(source.slice(at + 1, at + 3));
    const end = isBraced ? source.indexOf('}', at) : at + 1;
    return end < 0 ? at + 1 : end;
  }
  if (source[at] !== '[') return at;
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end++;
    else if (source[end] === ']') return end;
  }
  return at;
}
