import { hash } from 'node:crypto';
import { canonicalize, type Issue, type JsonSchema, ReachError } from '@agent-reach/core';
import { LRUCache } from 'lru-cache';
import { Budget, BudgetSpent, CHECK_STEPS, EXPLAIN_STEPS } from './budget.ts';
import { type Check, compileCheck } from './engine.ts';
import { issuesOf } from './faults.ts';
import { instrument } from './instrument.ts';
import { admitSchema } from './intake.ts';

/**
 * Says what is wrong with a value: the first faults, at most 8, each with its pointer; none when
 * the value fits. Never changes the value. A value that would take too long to check is a fault
 * too. The value must be JSON within the limits of `parseJson`.
 */
export type Validator = (value: unknown) => Issue[];

/** Enough for every capability of 20 full agents; a miss costs a compilation. */
const VALIDATORS_MAX = 2_000;
/** Compiled code is about 12 times its schema, so this is about 200 MB at worst. */
const SCHEMA_BYTES_MAX = 16 * 1024 * 1024;

const validators = new LRUCache<string, Validator>({
  max: VALIDATORS_MAX,
  maxSize: SCHEMA_BYTES_MAX,
});

/**
 * The validator of a schema that came from outside. Equal schemas share one.
 *
 * Compiles when it is not cached: 1 ms for an ordinary schema, and up to 40 ms for the largest
 * that `admitSchema` lets in, so ask at the first use and keep the answer. A valid value then
 * costs what Ajv's own function does.
 *
 * Throws `manifest-refused` for a schema that `admitSchema` refuses, as one may that was stored
 * under wider limits.
 */
export function compileSchema(schema: JsonSchema): Validator {
  // Refused before it is hashed: hashing, too, is only safe within the limits.
  const digest = digests.get(schema) ?? admittedDigest(schema);
  let validator = validators.get(digest);
  if (validator === undefined) {
    validator = validatorOf(schema);
    validators.set(digest, validator, { size: JSON.stringify(schema).length });
  }
  return validator;
}

/** By identity, so that asking again with the same object reads nothing of it. */
const digests = new WeakMap<JsonSchema, string>();

function admittedDigest(schema: JsonSchema): string {
  const issues = admitSchema(schema, '#');
  const first = issues[0];
  if (first !== undefined) {
    const detail = `The schema is not admitted: ${first.pointer} ${first.detail}.`;
    throw new ReachError('manifest-refused', detail, { errors: issues });
  }
  const digest = hash('sha256', canonicalize(schema), 'hex');
  digests.set(schema, digest);
  return digest;
}

const VALID: Issue[] = [];
Object.freeze(VALID);

/** All faults are collected up to this size; of a larger schema the first one must do. */
const EXPLAINED_KEYWORDS_MAX = 150;

function validatorOf(original: JsonSchema): Validator {
  const budget = new Budget();
  const program = instrument(original, false);
  const check = compileCheck(program, budget, false);
  // Made when a value first fails. Looking for all faults is a second program, not a slower first.
  let explain: Check | undefined;
  return (value) => {
    const verdict = run(check, value, budget, CHECK_STEPS);
    if (verdict === true) return VALID;
    if (verdict === 'spent') return [TOO_COSTLY];
    const first = check.errors ?? [];
    if (program.keywords > EXPLAINED_KEYWORDS_MAX) return issuesOf(first);
    explain ??= compileCheck(instrument(original, true), budget, true);
    const isExplained = run(explain, value, budget, EXPLAIN_STEPS) === false;
    return issuesOf(isExplained ? (explain.errors ?? []) : first);
  };
}

const TOO_COSTLY: Issue = {
  pointer: '#',
  detail:
    'takes too long to check against its schema: it is too large, or its patterns or references are too costly',
};

function run(check: Check, value: unknown, budget: Budget, steps: number): boolean | 'spent' {
  budget.fill(steps);
  try {
    return check(value);
  } catch (error) {
    // A RangeError is the stack: a schema that refers to itself, on a value nested to match.
    if (error instanceof BudgetSpent || error instanceof RangeError) return 'spent';
    throw error;
  }
}
