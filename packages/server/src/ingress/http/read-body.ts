import { parseJson, ReachError } from '@agent-reach/core';
import { parseDocument } from 'yaml';

const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;
const YAML_TYPE = /^(?:application|text)\/(?:x-)?yaml\s*(?:;|$)/i;
/** One alias may stand for a document of its own: a few are convenience, many are a bomb. */
const YAML_ALIASES_MAX = 50;

/**
 * A body as a value. JSON is read without loss or not at all; YAML (manifests are written in it)
 * is read as JSON's data model and then held to the same rules. Anything else is 415.
 */
export function readBody(body: Buffer, contentType: string | undefined, depthMax: number): unknown {
  const source = textOf(body);
  if (contentType !== undefined && JSON_TYPE.test(contentType)) {
    return parseJson(source, { depthMax });
  }
  if (contentType !== undefined && YAML_TYPE.test(contentType)) return readYaml(source, depthMax);
  throw new ReachError(
    'unsupported-media-type',
    `The content type ${contentType?.slice(0, 80) ?? '(none)'} is not read here. Send application/json.`,
  );
}

/**
 * A compressed body is not opened: a few kilobytes would be as many megabytes. Throws
 * `unsupported-media-type`.
 */
export function demandPlain(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return;
  throw new ReachError(
    'unsupported-media-type',
    `The content encoding ${encoding.slice(0, 80)} is not read here. Send the body as it is.`,
  );
}

/** A body of which one field may be unsafe, and what is unsafe of it. */
export interface LenientBody {
  value: unknown;
  unsafe?: ReachError;
}

/**
 * The same, but what is unsafe in one field alone does not keep the rest from being heard: the field
 * becomes its own text, escaped and cut. Throws for anything unsafe elsewhere.
 */
export function readBodyBut(
  { name, charsMax }: { name: string; charsMax: number },
  ...[body, contentType, depthMax]: Parameters<typeof readBody>
): LenientBody {
  try {
    return { value: readBody(body, contentType, depthMax) };
  } catch (error) {
    if (!ReachError.is(error) || error.code !== 'unsafe-json') throw error;
    const { errors = [] } = error.facts;
    const isThere = (pointer: string) =>
      pointer === `#/${name}` || pointer.startsWith(`#/${name}/`);
    if (!errors.every(({ pointer }) => isThere(pointer))) throw error;
    const value = JSON.parse(textOf(body)) as Record<string, unknown>;
    return {
      value: { ...value, [name]: escaped(value[name]).slice(0, charsMax) },
      unsafe: error,
    };
  }
}

/** JSON's own escapes leave nothing in a text that a store or a terminal could stumble over. */
function escaped(value: unknown): string {
  try {
    const text = JSON.stringify(value);
    return typeof value === 'string' ? text.slice(1, -1) : text;
  } catch {
    return '(nested too deeply to be shown)'; // Reading takes no stack, writing does.
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function textOf(body: Buffer): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new ReachError('validation-failed', 'The body is not valid UTF-8.', {
      errors: [{ pointer: '#', detail: 'is not valid UTF-8' }],
    });
  }
}

function readYaml(source: string, depthMax: number): unknown {
  const document = parseDocument(source, { uniqueKeys: true, merge: false, version: '1.2' });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line ?? 1;
    throw new ReachError('validation-failed', `The body is not valid YAML at line ${line}.`, {
      errors: [{ pointer: '#', detail: fault.message.split('\n')[0] ?? 'is not valid YAML' }],
    });
  }
  let json: string;
  try {
    json = JSON.stringify(document.toJS({ maxAliasCount: YAML_ALIASES_MAX })) ?? 'null';
  } catch {
    throw new ReachError('validation-failed', 'The YAML has too many aliases.', {
      errors: [{ pointer: '#', detail: `may have ${YAML_ALIASES_MAX} aliases` }],
    });
  }
  return parseJson(json, { depthMax });
}
