import { invariant } from '../kernel/assert.ts';
import { ReachError } from './errors.ts';
import { findJsonFaults } from './json-faults.ts';

// Design. JSON.parse is several times faster than anything written in JavaScript, but it hides
// what it repaired: the last of two equal keys wins and 2^53 + 1 becomes 2^53. So the native result
// is walked once, and a plain yes or no comes out. Only after a no is the text read again, slowly,
// to say where and why (json-faults.ts).

/** How much nesting is read. */
export interface JsonLimits {
  /** Containers inside each other; a scalar is depth 0, `[]` and `{}` are depth 1. */
  depthMax: number;
}

/**
 * Reads JSON that came from outside, refusing what two readers could understand differently:
 * "I-JSON in" (RFC 7493). What it returns survives `JSON.stringify` and comes back equal.
 *
 * Throws `validation-failed`, with line and column, for text that is not JSON. Throws
 * `unsafe-json`, with a pointer to each offending member (at most 8), for a duplicate key, a number
 * beyond ±(2^53 − 1) or too large for a double, U+0000 or half a surrogate pair in a string or a
 * key, the key `__proto__`, a `constructor` that holds a `prototype`, and nesting over the limit.
 *
 * Numbers are judged by value, however they are spelt: JSON.stringify prints 1e17 as digits, so a
 * spelling that was let in would be refused by the next reader.
 */
export function parseJson(text: string, limits: JsonLimits): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refusal(text, limits, error);
  }
  if (!isSafe(value, text, limits.depthMax)) throw refusal(text, limits);
  return value;
}

function isSafe(root: unknown, text: string, depthMax: number): boolean {
  // A valid text holds U+0000 only as an escape, and half a surrogate pair only as an escape or as
  // it stands. Most texts have neither, and then no string need be looked at.
  const looksAtStrings = text.includes('\\u') || !text.isWellFormed();
  const members = membersIn(root, looksAtStrings, depthMax);
  // Each member was written with one colon. More colons than members: a key was overwritten.
  return members >= 0 && members === countColons(text);
}

/**
 * The number of members of all objects in a value, −1 if something in it is unsafe. Goes no deeper
 * than `depthLeft`: a bomb of brackets finds no stack to blow.
 */
function membersIn(value: unknown, looksAtStrings: boolean, depthLeft: number): number {
  if (typeof value !== 'object' || value === null) {
    return isSafeScalar(value, looksAtStrings) ? 0 : -1;
  }
  if (depthLeft === 0) return -1;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      const inside = membersIn(item, looksAtStrings, depthLeft - 1);
      if (inside < 0) return -1;
      members += inside;
    }
    return members;
  }
  for (const key in value) {
    if (key === '__proto__') return -1;
    if (looksAtStrings && !isSafeString(key)) return -1;
    const member = (value as Record<string, unknown>)[key];
    if (key === 'constructor' && isPrototypeHolder(member)) return -1;
    const inside = membersIn(member, looksAtStrings, depthLeft - 1);
    if (inside < 0) return -1;
    members += 1 + inside;
  }
  return members;
}

function isPrototypeHolder(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype');
}

function isSafeScalar(value: unknown, looksAtStrings: boolean): boolean {
  if (typeof value === 'number') {
    return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER;
  }
  return !looksAtStrings || typeof value !== 'string' || isSafeString(value);
}

function isSafeString(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/** Colons outside strings, in a text that is known to be JSON. */
function countColons(text: string): number {
  let colons = 0;
  for (let at = 0; at < text.length; at++) {
    let code = text.charCodeAt(at);
    if (code === COLON) colons++;
    else if (code === QUOTE) {
      do {
        code = text.charCodeAt(++at);
        if (code === BACKSLASH) at++;
      } while (code !== QUOTE);
    }
  }
  return colons;
}

function refusal(text: string, limits: JsonLimits, cause?: unknown): ReachError {
  const { issues, broken } = findJsonFaults(text, limits.depthMax);
  const first = issues[0];
  if (broken !== undefined) {
    return new ReachError(
      'validation-failed',
      `The text is not JSON: ${broken.detail}.`,
      {
        errors: [broken],
      },
      cause,
    );
  }
  invariant(first !== undefined, 'the two readers of JSON disagree');
  return new ReachError(
    'unsafe-json',
    `The JSON is not safe to read: ${first.pointer} ${first.detail}.`,
    {
      errors: issues,
    },
  );
}
