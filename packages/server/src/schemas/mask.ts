import { keywordOf } from './grammar.ts';
import { targetOf } from './references.ts';

/** What stands for a value that its schema calls secret. */
export const MASKED = '[masked]';

/** Schemas are admitted with a bounded depth; references may still run in circles. */
const STEPS_MAX = 10_000;

type Schema = Record<string, unknown>;

/**
 * A value without what a schema calls secret (`x-reach-sensitive`, `writeOnly`). Any branch that
 * could hold for a place counts, whether it does or not: showing too little is the better fault.
 * Past its bound everything that is left is masked.
 */
export function maskSecrets(schema: unknown, value: unknown): unknown {
  const budget = { left: STEPS_MAX };
  return masked([schema], value, { root: schema, budget });
}

interface Walk {
  root: unknown;
  budget: { left: number };
}

function masked(schemas: readonly unknown[], value: unknown, walk: Walk): unknown {
  const all = branchesOf(schemas, walk);
  walk.budget.left -= all.length + 1;
  if (walk.budget.left < 0 || all.some(isSecret)) return MASKED;
  if (Array.isArray(value)) {
    return value.map((item, i) => masked(ofItem(all, i), item, walk));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [
    name,
    masked(ofProperty(all, name), part, walk),
  ]);
  return Object.fromEntries(entries);
}

function isSecret(schema: Schema): boolean {
  return schema['writeOnly'] === true || schema['x-reach-sensitive'] === true;
}

/** The schemas of a place with all that may apply there beside them. */
function branchesOf(schemas: readonly unknown[], { root }: Walk): Schema[] {
  const found = new Set<Schema>();
  const visit = (schema: unknown): void => {
    if (!isObject(schema) || found.has(schema)) return;
    found.add(schema);
    for (const [name, inner] of Object.entries(schema)) {
      const keyword = keywordOf(name);
      if (keyword?.role !== 'here') continue;
      if (keyword.shape === 'schema') visit(inner);
      else if (keyword.shape === 'schemas') (inner as unknown[]).forEach(visit);
      else if (keyword.shape === 'schema-map') Object.values(inner as object).forEach(visit);
      else if (keyword.shape === 'reference') visit(at(root, inner as string));
    }
  };
  schemas.forEach(visit);
  return [...found];
}

function ofItem(schemas: readonly Schema[], index: number): unknown[] {
  return schemas.flatMap(({ prefixItems, items, contains, unevaluatedItems }) => [
    Array.isArray(prefixItems) ? (prefixItems[index] as unknown) : undefined,
    items,
    contains,
    unevaluatedItems,
  ]);
}

function ofProperty(schemas: readonly Schema[], name: string): unknown[] {
  return schemas.flatMap((schema) => {
    const { properties, patternProperties, additionalProperties, unevaluatedProperties } = schema;
    const own =
      isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [
      own,
      // Which patterns match is not asked: a pattern is somebody else's program.
      ...(isObject(patternProperties) ? Object.values(patternProperties) : []),
      ...(own === undefined ? [additionalProperties] : []),
      unevaluatedProperties,
    ];
  });
}

/** What a reference points at; one that was admitted leads to a place of its own document. */
function at(root: unknown, reference: string): unknown {
  let place = root;
  for (const token of targetOf(reference).split('/').slice(1)) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = (place as Schema)[token.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return place;
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
