import { escape } from './check.ts';
import type { Issue } from './errors.ts';

/** What a text has that keeps it from being read. */
export interface JsonFaults {
  /** Why it is unsafe, at most 8, in the order of the text. */
  issues: Issue[];
  /** Where it stops being JSON; nothing behind that point was looked at. */
  broken?: Issue;
}

const ISSUES_MAX = 8;
/** A key may be as long as a body; an error that repeats it must not be. */
const POINTER_CHARS_MAX = 1024;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const LITERALS = ['true', 'false', 'null'];

/**
 * Reads a text that `parseJson` refused and says where and why.
 *
 * The slow reader: the whole grammar of RFC 8259, one token after another, with the path at hand.
 * Iterative, and it stops at the first container that is too deep, so a bomb costs no memory.
 */
export function findJsonFaults(text: string, depthMax: number): JsonFaults {
  const reader = new Reader(text, depthMax);
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof Break)) throw error;
    if (error.detail !== undefined) {
      const detail = `${lineAndColumn(text, error.at)}: ${error.detail}`;
      return { issues: reader.issues, broken: { pointer: '#', detail } };
    }
  }
  return { issues: reader.issues };
}

/** Ends the reading: the text is broken at a place, or enough is known. */
class Break extends Error {
  readonly at: number;
  readonly detail: string | undefined;

  constructor(at: number, detail?: string) {
    super(detail);
    this.at = at;
    this.detail = detail;
  }
}

/** A container that is open. `keys` is there for objects only. */
interface Frame {
  keys: Set<string> | undefined;
  key: string;
  index: number;
}

class Reader {
  readonly issues: Issue[] = [];
  readonly #text: string;
  readonly #depthMax: number;
  readonly #frames: Frame[] = [];
  #at = 0;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  read(): void {
    do this.#value();
    while (this.#hasNext());
  }

  /** One scalar, one empty container, or the way down to the first member of a full one. */
  #value(): void {
    for (;;) {
      const char = this.#peek();
      if (char === '{' || char === '[') {
        if (this.#opensEmpty(char)) return;
        if (char === '{') this.#key();
        continue;
      }
      if (char === '"') this.#checkString(this.#string());
      else if (!this.#literal()) this.#number();
      return;
    }
  }

  /** Enters a container, and leaves it at once if it is empty. */
  #opensEmpty(opener: '{' | '['): boolean {
    const isObject = opener === '{';
    this.#at++;
    if (this.#frames.length === this.#depthMax) {
      this.#report(`is nested deeper than ${this.#depthMax} levels`);
      throw new Break(this.#at);
    }
    this.#frames.push({ keys: isObject ? new Set() : undefined, key: '', index: 0 });
    if (this.#peek() !== (isObject ? '}' : ']')) return false;
    this.#at++;
    this.#frames.pop();
    return true;
  }

  /** After a value: closes what ends here and steps to the next member, if there is one. */
  #hasNext(): boolean {
    for (;;) {
      const frame = this.#frames.at(-1);
      const char = this.#peek();
      if (frame === undefined) {
        if (char !== '') this.#fail('nothing may follow the value');
        return false;
      }
      const closer = frame.keys === undefined ? ']' : '}';
      if (char !== ',' && char !== closer) this.#fail(`"," or "${closer}" is missing`);
      this.#at++;
      if (char === ',') {
        if (frame.keys === undefined) frame.index++;
        else this.#key();
        return true;
      }
      this.#frames.pop();
    }
  }

  #key(): void {
    if (this.#peek() !== '"') this.#fail('a key in double quotes is missing');
    const key = this.#string();
    const frame = this.#frames.at(-1);
    if (frame?.keys === undefined) return;
    const holder = this.#frames.at(-2);
    if (key === 'prototype' && holder?.keys !== undefined && holder.key === 'constructor') {
      this.#report('holds a prototype', this.#frames.length - 1);
    }
    frame.key = key;
    if (frame.keys.has(key)) this.#report('is a duplicate key');
    frame.keys.add(key);
    if (key === '__proto__') this.#report('is a key that is never allowed');
    this.#checkString(key);
    if (this.#peek() !== ':') this.#fail('":" is missing');
    this.#at++;
  }

  #string(): string {
    const start = this.#at++;
    let isPlain = true;
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === 0x22) break;
      // Past the end the code is NaN, and every comparison with it is false.
      if (!(code >= 0x20)) this.#fail('a string is not closed or holds a control character');
      if (code === 0x5c) {
        isPlain = false;
        if (this.#match(ESCAPE) === '') this.#fail('a backslash starts no known escape');
      } else this.#at++;
    }
    this.#at++;
    if (isPlain) return this.#text.slice(start + 1, this.#at - 1);
    return JSON.parse(this.#text.slice(start, this.#at)) as string;
  }

  #checkString(value: string): void {
    if (value.includes('\0')) this.#report('holds the character U+0000');
    if (!value.isWellFormed()) this.#report('holds half of a surrogate pair');
  }

  #literal(): boolean {
    const literal = LITERALS.find((word) => this.#text.startsWith(word, this.#at));
    if (literal === undefined) return false;
    this.#at += literal.length;
    return true;
  }

  #number(): void {
    const digits = this.#match(NUMBER);
    if (digits === '') this.#fail('a value is missing');
    const value = Number(digits);
    if (!Number.isFinite(value)) this.#report('is too large for a number');
    else if (Math.abs(value) > Number.MAX_SAFE_INTEGER) this.#report('is beyond ±(2^53 − 1)');
  }

  /** The next character that is not blank; empty at the end. */
  #peek(): string {
    let char = this.#text.charAt(this.#at);
    while (char === ' ' || char === '\n' || char === '\t' || char === '\r') {
      char = this.#text.charAt(++this.#at);
    }
    return char;
  }

  /** What `pattern` finds exactly here, and steps over it; empty if nothing. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  /** Notes a fault at the current member, or at an outer one. */
  #report(detail: string, depth = this.#frames.length): void {
    if (this.issues.length === ISSUES_MAX) return;
    let pointer = '#';
    for (const frame of this.#frames.slice(0, depth)) {
      pointer += `/${frame.keys === undefined ? frame.index : escape(frame.key)}`;
    }
    if (pointer.length > POINTER_CHARS_MAX) pointer = `${pointer.slice(0, POINTER_CHARS_MAX)}…`;
    this.issues.push({ pointer, detail });
  }

  #fail(detail: string): never {
    throw new Break(this.#at, detail);
  }
}

function lineAndColumn(text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  return `line ${line}, column ${at - before.lastIndexOf('\n')}`;
}
