import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { type Issue, ReachError } from './errors.ts';

const compiled = new WeakMap<TSchema, Validator>();
const ISSUES_MAX = 8;
/** A key may be as long as a body; an error that repeats it must not be. */
const POINTER_CHARS_MAX = 1024;

/**
 * The faults of a value against one of *our* schemas, at most 8, none when it fits. Schemas that
 * come from outside go through the room `schemas` instead, which bounds them first.
 */
export function issuesOf(schema: TSchema, value: unknown): Issue[] {
  const validator = compile(schema);
  if (validator.Check(value)) return [];
  const issues = validator.Errors(value).flatMap((error) => toIssues(error, value));
  if (issues.length === 0) return [{ pointer: '#', detail: 'does not match any allowed form' }];
  return issues.slice(0, ISSUES_MAX);
}

/** Throws `validation-failed` with the faults of `value`, if it has any. */
export function demand(schema: TSchema, value: unknown, what: string): void {
  const issues = issuesOf(schema, value);
  if (issues.length === 0) return;
  throw validationFailed(what, issues);
}

/** The error that names where an input is wrong and what the bound is. */
export function validationFailed(what: string, issues: Issue[]): ReachError {
  const first = issues[0];
  const where = first === undefined ? '' : `: ${first.pointer} ${first.detail}`;
  return new ReachError('validation-failed', `${what} is not valid${where}.`, { errors: issues });
}

function compile(schema: TSchema): Validator {
  let validator = compiled.get(schema);
  if (validator === undefined) {
    validator = Compile<TSchema>(schema);
    compiled.set(schema, validator);
  }
  return validator;
}

interface RawIssue {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  params: object;
  message?: string;
}

/** Sums up what its parts have said, or repeats it once a field. */
const SUMMARIES = new Set(['anyOf', 'additionalProperties', 'propertyNames']);

function toIssues(error: RawIssue, root: unknown): Issue[] {
  const { keyword, instancePath, schemaPath } = error;
  if (SUMMARIES.has(keyword)) return [];
  const params = error.params as {
    requiredProperties?: string[];
    allowedValues?: unknown[];
    allowedValue?: unknown;
  };
  if (params.requiredProperties !== undefined) {
    return params.requiredProperties.map((name) =>
      issue(`${instancePath}/${escape(name)}`, 'is missing'),
    );
  }
  // `additionalProperties: false` is the schema `false` of each field that has no other.
  if (keyword === 'boolean') return [issue(instancePath, 'is not a known field')];
  const bound = boundOf(params) ?? error.message ?? 'is not valid';
  if (schemaPath.endsWith('/propertyNames')) return [issue(instancePath, `its name ${bound}`)];
  return [issue(instancePath, `${bound}, is ${show(at(root, instancePath))}`)];
}

function issue(path: string, detail: string): Issue {
  return { pointer: cut(`#${path}`, POINTER_CHARS_MAX), detail };
}

/** Bounds that the validator's own message leaves out. */
function boundOf(params: {
  allowedValues?: unknown[];
  allowedValue?: unknown;
}): string | undefined {
  if (params.allowedValues !== undefined)
    return `must be one of ${params.allowedValues.join(', ')}`;
  return 'allowedValue' in params ? `must be ${show(params.allowedValue)}` : undefined;
}

function at(root: unknown, pointer: string): unknown {
  let value = root;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, unknown> | undefined)?.[name];
  }
  return value;
}

const SHOWN_CHARS_MAX = 40;

/** A value as an error shows it: short, and never the inside of an object. */
function show(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    return `an object of ${Object.keys(value).length}`;
  }
  return cut(JSON.stringify(value) ?? 'undefined', SHOWN_CHARS_MAX);
}

/** Cut to `max`, and not through a character: half a surrogate pair is unsafe JSON to the reader. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
}

/** One reference token of RFC 6901. */
export function escape(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}
