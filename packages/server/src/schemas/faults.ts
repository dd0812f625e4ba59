import { escape, type Issue } from '@agent-reach/core';
import type { ErrorObject } from 'ajv';
import { LIMITS } from './limits.ts';
import { isObject } from './values.ts';

/** Errors that only say that a part failed; the part's own error says more. */
const FRAMES: ReadonlySet<string> = new Set(['anyOf', 'if', 'propertyNames']);

/** The first faults in the words of the product, at most 8, without those that say nothing new. */
export function issuesOf(errors: readonly ErrorObject[]): Issue[] {
  const telling = errors.filter((error) => !isFrame(error));
  const found = new Map<string, Issue>();
  for (const error of telling.length > 0 ? telling : errors) {
    const issue = issueOf(error);
    found.set(`${issue.pointer} ${issue.detail}`, issue);
    if (found.size === LIMITS.issues) break;
  }
  return [...found.values()];
}

function isFrame({ keyword, params }: ErrorObject): boolean {
  // A oneOf that matches twice is a fault of its own; one that matches nothing is its parts' fault.
  return FRAMES.has(keyword) || (keyword === 'oneOf' && params['passingSchemas'] === null);
}

function issueOf(error: ErrorObject): Issue {
  const { params, instancePath } = error;
  const missing: unknown = params['missingProperty'];
  if (typeof missing === 'string') {
    const why = error.keyword === 'dependentRequired' ? ` beside "${params['property']}"` : '';
    return { pointer: `#${instancePath}/${escape(missing)}`, detail: `is missing${why}` };
  }
  const unknown: unknown = params['additionalProperty'] ?? params['unevaluatedProperty'];
  if (typeof unknown === 'string') {
    return { pointer: `#${instancePath}/${escape(unknown)}`, detail: 'is not a known field' };
  }
  if (error.propertyName !== undefined) {
    const detail = `is a name that ${bound(error)}`;
    return { pointer: `#${instancePath}/${escape(error.propertyName)}`, detail };
  }
  return { pointer: `#${instancePath}`, detail: `${bound(error)}${actual(error)}` };
}

/** What the schema demands. */
function bound({ keyword, schema, params, message }: ErrorObject): string {
  switch (keyword) {
    case 'const':
      return `must be ${show(schema)}`;
    case 'enum':
      return `must be one of ${showList(schema as unknown[])}`;
    case 'type':
      return `must be ${[schema as string | string[]].flat().join(' or ')}`;
    case 'pattern':
      return `must match the pattern ${show(schema)}`;
    case 'format':
      return `must be a sound ${String(schema)}`;
    case 'oneOf':
      return `matches more than one form of "oneOf" (${String(params['passingSchemas'])})`;
    case 'false schema':
      return 'is not allowed';
    case 'not':
      return 'matches what "not" forbids';
    default:
      return message ?? 'is not valid';
  }
}

/** What the value is: its size where the bound is one, else itself, short and never its inside. */
function actual({ keyword, data, parentSchema }: ErrorObject): string {
  if (/^(?:min|max)(?:Length|Items|Properties)$/.test(keyword)) return `, has ${sizeOf(data)}`;
  if (keyword === 'oneOf' || keyword === 'not' || keyword === 'false schema') return '';
  const isSecret = parentSchema?.['writeOnly'] === true;
  return isSecret ? '; its value is not shown' : `, is ${show(data)}`;
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Array.from(value).length; // Code points, as the bound is.
  return Array.isArray(value) ? value.length : Object.keys(value as object).length;
}

const SHOWN_CHARS_MAX = 40;
const SHOWN_VALUES_MAX = 12;

function showList(values: unknown[]): string {
  const shown = values.slice(0, SHOWN_VALUES_MAX).map(show).join(', ');
  const hidden = values.length - SHOWN_VALUES_MAX;
  return hidden > 0 ? `${shown} and ${hidden} more` : shown;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text;
}
