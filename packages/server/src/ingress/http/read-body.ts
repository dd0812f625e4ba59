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
  const text = new TextDecoder('utf-8', { fatal: true });
  let source: string;
  try {
    source = text.decode(body);
  } catch {
    throw new ReachError('validation-failed', 'The body is not valid UTF-8.', {
      errors: [{ pointer: '#', detail: 'is not valid UTF-8' }],
    });
  }
  if (contentType !== undefined && JSON_TYPE.test(contentType)) {
    return parseJson(source, { depthMax });
  }
  if (contentType !== undefined && YAML_TYPE.test(contentType)) return readYaml(source, depthMax);
  throw new ReachError(
    'unsupported-media-type',
    `The content type ${contentType?.slice(0, 80) ?? '(none)'} is not read here. Send application/json.`,
  );
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
