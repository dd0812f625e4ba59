import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { compileSchema } from './compile.ts';
import { admitSchema } from './intake.ts';
import { LIMITS } from './limits.ts';
import { anySchema } from './testing/arbitrary.ts';

const AT = '#/capabilities/0/input_schema';

/** The first fault, as `pointer: detail`, with the pointer below the schema. */
function faultOf(schema: unknown): string | undefined {
  const [first] = admitSchema(schema, AT);
  if (first === undefined) return undefined;
  assert.ok(first.pointer.startsWith(AT));
  return `${first.pointer.slice(AT.length)}: ${first.detail}`;
}

function times<Item>(count: number, item: (index: number) => Item): Item[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

function named(count: number, value: (index: number) => unknown): Record<string, unknown> {
  return Object.fromEntries(times(count, (index) => [`p${index}`, value(index)]));
}

function nested(levels: number): unknown {
  let schema: unknown = { type: 'string' };
  for (let level = 1; level < levels; level++) schema = { properties: { a: schema } };
  return schema;
}

test('an ordinary schema with notes of every kind is admitted', () => {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: '订单',
    type: 'object',
    properties: {
      order_no: { type: 'string', pattern: '^ORD\\d+$', description: '订单号', examples: ['ORD1'] },
      at: { type: 'string', format: 'date-time', readOnly: true, 'x-unit': { any: ['thing'] } },
      next: { $ref: '#' },
      lines: { type: 'array', items: { $ref: '#/$defs/line' }, uniqueItems: true, maxItems: 256 },
    },
    required: ['order_no'],
    $defs: { line: { type: ['object', 'null'], default: null, deprecated: false } },
  };

  assert.deepEqual(admitSchema(schema, AT), []);
});

test('what is not an object is no schema', () => {
  for (const schema of [true, null, 'string', 7, [], undefined]) {
    assert.equal(faultOf(schema), ': must be a JSON Schema, an object');
  }
});

test('32 nested schemas are admitted and the 33rd is named', () => {
  assert.equal(faultOf(nested(LIMITS.depth)), undefined);
  assert.match(
    faultOf(nested(LIMITS.depth + 1)) ?? '',
    /\/a: is nested 33 schemas deep, at most 32$/,
  );
});

test('a bomb of 100 000 levels is refused without a stack', () => {
  const schema = JSON.parse('{"not":'.repeat(100_000) + 'true' + '}'.repeat(100_000)) as unknown;

  assert.match(faultOf(schema) ?? '', /is nested 97 levels deep, at most 96$/);
});

test('64 KiB are admitted and one byte more is not', () => {
  const room = LIMITS.bytes - JSON.stringify({ description: '' }).length;

  assert.equal(faultOf({ description: 'x'.repeat(room) }), undefined);
  assert.equal(faultOf({ description: 'x'.repeat(room + 1) }), ': has 65537 bytes, at most 65536');
  assert.equal(
    faultOf({ examples: times(70_000, () => 0) }),
    ': has more than 65536 bytes, at most 65536',
  );
});

test('bytes are counted in UTF-8', () => {
  assert.match(faultOf({ description: '订'.repeat(22_000) }) ?? '', /has 660\d\d bytes/);
});

test('200 properties are admitted and 201 are not', () => {
  assert.equal(faultOf({ properties: named(200, () => true) }), undefined);
  const detail = '/properties: has 201 entries, at most 200';
  assert.equal(faultOf({ properties: named(201, () => true) }), detail);
});

test('1 000 listed values are admitted and 1 001 are not', () => {
  assert.equal(faultOf({ enum: times(1000, (i) => i) }), undefined);
  const detail = '/enum: has 1001 values, at most 1000';
  assert.equal(faultOf({ enum: times(1001, (i) => i) }), detail);
});

test('parts are bounded, and notes are not parts', () => {
  const branch = (keyword: string) => ({
    anyOf: times(LIMITS.parts / 2 - 1, () => ({ [keyword]: 1 })),
  });

  assert.equal(faultOf(branch('minimum')), undefined);
  assert.equal(
    faultOf({ ...branch('minimum'), not: {}, if: {}, else: {} })?.slice(0, 23),
    ': has more than 600 par',
  );
  assert.equal(
    faultOf({ anyOf: times(LIMITS.parts - 1, () => ({ 'x-note': 1, title: 't' })) }),
    undefined,
  );
});

test('a keyword that is not allowed is refused by name, with what to write instead', () => {
  assert.match(
    faultOf({ properties: { 'a/b': { minLenght: 1 } } }) ?? '',
    /^\/properties\/a~1b\/minLenght: is not a keyword/,
  );
  assert.match(faultOf({ nullable: true }) ?? '', /write "type": \[… , "null"\]/);
  for (const keyword of ['$id', '$anchor', '$dynamicRef', '$dynamicAnchor', '$vocabulary']) {
    assert.match(faultOf({ [keyword]: '#x' }) ?? '', /is not allowed/, keyword);
  }
  assert.match(faultOf({ items: [{}] }) ?? '', /prefixItems/);
  assert.match(faultOf({ $schema: 'http://json-schema.org/draft-07/schema#' }) ?? '', /2020-12/);
});

test('the value of each keyword must have its shape', () => {
  const unsound: [Record<string, unknown>, RegExp][] = [
    [{ type: 'strin' }, /^\/type: must be one of string, .* is "strin"/],
    [{ type: [] }, /^\/type/],
    [{ type: ['string', 'string'] }, /^\/type/],
    [{ minLength: -1 }, /^\/minLength: must be a whole number, 0 or more/],
    [{ maxItems: 1.5 }, /^\/maxItems/],
    [{ multipleOf: 0 }, /^\/multipleOf: must be a number above 0/],
    [{ minimum: '1' }, /^\/minimum: must be a number/],
    [{ enum: [] }, /^\/enum: must be a list of values that is not empty/],
    [{ anyOf: [] }, /^\/anyOf: must be a list of schemas that is not empty/],
    [{ required: true }, /^\/required: must be a list of names/],
    [{ required: ['a', 'a'] }, /names something twice/],
    [{ properties: { a: 1 } }, /^\/properties\/a: must be a schema/],
    [{ format: 'int32' }, /^\/format: must be one of date-time, date/],
    [{ dependentRequired: { a: times(33, String) } }, /"a" has 33 names, at most 32/],
    [{ title: 1 }, /^\/title: must be a text/],
    [{ properties: JSON.parse('{"__proto__": {}}') as object }, /__proto__: is a name that cannot/],
    [{ const: undefined }, /is a undefined, which JSON has not/],
    [{ default: '\ud800' }, /half a surrogate pair/],
  ];

  for (const [schema, expected] of unsound) {
    assert.match(faultOf(schema) ?? 'none', expected, JSON.stringify(schema));
  }
});

test('unique items that are not scalars of one type need a bound', () => {
  const refused = [
    { uniqueItems: true },
    { uniqueItems: true, items: { type: 'object' } },
    { uniqueItems: true, items: { type: ['string', 'number'] } },
    { uniqueItems: true, maxItems: 257 },
  ];
  for (const schema of refused) assert.match(faultOf(schema) ?? '', /"maxItems" of at most 256/);

  assert.equal(faultOf({ uniqueItems: true, items: { type: 'string' } }), undefined);
  assert.equal(faultOf({ uniqueItems: true, maxItems: 256 }), undefined);
});

test('a reference leads to a schema inside the document, or is refused', () => {
  assert.match(faultOf({ $ref: 'http://evil.example/s' }) ?? '', /nothing is fetched/);
  assert.match(faultOf({ $ref: 'file:///etc/passwd' }) ?? '', /nothing is fetched/);
  assert.match(faultOf({ $ref: '#anchor' }) ?? '', /only "#" and "#\/…" are followed/);
  assert.match(
    faultOf({ not: { $ref: '#/$defs/none' } }) ?? '',
    /^\/not\/\$ref: leads to #\/\$defs\/none/,
  );
  assert.match(
    faultOf({ not: { $ref: '#/examples/0' }, examples: [{}] }) ?? '',
    /where no schema is/,
  );
});

test('a circle of references that looks at one value only is refused', () => {
  const circles = [
    { $ref: '#' },
    { allOf: [{ $ref: '#' }] },
    { if: true, else: { anyOf: [{ $ref: '#/else' }] } },
    { $ref: '#/$defs/a', $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { $ref: '#/$defs/a' } } },
  ];
  for (const schema of circles) assert.match(faultOf(schema) ?? '', /would never end/);

  assert.equal(faultOf({ properties: { next: { $ref: '#' } } }), undefined);
});

test('references that Ajv’s stack does not bear are refused, and what is admitted compiles', () => {
  const chain = (count: number, depth: number) => {
    const link = (to: number) => {
      let schema: unknown = { $ref: `#/$defs/p${to}` };
      for (let level = 0; level < depth; level++) schema = { anyOf: [{ items: schema }] };
      return schema;
    };
    return { $defs: named(count, (i) => link((i + 1) % count)), items: { $ref: '#/$defs/p0' } };
  };

  assert.match(
    faultOf(chain(100, 1)) ?? '',
    /follows references through \d+ levels of definitions, at most 192/,
  );
  for (const [count, depth] of [
    [64, 1],
    [38, 2],
    [12, 7],
    [7, 13],
  ] as const) {
    assert.equal(faultOf(chain(count, depth)), undefined);
    assert.deepEqual(compileSchema(chain(count, depth))([[[]]]), []);
  }
});

test('at most eight faults come back, in the order of the text', () => {
  const issues = admitSchema({ properties: named(20, () => ({ type: 'x' })) }, '#');

  assert.equal(issues.length, 8);
  assert.deepEqual(
    issues.map(({ pointer }) => pointer),
    times(8, (i) => `#/properties/p${i}/type`),
  );
});

test('whatever is admitted compiles, and neither ever throws', () => {
  fc.assert(
    fc.property(anySchema(), fc.jsonValue(), (schema, value) => {
      if (admitSchema(schema, '#').length > 0) return;
      compileSchema(schema)(value);
    }),
    { numRuns: 1000 },
  );
});

test('no value at all makes the reader throw', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (value) => {
      admitSchema(value, '#');
      admitSchema({ properties: { value } }, '#');
    }),
  );
});
