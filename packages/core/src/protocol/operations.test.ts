import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuesOf } from './check.ts';
import { ERRORS } from './errors.ts';
import { OPERATIONS } from './operations.ts';
import { COMMON_ERRORS, type Operation } from './operations/operation.ts';

const TABLE = Object.entries(OPERATIONS) as [name: string, Operation][];

interface ObjectSchema {
  type?: string;
  properties?: Record<string, { type?: string }>;
  required?: string[];
  additionalProperties?: unknown;
}

test('every operation is called noun.verb', () => {
  for (const [name] of TABLE) assert.match(name, /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
});

test('no two operations share method and path', () => {
  // Whatever a placeholder is called, it takes the same place.
  const doors = TABLE.map(([, o]) => `${o.method} ${o.path.replaceAll(/\{\w+\}/g, '{}')}`);

  assert.equal(new Set(doors).size, doors.length);
});

for (const [name, operation] of TABLE) {
  const { properties = {}, required = [], ...input } = operation.input as ObjectSchema;

  test(`${name} has an example that its own input admits`, () => {
    assert.deepEqual(issuesOf(operation.input, operation.example), []);
  });

  test(`${name} refuses a field it does not know`, () => {
    assert.equal(input.type, 'object');
    assert.deepEqual(issuesOf(operation.input, { ...operation.example, moon_phase: 1 }), [
      { pointer: '#/moon_phase', detail: 'is not a known field' },
    ]);
  });

  test(`${name} names each field that is missing`, () => {
    for (const field of required) {
      const { [field]: _, ...rest } = operation.example;

      assert.deepEqual(issuesOf(operation.input, rest), [
        { pointer: `#/${field}`, detail: 'is missing' },
      ]);
    }
  });

  test(`${name} demands what stands in its path, as text`, () => {
    for (const [, field = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
      assert.ok(required.includes(field), field);
      assert.equal(properties[field]?.type, 'string', field);
    }
  });

  test(`${name} lists known errors once, and not those that all may answer`, () => {
    const { errors } = operation;

    assert.equal(new Set(errors).size, errors.length);
    for (const code of errors) {
      assert.ok(code in ERRORS, code);
      assert.ok(!(COMMON_ERRORS as readonly string[]).includes(code), code);
    }
  });

  test(`${name} is summed up in sentences`, () => {
    assert.match(operation.summary, /^[A-Z].*\.$/);
  });

  test(`${name} reads by GET, and what changes something is audited`, () => {
    if (operation.method === 'GET') assert.equal(operation.effect, 'read');
    // A beat a few seconds each would bury what matters.
    const isBeat = name === 'agents.heartbeat';
    if (operation.effect !== 'read' && !isBeat) assert.notEqual(operation.audited, false);
    if (operation.effect === 'read') assert.equal(operation.audited, false);
  });

  test(`${name} takes its whole body as one of its fields, or its fields one by one`, () => {
    if (operation.wholeBody === undefined) return;
    assert.ok(required.includes(operation.wholeBody));
    assert.notEqual(operation.method, 'GET');
    assert.notEqual(operation.method, 'DELETE');
  });
}
