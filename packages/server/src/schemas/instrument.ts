import { escape } from '@agent-reach/core';
import { keywordOf } from './grammar.ts';
import { targetOf } from './references.ts';
import { isObject } from './values.ts';

/** Our own keyword: `[weight, isSized]`, paid when the schema that holds it is entered. */
export const CHARGE = 'x-reach-charge';

/** A schema made ready for Ajv. */
export interface Instrumented {
  schema: Record<string, unknown>;
  keywords: number;
  /** It asks which fields or items no other keyword looked at, so all of them must keep record. */
  hasUnevaluated: boolean;
}

/** What surrounds a schema while it is copied. */
interface Setting {
  /** It is applied to each of arbitrarily many parts of the value. */
  each: boolean;
  /** The schema's text may apply it to one value more than once. */
  multiplied: boolean;
  /** Values here must not be shown. */
  secret: boolean;
}

/**
 * Keywords whose time grows with the size of the value they look at. They are charged for it where
 * one value may meet them many times; met once, they are as cheap as reading the value was.
 */
const SIZED: ReadonlySet<string> = new Set([
  'minLength',
  'maxLength',
  'items',
  'contains',
  'unevaluatedItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
]);

/**
 * A copy of an admitted schema in which running time is paid for (see budget.ts). Notes are left
 * out. What a `$ref` leads to moves into `$defs` under a plain name, so that nothing depends on how
 * a library reads odd pointers, and no part is compiled twice.
 *
 * `chargesAll` lets no list and no object pass for nothing: needed where each item and each field
 * may leave an error behind.
 */
export function instrument(root: Record<string, unknown>, chargesAll: boolean): Instrumented {
  const copying = new Copying(chargesAll);
  copying.nameTargets(root);
  const schema = copying.copy(root, '', { each: false, multiplied: false, secret: false }).schema;
  const top = isObject(schema) ? schema : {};
  return {
    schema: { ...top, $defs: copying.copyTargets() },
    keywords: copying.keywords,
    hasUnevaluated: copying.hasUnevaluated,
  };
}

interface Copied {
  schema: unknown;
  /** Keywords that run whenever this schema does. */
  weight: number;
}

/** Recursive: the schema was admitted, so it is at most `LIMITS.depth` deep. */
class Copying {
  keywords = 0;
  hasUnevaluated = false;
  readonly #chargesAll: boolean;
  readonly #targets = new Map<string, { name: string; schema: unknown; secret: boolean }>();

  constructor(chargesAll: boolean) {
    this.#chargesAll = chargesAll;
  }

  /** Finds every place that is referred to, and gives it a name. */
  nameTargets(root: unknown): void {
    const wanted = new Set<string>();
    eachSchema(root, '', (schema) => {
      if (isObject(schema)) {
        this.hasUnevaluated ||= 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
      }
      const reference = isObject(schema) ? schema['$ref'] : undefined;
      if (typeof reference === 'string') wanted.add(targetOf(reference));
    });
    eachSchema(root, '', (schema, at) => {
      if (!wanted.has(at)) return;
      this.#targets.set(at, { name: `d${this.#targets.size}`, schema, secret: false });
    });
  }

  copyTargets(): Record<string, unknown> {
    const copies = [...this.#targets].map(([at, target]) => {
      const setting = { each: false, multiplied: true, secret: target.secret };
      return [target.name, this.#copyInner(target.schema, at, setting, true).schema] as const;
    });
    return Object.fromEntries(copies);
  }

  copy(schema: unknown, at: string, setting: Setting): Copied {
    const reference = this.#referTo(at, setting);
    if (reference !== undefined) return { schema: { $ref: reference }, weight: 1 };
    return this.#copyInner(schema, at, setting, false);
  }

  /** The new `$ref` to a place, if it has one. */
  #referTo(at: string, setting: Setting): string | undefined {
    const target = this.#targets.get(at);
    if (target === undefined) return undefined;
    if (setting.secret) target.secret = true;
    return `#/$defs/${target.name}`;
  }

  #copyInner(schema: unknown, at: string, outer: Setting, isTarget: boolean): Copied {
    if (!isObject(schema)) return { schema, weight: 0 };
    const secret = outer.secret || saysSecret(schema);
    const copy: Record<string, unknown> = {};
    let weight = 0;
    let isSized = false;
    for (const [name, value] of Object.entries(schema)) {
      const keyword = keywordOf(name);
      if (keyword === undefined || keyword.role === 'note' || keyword.role === 'holder') continue;
      const isHere = keyword.role === 'here';
      const setting: Setting = {
        each: keyword.role === 'each',
        multiplied: outer.multiplied || isHere,
        secret,
      };
      const copied = this.#copyValue(keyword.shape, value, `${at}/${escape(name)}`, setting);
      copy[name] = copied.schema;
      weight += 1 + (setting.each ? 0 : copied.weight);
      isSized ||= SIZED.has(name);
      this.keywords++;
    }
    if (secret) copy['writeOnly'] = true;
    const isPaidBySize = (outer.multiplied || this.#chargesAll) && isSized;
    // A type and one bound are cheaper than a call that counts them.
    const isPaidByItem = outer.each && weight > 2;
    if (isTarget || isPaidBySize || isPaidByItem) copy[CHARGE] = [weight, isPaidBySize];
    return { schema: this.hasUnevaluated ? setApart(copy) : copy, weight };
  }

  #copyValue(shape: string, value: unknown, at: string, setting: Setting): Copied {
    switch (shape) {
      case 'schema':
        return this.copy(value, at, setting);
      case 'schemas':
      case 'schema-map':
      case 'pattern-map': {
        let weight = 0;
        const entries = Object.entries(value as object).map(([name, below]) => {
          const copied = this.copy(below, `${at}/${escape(name)}`, setting);
          weight += copied.weight;
          return [name, copied.schema] as const;
        });
        const isList = shape === 'schemas';
        return {
          schema: isList ? entries.map(([, schema]) => schema) : Object.fromEntries(entries),
          weight,
        };
      }
      case 'reference':
        return { schema: this.#referTo(targetOf(value as string), setting), weight: 1 };
      default:
        return { schema: value, weight: 0 };
    }
  }
}

/**
 * Ajv 8.20 makes code that throws of `patternProperties` beside a combinator, if it must keep record
 * of the fields seen: it writes into a record that a failed branch left undefined. In a branch of
 * their own, these keywords mean the same and start a record of their own.
 */
function setApart(schema: Record<string, unknown>): Record<string, unknown> {
  if (schema['patternProperties'] === undefined) return schema;
  const { properties, patternProperties, additionalProperties, writeOnly, ...rest } = schema;
  const branch = { properties, patternProperties, additionalProperties, writeOnly };
  const given = Object.entries(branch).filter(([, value]) => value !== undefined);
  const all = (rest['allOf'] as unknown[] | undefined) ?? [];
  return { ...rest, allOf: [Object.fromEntries(given), ...all] };
}

/** Whether a schema says that its values must not be shown. */
export function saysSecret(schema: Record<string, unknown>): boolean {
  return schema['writeOnly'] === true || schema['x-reach-sensitive'] === true;
}

/** Visits a schema and all inside it, each with its pointer. */
export function eachSchema(
  schema: unknown,
  at: string,
  visit: (schema: unknown, at: string) => void,
): void {
  visit(schema, at);
  if (!isObject(schema)) return;
  for (const [name, value] of Object.entries(schema)) {
    const shape = keywordOf(name)?.shape;
    const below = `${at}/${escape(name)}`;
    if (shape === 'schema') eachSchema(value, below, visit);
    else if (shape === 'schemas' || shape === 'schema-map' || shape === 'pattern-map') {
      for (const [key, inner] of Object.entries(value as object)) {
        eachSchema(inner, `${below}/${escape(key)}`, visit);
      }
    }
  }
}
