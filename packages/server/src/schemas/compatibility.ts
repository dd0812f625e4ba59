import { canonicalize, escape, type JsonSchema } from '@agent-reach/core';
import { keywordOf } from './grammar.ts';
import { alternativeFaults, boundFaults, enumFault, otherFaults, typeFault } from './narrowing.ts';
import { type Question, type Reason, type Side, show, under } from './question.ts';
import { targetOf } from './references.ts';
import { isObject } from './values.ts';

// Teacher. A schema is the set of values that fit it. What callers send must keep fitting, so an
// input may grow and not shrink: before ⊆ after. What callers read must keep being what they
// expect, so an output may shrink and not grow: after ⊆ before. Both are one question, asked in
// opposite directions: may a value of `wide` miss `narrow`? For an input, wide is the version
// before; for an output, the version after. `not` turns the direction round once more.
//
// Two departures from pure sets. A reader ignores fields that it does
// not know, so a field added to an output is compatible even where additional fields were forbidden.
// And a field that disappears is breaking even where it is silently ignored: a call that is
// accepted and no longer does what it says is worse than one that is refused.
//
// The answer errs to the strict side where sets are hard (`if`, `allOf`, …): what is neither equal
// nor plainly wider counts as breaking. The forms of a `oneOf` are taken to exclude each other, as
// their author says, so that one more form is compatible. The cost of that error is a mark in a list;
// an agent is never dropped for it.

/** What a capability takes and gives. */
export interface SchemaPair {
  input: JsonSchema;
  output: JsonSchema;
}

/** More than anybody reads; the last one then counts the rest. */
const SENTENCES_MAX = 20;

/**
 * Why callers of the version before may fail with the version after: sentences that name the
 * place, at most 20. Empty: compatible.
 *
 * Breaking for an input: a field that is newly required or gone, a type or a listed value no
 * longer taken, a bound drawn tighter, additional fields closed. Breaking for an output, because
 * callers read it: a field gone or no longer always there, another type, a new listed value, a
 * bound loosened. Adding an optional field is compatible on either side. Both pairs must be
 * admitted schemas. What an `effort` no longer covers counts as changed.
 */
export function breakingChanges(
  before: SchemaPair,
  after: SchemaPair,
  effort: Effort = startEffort(),
): string[] {
  const reasons = (['input', 'output'] as const).flatMap((side) => {
    const [wide, narrow] =
      side === 'input' ? [before.input, after.input] : [after.output, before.output];
    if (canonicalize(wide) === canonicalize(narrow)) return [];
    const found = new Comparison(side, wide, narrow, effort).compare(wide, narrow);
    return found.map(({ at, says }) => `${side} #${at} ${says}`);
  });
  const sentences = [...new Set(reasons)];
  if (sentences.length <= SENTENCES_MAX) return sentences;
  const rest = sentences.length - SENTENCES_MAX + 1;
  return [...sentences.slice(0, SENTENCES_MAX - 1), `and ${rest} more`];
}

/** What comparisons that belong together may still spend; it shrinks as they go. */
export interface Effort {
  /** Pairs of schemas looked at, 2 µs each. */
  pairs: number;
}

/** 40 ms. Two honest versions of a large manifest need a few thousand pairs. */
const PAIRS_MAX = 20_000;

/** What all schemas of one manifest may spend together. */
export function startEffort(): Effort {
  return { pairs: PAIRS_MAX };
}

/** Names of one property under both versions. */
interface Property {
  name: string;
  at: string;
  wide: unknown;
  narrow: unknown;
}

/** Asks whether a value of `wide` may miss `narrow`. Recursive: admitted schemas are shallow. */
class Comparison implements Question {
  readonly side: Side;
  readonly #wideRoot: JsonSchema;
  readonly #narrowRoot: JsonSchema;
  /** Pairs that were compared or are being compared; a pair met inside itself adds nothing. */
  readonly #known = new Map<object, Map<object, Reason[]>>();
  /** Shared with the mirror: both are one piece of work. */
  readonly #effort: Effort;
  #mirror: Comparison | undefined;

  constructor(side: Side, wideRoot: JsonSchema, narrowRoot: JsonSchema, effort: Effort) {
    this.side = side;
    this.#wideRoot = wideRoot;
    this.#narrowRoot = narrowRoot;
    this.#effort = effort;
  }

  compare(wideGiven: unknown, narrowGiven: unknown): Reason[] {
    const wide = asObject(follow(wideGiven, this.#wideRoot));
    const narrow = asObject(follow(narrowGiven, this.#narrowRoot));
    if (wide === 'nothing') return [];
    if (narrow === 'nothing') {
      return [
        { at: '', says: this.say('takes nothing any more', 'was never there, and may be now') },
      ];
    }
    const known = slot(this.#known, wide);
    const found = known.get(narrow);
    if (found !== undefined) return found;
    const reasons: Reason[] = [];
    known.set(narrow, reasons);
    if (--this.#effort.pairs < 0) {
      reasons.push({ at: '', says: 'is too large to compare, so it counts as changed' });
    } else reasons.push(...this.#reasons(wide, narrow));
    return reasons;
  }

  reversed(): Comparison {
    if (this.#mirror === undefined) {
      this.#mirror = new Comparison(this.side, this.#narrowRoot, this.#wideRoot, this.#effort);
      this.#mirror.#mirror = this;
    }
    return this.#mirror;
  }

  say(input: string, output: string): string {
    return this.side === 'input' ? input : output;
  }

  change(wide: unknown, narrow: unknown): string {
    const [before, after] = this.side === 'input' ? [wide, narrow] : [narrow, wide];
    return `was ${show(before)}, is now ${show(after)}`;
  }

  #reasons(wide: JsonSchema, narrow: JsonSchema): Reason[] {
    const type = typeFault(this, wide, narrow);
    // Another type makes every other difference a matter of course.
    if (type !== undefined) return [{ at: '/type', says: type }];
    const listed = enumFault(this, wide, narrow);
    return [
      ...(listed === undefined ? [] : [{ at: '', says: listed }]),
      ...boundFaults(this, wide, narrow),
      ...this.#propertyFaults(wide, narrow),
      ...this.#restFaults(wide, narrow),
      ...this.#itemFaults(wide, narrow),
      ...alternativeFaults(this, wide, narrow),
      ...otherFaults(this, wide, narrow),
    ];
  }

  #propertyFaults(wide: JsonSchema, narrow: JsonSchema): Reason[] {
    const wides = asMap(wide['properties']);
    const narrows = asMap(narrow['properties']);
    const wideRequired = new Set(asList(wide['required']));
    const newlyRequired = asList(narrow['required']).filter((name) => !wideRequired.has(name));
    const names = new Set([...Object.keys(wides), ...Object.keys(narrows)]);
    const reasons = [...names].flatMap((name) =>
      this.#propertyFault({
        name,
        at: `/properties/${escape(name)}`,
        wide: own(wides, name),
        narrow: own(narrows, name),
      }),
    );
    for (const name of newlyRequired) {
      // A field that vanished from an output was reported as gone already.
      if (
        this.side === 'output' &&
        own(narrows, name) !== undefined &&
        own(wides, name) === undefined
      ) {
        continue;
      }
      const says = this.say('is now required', 'is no longer always there, and callers read it');
      reasons.push({ at: `/properties/${escape(name)}`, says });
    }
    return reasons;
  }

  #propertyFault({ at, wide, narrow }: Property): Reason[] {
    if (wide !== undefined && narrow !== undefined) {
      return this.compare(wide, narrow).map((reason) => ({ ...reason, at: at + reason.at }));
    }
    if (this.side === 'input') {
      return wide === undefined ? [] : [{ at, says: 'was removed, and callers send it' }];
    }
    return narrow === undefined ? [] : [{ at, says: 'was removed, and callers read it' }];
  }

  /** Fields that are not listed. Readers of an output ignore them, so only inputs can break. */
  #restFaults(wide: JsonSchema, narrow: JsonSchema): Reason[] {
    return ['additionalProperties', 'unevaluatedProperties'].flatMap((keyword) => {
      const [wider, narrower] = [wide[keyword], narrow[keyword]];
      if (isObject(wider) && isObject(narrower)) {
        return under(`/${keyword}`, this.compare(wider, narrower));
      }
      const isOpen = narrower === undefined || narrower === true;
      if (this.side === 'output' || isOpen || wider === false) return [];
      const says =
        narrower === false
          ? 'now refuses fields that are not listed'
          : 'now says how fields that are not listed must be';
      return [{ at: `/${keyword}`, says }];
    });
  }

  #itemFaults(wide: JsonSchema, narrow: JsonSchema): Reason[] {
    const wides = asList<unknown>(wide['prefixItems']);
    const narrows = asList<unknown>(narrow['prefixItems']);
    const rest =
      narrow['items'] === undefined ? [] : this.compare(wide['items'] ?? true, narrow['items']);
    const first = narrows.flatMap((item, index) =>
      under(`/prefixItems/${index}`, this.compare(wides[index] ?? wide['items'] ?? true, item)),
    );
    const more = narrow['items'] === undefined ? [] : wides.slice(narrows.length);
    const beyond = more.flatMap((item) => this.compare(item, narrow['items']));
    return [...first, ...under('/items', [...rest, ...beyond])];
  }
}

/** A schema that is only a `$ref` is what it refers to. One circle of references ends somewhere. */
function follow(schema: unknown, root: JsonSchema): unknown {
  let at = schema;
  while (isObject(at) && typeof at['$ref'] === 'string' && isPlainReference(at)) {
    at = resolve(at['$ref'], root);
  }
  return at;
}

function isPlainReference(schema: JsonSchema): boolean {
  return Object.keys(schema).every((name) => {
    const role = keywordOf(name)?.role;
    return name === '$ref' || role === 'note' || role === 'holder';
  });
}

function resolve(reference: string, root: JsonSchema): unknown {
  let at: unknown = root;
  for (const token of targetOf(reference).split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined;
  }
  return at;
}

/** One object for every `true`, for pairs are known by identity. */
const ANYTHING: JsonSchema = {};

function asObject(schema: unknown): JsonSchema | 'nothing' {
  if (schema === false) return 'nothing';
  return isObject(schema) ? schema : ANYTHING;
}

function asMap(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function asList<Item = string>(value: unknown): Item[] {
  return Array.isArray(value) ? (value as Item[]) : [];
}

function own(map: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

function slot(map: Map<object, Map<object, Reason[]>>, key: object): Map<object, Reason[]> {
  let inner = map.get(key);
  if (inner === undefined) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}
