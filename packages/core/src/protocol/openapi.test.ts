import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERRORS } from './errors.ts';
import { openapi } from './openapi.ts';
import { OPERATIONS } from './operations.ts';
import { COMMON_ERRORS, type Operation } from './operations/operation.ts';
import { PROBLEM_TYPE } from './problem.ts';

interface Described {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: unknown }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Schema; example: unknown }>;
  };
  responses: Record<string, { description: string; content: Record<string, { schema: Schema }> }>;
}

interface Schema {
  $ref?: string;
  properties?: Record<string, unknown>;
  required?: string[];
}

const TABLE = Object.entries(OPERATIONS) as [name: string, Operation][];
// As a reader gets it: only what JSON carries.
const DOCUMENT = JSON.parse(JSON.stringify(openapi('1.2.3'))) as {
  openapi: string;
  info: { version: string };
  paths: Record<string, Record<string, Described>>;
};

function described({ path, method }: Operation): Described {
  const found = DOCUMENT.paths[path]?.[method.toLowerCase()];
  return found ?? assert.fail(`${method} ${path} is not described`);
}

test('the document says which OpenAPI and which version of ours it is', () => {
  assert.equal(DOCUMENT.openapi, '3.1.0');
  assert.equal(DOCUMENT.info.version, '1.2.3');
});

test('every operation is described where it is served, and nothing else is', () => {
  for (const [name, operation] of TABLE) assert.equal(described(operation).operationId, name);
  const count = Object.values(DOCUMENT.paths).flatMap((path) => Object.keys(path)).length;
  assert.equal(count, TABLE.length);
});

test('each field of an input is a parameter or a part of the body, never both and never lost', () => {
  for (const [name, operation] of TABLE) {
    const { parameters, requestBody } = described(operation);
    const { properties = {}, required = [] } = operation.input as Schema;
    const body = requestBody?.content['application/json']?.schema;
    const inBody =
      operation.wholeBody === undefined
        ? Object.keys(body?.properties ?? {})
        : [operation.wholeBody];
    const asParameters = parameters.map((parameter) => parameter.name);

    assert.deepEqual([...asParameters, ...inBody].toSorted(), Object.keys(properties).toSorted());
    for (const parameter of parameters) {
      assert.equal(parameter.required, required.includes(parameter.name), name);
    }
  }
});

test('each placeholder of a path is a required path parameter, and there is no other', () => {
  for (const [name, operation] of TABLE) {
    const placeholders = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const inPath = described(operation).parameters.filter((parameter) => parameter.in === 'path');

    assert.deepEqual(
      inPath.map((parameter) => parameter.name),
      placeholders,
      name,
    );
    assert.ok(inPath.every((parameter) => parameter.required));
  }
});

test('operations without a body describe none, and a body may be left out if all its fields may', () => {
  for (const [name, operation] of TABLE) {
    const { requestBody } = described(operation);
    if (operation.method === 'GET' || operation.method === 'DELETE') {
      assert.equal(requestBody, undefined, name);
      continue;
    }
    const demanded = requestBody?.content['application/json']?.schema.required ?? [];
    assert.equal(requestBody?.required, demanded.length > 0 || operation.wholeBody !== undefined);
  }
  assert.equal(described(OPERATIONS['agents.diagnose']).requestBody?.required, false);
  assert.equal(described(OPERATIONS['agents.register']).requestBody?.required, true);
});

test('each failure that may come is described under its status as a problem', () => {
  for (const [name, operation] of TABLE) {
    const { responses } = described(operation);
    for (const code of new Set([...COMMON_ERRORS, ...operation.errors])) {
      const response = responses[ERRORS[code].http];

      const told = response?.description.match(new RegExp(`(^| )${code}: `, 'g'));
      assert.equal(told?.length, 1, `${name} ${code}`);
      assert.deepEqual(response?.content[PROBLEM_TYPE]?.schema, {
        $ref: '#/components/schemas/Problem',
      });
    }
  }
});

test('a success is in the envelope unless the operation answers bare', () => {
  const schemaOf = (operation: Operation) =>
    described(operation).responses['200']?.content['application/json']?.schema;

  assert.deepEqual(schemaOf(OPERATIONS['agents.get'])?.required, ['code', 'data']);
  assert.ok(!schemaOf(OPERATIONS['system.health'])?.required?.includes('data'));
});

test('every reference leads somewhere', () => {
  let count = 0;
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') {
        count++;
        assert.ok(resolve(value as string) !== undefined, String(value));
      } else walk(value);
    }
  };

  walk(DOCUMENT);
  assert.ok(count > 0);
});

function resolve(reference: string): unknown {
  assert.ok(reference.startsWith('#/'), reference);
  let node: unknown = DOCUMENT;
  for (const token of reference.slice(2).split('/')) {
    node = (node as Record<string, unknown> | undefined)?.[token];
  }
  return node;
}
