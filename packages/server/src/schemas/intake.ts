import { escape, type Issue } from '@agent-reach/core';
import { keywordOf, refusalOf } from './grammar.ts';
import { LIMITS, LOOPED_FROM } from './limits.ts';
import { measureJson } from './measure.ts';
import { judgePattern } from './pattern.ts';
import { judgeReferences, type Place } from './references.ts';
import { isObject, isUnboundedUnique, valueFault } from './values.ts';

// Design. A schema from outside is a small program that this process will run, so it is read three
// times before anything is built of it, each time at a cost that the reading before has bounded:
// as JSON (size, nesting), as a schema (known keywords, sound values, few parts), as a graph of
// references. Whatever passes, Ajv compiles without a fault, and within 50 ms.

/**
 * The faults of a schema that came from outside, at most 8; none when it may be compiled.
 *
 * `pointer` says where the schema stands in its document (`#/capabilities/0/input_schema`), so that
 * each fault names its place there, with the value and the bound. The bounds are `LIMITS`. Takes
 * any value, and time linear in its size: nothing here recurses. Schemas that arrive together share
 * one `allowance`, since together they hold the loop.
 */
export function admitSchema(
  schema: unknown,
  pointer: string,
  allowance: Allowance = { patternSizes: LIMITS.patternSizes },
): Issue[] {
  if (!isObject(schema)) return [{ pointer, detail: 'must be a JSON Schema, an object' }];
  const tooMuch = measureJson(schema, pointer);
  if (tooMuch !== undefined) return [tooMuch];
  const reading = new Reading(pointer, allowance);
  reading.read(schema);
  if (reading.issues.length > 0) return reading.issues;
  return judgeReferences(reading.places, pointer).slice(0, LIMITS.issues);
}

/** What schemas that arrive together may cost together; it shrinks as they are read. */
export interface Allowance {
  /** Instructions of compiled patterns. */
  patternSizes: number;
}

/** One pass over the schemas inside a schema, in the order of the text. */
class Reading {
  readonly issues: Issue[] = [];
  /** By pointer below the root, `''` for the root itself. */
  readonly places = new Map<string, Place>();
  readonly #base: string;
  readonly #waiting: { at: string; schema: unknown; depth: number }[] = [];
  readonly #allowance: Allowance;
  #parts = 0;

  constructor(base: string, allowance: Allowance) {
    this.#base = base;
    this.#allowance = allowance;
  }

  read(root: Record<string, unknown>): void {
    this.#waiting.push({ at: '', schema: root, depth: 1 });
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      const { at, schema, depth } = next;
      const place: Place = { depth, here: [], reference: undefined };
      this.places.set(at, place);
      if (typeof schema === 'boolean') continue;
      if (!isObject(schema)) this.#fault(at, 'must be a schema: an object, true or false');
      else if (depth > LIMITS.depth) {
        this.#fault(at, `is nested ${depth} schemas deep, at most ${LIMITS.depth}`);
      } else this.#readSchema(at, schema, place);
      const isTooLarge = this.#parts > LIMITS.parts || this.#allowance.patternSizes < 0;
      if (isTooLarge) this.#tooLarge();
      if (isTooLarge || this.issues.length >= LIMITS.issues) return;
    }
  }

  #readSchema(at: string, schema: Record<string, unknown>, place: Place): void {
    const mark = this.#waiting.length;
    for (const [name, value] of Object.entries(schema)) {
      const where = `${at}/${escape(name)}`;
      const keyword = keywordOf(name);
      if (keyword === undefined) {
        this.#fault(where, refusalOf(name));
        continue;
      }
      if (keyword.role !== 'note' && keyword.role !== 'holder') this.#parts++;
      const fault = valueFault(keyword.shape, value);
      if (fault !== undefined) {
        this.#fault(fault.at === undefined ? where : `${where}/${fault.at}`, fault.detail);
        continue;
      }
      if (keyword.shape === 'pattern') this.#readPattern(where, value as string);
      if (keyword.shape === 'reference') place.reference = value as string;
      this.#parts += listed(keyword.shape, value);
      for (const below of childrenOf(keyword.shape, where, value)) {
        if (keyword.shape === 'schemas') this.#parts++;
        if (keyword.shape === 'pattern-map') this.#readPattern(below.at, below.name);
        if (keyword.role === 'here') place.here.push(below.at);
        this.#waiting.push({ at: below.at, schema: below.schema, depth: place.depth + 1 });
      }
    }
    if (isUnboundedUnique(schema)) {
      this.#fault(
        `${at}/uniqueItems`,
        `needs "items" of one scalar "type", or "maxItems" of at most ${LIMITS.uniqueItems}`,
      );
    }
    // The stack answers last things first; the reader of the faults expects them as they stand.
    this.#waiting.push(...this.#waiting.splice(mark).reverse());
  }

  #readPattern(where: string, source: string): void {
    if (this.#allowance.patternSizes < 0) return;
    const verdict = judgePattern(source);
    if (verdict.usable) this.#allowance.patternSizes -= verdict.size;
    else this.#fault(where, verdict.fault);
  }

  #tooLarge(): void {
    if (this.#parts > LIMITS.parts) {
      const what = 'parts (keywords, branches and listed names; notes are free)';
      this.#fault('', `has more than ${LIMITS.parts} ${what}; split the capability`);
    } else {
      const bound = `at most ${LIMITS.patternSizes} together`;
      this.#fault('', `has patterns of too many instructions, ${bound}; use "maxLength", "enum"`);
    }
  }

  #fault(at: string, detail: string): void {
    if (this.issues.length < LIMITS.issues) this.issues.push({ pointer: this.#base + at, detail });
  }
}

/** How much code a listing keyword adds to its own. */
function listed(shape: string, value: unknown): number {
  if (shape === 'names-map') return Object.values(value as object).flat().length;
  if (!Array.isArray(value)) return 0;
  if (shape === 'type') return value.length;
  return shape === 'names' ? Math.min(value.length, LOOPED_FROM) : 0;
}

interface Below {
  at: string;
  name: string;
  schema: unknown;
}

/** The schemas directly inside the value of a keyword. */
function childrenOf(shape: string, at: string, value: unknown): Below[] {
  switch (shape) {
    case 'schema':
      return [{ at, name: '', schema: value }];
    case 'schemas':
    case 'schema-map':
    case 'pattern-map':
      return Object.entries(value as object).map(([name, schema]) => ({
        at: `${at}/${escape(name)}`,
        name,
        schema: schema as unknown,
      }));
    default:
      return [];
  }
}
