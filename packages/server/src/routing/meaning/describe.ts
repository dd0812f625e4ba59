import type { Capability } from '@agent-reach/core';
import type { DocumentText } from './lexicon.ts';
import { KEYS_MAX, propertiesOf } from './schema-fit.ts';
import { keyOf, plain } from './text.ts';

/** A parameter's description beyond this is prose about the parameter, not about the work. */
const PARAMETER_CHARS_MAX = 200;
/** Thirty-two of a manifest and twenty that were learned. */
const EXAMPLES_MAX = 52;

/**
 * What a capability says of itself, for the index. What it says it is *not* for stays out: an index
 * does not see the "not", and would find it by the very words that it excludes.
 */
export function describe(capability: Capability, learned: readonly string[] = []): DocumentText {
  const { name, display_name: displayName, description, tags, input, examples } = capability;
  return {
    names: [displayName, name],
    description,
    tags: Object.entries(tags).map(([key, value]) => `${key} ${value}`),
    parameters: Object.entries(propertiesOf(input)).slice(0, KEYS_MAX).map(parameter),
    examples: distinct([...examples, ...learned]).slice(0, EXAMPLES_MAX),
  };
}

/** More of them move the mean no further. */
const EMBEDDED_EXAMPLES_MAX = 16;

/**
 * What an embedder gets of a capability: its name and description first, then what asks for it. Not
 * what it is not for, which to an embedder is the same as what it is for.
 */
export function passagesOf(capability: Capability, examples: readonly string[]): string[] {
  const { display_name: displayName, description } = capability;
  const said = plain(`${displayName}\n${description}`);
  return [said, ...examples.slice(0, EMBEDDED_EXAMPLES_MAX).map((one) => plain(one))];
}

function parameter([name, schema]: [string, unknown]): string {
  const about =
    typeof schema === 'object' && schema !== null && 'description' in schema
      ? schema.description
      : undefined;
  return typeof about === 'string' ? `${name} ${about.slice(0, PARAMETER_CHARS_MAX)}` : name;
}

/** The same utterance twice is no better evidence than once. */
function distinct(texts: readonly string[]): string[] {
  return [...new Map(texts.map((text) => [keyOf(text), text])).values()];
}
