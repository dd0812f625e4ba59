import { type Operation, validationFailed } from '@agent-reach/core';

interface Sources {
  path: Record<string, string>;
  query: Record<string, unknown>;
  /** undefined: the request had none. */
  body: unknown;
}

/**
 * The input of an operation, from where HTTP carries it: path, then body, or query where there is
 * no body. Nothing is overwritten: a body that names a path field must agree with it.
 */
export function readInput(operation: Operation, sources: Sources): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  if (operation.method === 'GET' || operation.method === 'DELETE') {
    readQuery(operation, sources.query, input);
  } else if (operation.wholeBody !== undefined) {
    input[operation.wholeBody] = sources.body;
  } else {
    Object.assign(input, objectBody(sources.body));
  }
  for (const [name, value] of Object.entries(sources.path)) {
    if (Object.hasOwn(input, name) && input[name] !== value) {
      throw validationFailed('The request', [
        { pointer: `#/${name}`, detail: `says other than the path, which says ${value}` },
      ]);
    }
    input[name] = value;
  }
  return input;
}

function objectBody(body: unknown): object {
  if (body === undefined) return {};
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw validationFailed('The body', [{ pointer: '#', detail: 'must be an object' }]);
}

/** Query values are text; those whose schema is a number or a boolean are read as such, strictly. */
function readQuery(
  operation: Operation,
  query: Record<string, unknown>,
  input: Record<string, unknown>,
): void {
  const { properties } = operation.input as { properties?: Record<string, { type?: string }> };
  for (const [name, value] of Object.entries(query)) {
    if (typeof value !== 'string') {
      throw validationFailed('The query', [{ pointer: `#/${name}`, detail: 'may come only once' }]);
    }
    input[name] = readScalar(value, properties?.[name]?.type);
  }
}

/** Text that does not read as its type stays text, for the schema to refuse by name. */
function readScalar(text: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,16}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}
