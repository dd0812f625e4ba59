import { ERRORS, type ErrorCode } from './errors.ts';
import { OPERATIONS } from './operations.ts';
import { COMMON_ERRORS, type Operation } from './operations/operation.ts';
import { PROBLEM_TYPE } from './problem.ts';

/** The API as an OpenAPI 3.1 document, made from the table of operations. */
export function openapi(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(OPERATIONS) as [string, Operation][]) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(name, operation),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent-Reach',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: { schemas: { Problem: PROBLEM } },
  };
}

function describe(name: string, operation: Operation): Record<string, unknown> {
  const { body, needsBody, parameters } = split(operation);
  return {
    operationId: name,
    tags: [name.split('.')[0]],
    summary: operation.summary,
    parameters,
    ...(body === undefined
      ? {}
      : { requestBody: { required: needsBody, content: { 'application/json': body } } }),
    responses: {
      200: {
        description: 'OK',
        content: contentOf(operation),
      },
      ...failures([...new Set([...COMMON_ERRORS, ...operation.errors])]),
    },
  };
}

/** A stream is described by one of its events or lines. */
function contentOf(operation: Operation): Record<string, unknown> {
  if (operation.stream === 'events') {
    return { 'text/event-stream': { schema: operation.output } };
  }
  if (operation.stream === 'text') {
    const csv = { schema: { type: 'string' } };
    return { 'application/x-ndjson': { schema: operation.output }, 'text/csv': csv };
  }
  return { 'application/json': { schema: envelope(operation) } };
}

function envelope(operation: Operation): unknown {
  if (operation.bare === true) return operation.output;
  return {
    type: 'object',
    required: ['code', 'data'],
    properties: { code: { const: 0 }, data: operation.output },
  };
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>;
  required?: string[];
}

interface Split {
  body?: unknown;
  /** False: an empty body does as well, since every field may be left out. */
  needsBody: boolean;
  parameters: unknown[];
}

function split(operation: Operation): Split {
  const { properties = {}, required = [] } = operation.input as ObjectSchema;
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const isQuery = operation.method === 'GET' || operation.method === 'DELETE';
  const parameters = Object.entries(properties).flatMap(([name, schema]) => {
    const where = inPath.includes(name) ? 'path' : isQuery ? 'query' : undefined;
    if (where === undefined) return [];
    return [{ name, in: where, required: where === 'path' || required.includes(name), schema }];
  });
  if (isQuery) return { parameters, needsBody: false };
  const example = operation.example;
  if (operation.wholeBody !== undefined) {
    const { wholeBody } = operation;
    return {
      parameters,
      needsBody: true,
      body: { schema: properties[wholeBody], example: example[wholeBody] },
    };
  }
  const fields = Object.entries(properties).filter(([name]) => !inPath.includes(name));
  const demanded = required.filter((name) => !inPath.includes(name));
  return {
    parameters,
    needsBody: demanded.length > 0,
    body: {
      schema: {
        type: 'object',
        properties: Object.fromEntries(fields),
        required: demanded,
        additionalProperties: false,
      },
      example: Object.fromEntries(Object.entries(example).filter(([k]) => !inPath.includes(k))),
    },
  };
}

function failures(codes: ErrorCode[]): Record<string, unknown> {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].http);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => `${code}: ${ERRORS[code].title}`).join(' '),
        content: { [PROBLEM_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457. Programs switch on `code`.',
  required: ['type', 'title', 'status', 'detail', 'code', 'retryable', 'executed'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    retryable: { type: 'boolean' },
    executed: { type: 'string', enum: ['no', 'yes', 'unknown'] },
    request_id: { type: 'string' },
    trace_id: { type: 'string' },
    retry_after_ms: { type: 'integer' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
};
