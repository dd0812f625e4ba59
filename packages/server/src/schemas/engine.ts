import { canonicalize } from '@agent-reach/core';
import type { CodeKeywordDefinition, ErrorObject, KeywordCxt, ValidateFunction } from 'ajv';
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import { type Budget, CHECK_STEPS } from './budget.ts';
import { FORMATS } from './formats.ts';
import { CHARGE, type Instrumented } from './instrument.ts';
import { LOOPED_FROM } from './limits.ts';
import { budgeted } from './pattern.ts';

/** What one compiled schema answers: `errors` are those of the last call. */
export interface Check {
  (value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

/**
 * Compiles an instrumented schema. An Ajv of its own for each one (0.1 ms): a shared one keeps
 * every constant and pattern it ever met.
 */
export function compileCheck(
  { schema, hasUnevaluated }: Instrumented,
  budget: Budget,
  allErrors: boolean,
): Check {
  budget.fill(CHECK_STEPS); // Listed values are read while compiling.
  const ajv = new Ajv2020({
    allErrors,
    // The schema was admitted: our grammar stands for Ajv's meta-schemas and strict mode.
    meta: false,
    validateSchema: false,
    strict: false,
    strictNumbers: true,
    coerceTypes: false,
    useDefaults: false,
    removeAdditional: false,
    ownProperties: true, // Or `{"properties": {"toString": …}}` would look at Object.prototype.
    inlineRefs: false, // Copying each definition to each reference is how small schemas grow large.
    verbose: true,
    logger: false,
    formats: { ...FORMATS },
    loopRequired: LOOPED_FROM,
    unicodeRegExp: true,
    code: {
      // The optimiser takes time quadratic in the branches of a combinator: 230 ms for 1 000.
      optimize: false,
      regExp: Object.assign((source: string) => budgeted(source, budget), { code: 'new RegExp' }),
    },
  });
  // Ajv2020 keeps record of fields and items seen; few schemas ask, and the record costs code.
  ajv.opts.unevaluated = hasUnevaluated;
  for (const own of [uniqueItems(budget), listed('enum', budget), listed('const', budget)]) {
    ajv.removeKeyword(own.keyword as string);
    ajv.addKeyword(own);
  }
  // First among the keywords that apply to any type, before those that would do the work.
  const first = ajv.RULES.rules.find((group) => group.type === undefined)?.rules[0]?.keyword;
  ajv.addKeyword({ ...charge(budget), ...(first === undefined ? {} : { before: first }) });
  return ajv.compile(schema) as ValidateFunction & Check;
}

function charge(budget: Budget): CodeKeywordDefinition {
  const pay = (weight: number): void => budget.spend(1 + weight);
  const payBySize = (value: unknown, weight: number): void =>
    budget.spend(1 + weight + sizeOf(value));
  return {
    keyword: CHARGE,
    schemaType: 'array',
    code({ gen, data, schema }: KeywordCxt) {
      const [weight, isSized] = schema as [number, boolean];
      if (isSized)
        gen.code(_`${gen.scopeValue('keyword', { ref: payBySize })}(${data}, ${weight})`);
      else gen.code(_`${gen.scopeValue('keyword', { ref: pay })}(${weight})`);
    },
  };
}

/** Walking the keys of a large object takes 100 to 200 ns each. */
const KEY_STEPS = 6;

/** Steps to read a value once, without what is inside its parts. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length >> 4;
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.keys(value).length * KEY_STEPS;
}

// Ajv compares values by fast-deep-equal, which calls their `toString` and reads their `constructor`:
// `{"toString": 1}` from outside makes it throw, and two equal values with a `constructor` differ.
// It also compares every pair of unique items, for which 256 lists of a thousand numbers take 0.3 s.
// So what compares values is ours: scalars by a table, the rest by their canonical text.

/** `enum` and `const`. */
function listed(keyword: 'enum' | 'const', budget: Budget): CodeKeywordDefinition {
  return {
    keyword,
    error: { message: keyword === 'enum' ? 'must be a listed value' : 'must be the constant' },
    code(cxt: KeywordCxt) {
      const schema = cxt.schema as unknown;
      const known = new Distinct(budget);
      for (const value of keyword === 'enum' ? (schema as unknown[]) : [schema]) known.add(value);
      const has = cxt.gen.scopeValue('keyword', { ref: (value: unknown) => known.has(value) });
      cxt.fail(_`!${has}(${cxt.data})`);
    },
  };
}

function uniqueItems(budget: Budget): CodeKeywordDefinition {
  const areDistinct = (items: unknown[]): boolean => {
    budget.spend(items.length);
    const distinct = new Distinct(budget);
    for (const item of items) distinct.add(item);
    return distinct.size === items.length;
  };
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must not have equal items' },
    code(cxt: KeywordCxt) {
      if (cxt.schema !== true) return;
      const distinct = cxt.gen.scopeValue('keyword', { ref: areDistinct });
      cxt.fail(_`!${distinct}(${cxt.data})`);
    },
  };
}

/** A set of JSON values, equal when JSON says so. */
class Distinct {
  readonly #budget: Budget;
  readonly #scalars = new Set<unknown>();
  readonly #containers = new Set<string>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  get size(): number {
    return this.#scalars.size + this.#containers.size;
  }

  add(value: unknown): void {
    if (typeof value !== 'object' || value === null) this.#scalars.add(value);
    else this.#containers.add(this.#text(value));
  }

  has(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return this.#scalars.has(value);
    return this.#containers.size > 0 && this.#containers.has(this.#text(value));
  }

  #text(value: object): string {
    const text = canonicalize(value);
    this.#budget.spend(text.length >> 2);
    return text;
  }
}
