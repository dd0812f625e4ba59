import { escape, type JsonSchema } from '@agent-reach/core';
import { keywordOf } from './grammar.ts';
import { eachSchema, saysSecret } from './instrument.ts';
import { targetOf } from './references.ts';
import { isObject } from './values.ts';

/** What of a schema says where its secrets are, and nothing else of it. */
export interface SecretPart {
  schema: JsonSchema;
  /** The same as JSON: equal parts have equal texts, or are merely counted twice. */
  text: string;
}

/** All of it is secret. */
export const WHOLLY_SECRET: SecretPart = partOf({ writeOnly: true });

/**
 * The part of an admitted schema that leads to what it calls secret: with it, values can be masked when
 * whoever declared the schema is gone. Undefined: it calls nothing so. Made once for a schema.
 */
export function secretPartOf(schema: JsonSchema): SecretPart | undefined {
  if (known.has(schema)) return known.get(schema);
  const leading = leadingIn(schema);
  const part = leading.has('') ? partOf(copyOf(schema, '', leading) as JsonSchema) : undefined;
  known.set(schema, part);
  return part;
}

const known = new WeakMap<JsonSchema, SecretPart | undefined>();

function partOf(schema: JsonSchema): SecretPart {
  return { schema, text: JSON.stringify(schema) };
}

/** Places of the schemas that say secret, or lead to one that does. */
function leadingIn(root: JsonSchema): ReadonlySet<string> {
  const leading = new Set<string>();
  const references: [from: string, to: string][] = [];
  /** All that stand around a schema lead to it. */
  const lead = (at: string): boolean => {
    if (leading.has(at)) return false;
    for (let end = at.length; end >= 0; end = end === 0 ? -1 : at.lastIndexOf('/', end - 1)) {
      leading.add(at.slice(0, end));
    }
    return true;
  };
  eachSchema(root, '', (schema, at) => {
    if (!isObject(schema)) return;
    if (saysSecret(schema)) lead(at);
    const reference = schema['$ref'];
    if (typeof reference === 'string') references.push([at, targetOf(reference)]);
  });
  for (let isNew = true; isNew; ) {
    isNew = false;
    for (const [from, to] of references) if (leading.has(to) && lead(from)) isNew = true;
  }
  return leading;
}

type Schema = Record<string, unknown>;

/** Recursive: the schema was admitted, so it is at most `LIMITS.depth` deep. */
function copyOf(schema: unknown, at: string, leading: ReadonlySet<string>): unknown {
  // Nothing is secret here; the place itself may still count, see `copyBelow`.
  if (!isObject(schema) || !leading.has(at)) return true;
  const copy: Schema = saysSecret(schema) ? { writeOnly: true } : {};
  for (const [name, value] of Object.entries(schema)) {
    const shape = keywordOf(name)?.shape;
    const below = `${at}/${escape(name)}`;
    if (shape === 'schema') {
      if (leading.has(below)) copy[name] = copyOf(value, below, leading);
    } else if (shape === 'schemas') {
      // Each keeps its number: references and values go by it.
      const isCounted = name === 'prefixItems' && leading.has(`${at}/items`);
      if (!isCounted && !leading.has(below)) continue;
      const items = value as readonly unknown[];
      copy[name] = items.map((item, n) => copyOf(item, `${below}/${n}`, leading));
    } else if (shape === 'schema-map' || shape === 'pattern-map') {
      const kept = copyBelow(value as Schema, below, { isAll: hidesOthers(at, leading), leading });
      if (Object.keys(kept).length > 0) copy[name] = kept;
    } else if (shape === 'reference' && leading.has(targetOf(value as string))) {
      copy[name] = value;
    }
  }
  return copy;
}

/** `isAll`: what is named here is not one of the others, which are secret. */
function copyBelow(
  map: Schema,
  at: string,
  { isAll, leading }: { isAll: boolean; leading: ReadonlySet<string> },
): Schema {
  const entries = Object.entries(map).map(([name, value]) => {
    const below = `${at}/${escape(name)}`;
    return { name, below, value };
  });
  return Object.fromEntries(
    entries
      .filter(({ below }) => isAll || leading.has(below))
      .map(({ name, below, value }) => [name, copyOf(value, below, leading)]),
  );
}

function hidesOthers(at: string, leading: ReadonlySet<string>): boolean {
  return leading.has(`${at}/additionalProperties`) || leading.has(`${at}/unevaluatedProperties`);
}
