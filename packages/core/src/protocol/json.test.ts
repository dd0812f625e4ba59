import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '../testing/seed.ts';
import { escape } from './check.ts';
import { type Issue, ReachError } from './errors.ts';
import { parseJson } from './json.ts';

const limits = { depthMax: 64 };

function refusalOf(text: string, depthMax = limits.depthMax): ReachError {
  try {
    parseJson(text, { depthMax });
  } catch (error) {
    assert.ok(ReachError.is(error), String(error));
    return error;
  }
  return assert.fail(`was read: ${text.slice(0, 80)}`);
}

function issuesOf(text: string, depthMax = limits.depthMax): Issue[] {
  const error = refusalOf(text, depthMax);
  assert.equal(error.code, 'unsafe-json');
  return error.facts.errors ?? [];
}

test('a body of every kind of value is read', () => {
  const text =
    ' {"a":[1,-2.5e3,true,false,null,{}],"b":{"c":"x:\\"y\\\\"},"":"","é😀":"\\ud83d\\ude00"}\r\n';

  assert.deepEqual(parseJson(text, limits), JSON.parse(text));
});

test('a scalar is a body too', () => {
  assert.equal(parseJson('"x"', limits), 'x');
  assert.equal(parseJson('0', limits), 0);
  assert.equal(parseJson('null', limits), null);
});

const unsafe: [what: string, text: string, pointers: string[]][] = [
  ['a duplicate key', '{"a":1,"b":2,"a":1}', ['#/a']],
  ['a duplicate key in the depth', '{"a":[0,{"b":{"c":1,"c":2}}]}', ['#/a/1/b/c']],
  ['a key duplicated by an escape', '{"a":1,"\\u0061":2}', ['#/a']],
  ['a duplicate key beside colons in strings', '{"a:":":","b":"\\":","b":1}', ['#/b']],
  ['a duplicate empty key', '{"":1,"":2}', ['#/']],
  ['2^53', '{"n":9007199254740992}', ['#/n']],
  ['2^53 + 1, which would become 2^53', '[9007199254740993]', ['#/0']],
  ['−2^53', '[0,-9007199254740992]', ['#/1']],
  ['a large number spelt with an exponent', '[1e17]', ['#/0']],
  ['a number that overflows', '{"n":[1e400]}', ['#/n/0']],
  ['a number that overflows downwards', '-1e400', ['#']],
  ['an own __proto__', '{"a":{"__proto__":{"polluted":true}}}', ['#/a/__proto__']],
  ['a scalar __proto__', '{"__proto__":1}', ['#/__proto__']],
  ['an escaped __proto__', '{"\\u005f_proto__":1}', ['#/__proto__']],
  ['constructor.prototype', '{"x":{"constructor":{"prototype":{}}}}', ['#/x/constructor']],
  ['U+0000 in a string', '["a","\\u0000"]', ['#/1']],
  ['U+0000 in a key', '{"\\u0000":1}', ['#/\0']],
  ['an escaped half of a pair', '{"a":"\\ud800"}', ['#/a']],
  ['an escaped second half alone', '{"a":"\\udc00\\ud800"}', ['#/a']],
  ['half of a pair as it stands', '{"a":"\ud800"}', ['#/a']],
  ['half of a pair in a key', '{"\\udfff":1}', ['#/\udfff']],
  [
    'several faults, in their order',
    '{"a":1,"a":{"b":[1e99]},"c/~":"\\u0000"}',
    ['#/a', '#/a/b/0', '#/c~1~0'],
  ],
];
for (const [what, text, pointers] of unsafe) {
  test(`refused with its pointer: ${what}`, () => {
    assert.deepEqual(
      issuesOf(text).map((issue) => issue.pointer),
      pointers,
    );
  });
}

const safe: [what: string, text: string][] = [
  ['±(2^53 − 1)', '[9007199254740991,-9007199254740991]'],
  ['the same key in two objects', '[{"a":1},{"a":1},{"a":{"a":1}}]'],
  ['a constructor that is no trap', '{"constructor":"Renault","a":{"constructor":{"name":"x"}}}'],
  ['a prototype that is no trap', '{"prototype":{"constructor":[{"prototype":1}]}}'],
  ['an escaped backslash before u', '["\\\\u0000"]'],
  ['__proto__ as a value', '["__proto__"]'],
  ['fractions that round to 2^53 − 1', '[9007199254740990.9]'],
];
for (const [what, text] of safe) {
  test(`read: ${what}`, () => assert.deepEqual(parseJson(text, limits), JSON.parse(text)));
}

test('nesting up to the limit is read, one more is refused at the container that exceeds it', () => {
  parseJson('[[[]]]', { depthMax: 3 });
  parseJson('7', { depthMax: 0 });

  assert.deepEqual(
    issuesOf('[1,[{"a":[]}]]', 3).map((issue) => issue.pointer),
    ['#/1/0/a'],
  );
  assert.equal(issuesOf('{}', 0)[0]?.pointer, '#');
});

test('a bomb of half a million brackets is refused, closed or not', () => {
  const bomb = '['.repeat(500_000);

  assert.match(issuesOf(bomb + ']'.repeat(500_000))[0]?.detail ?? '', /deeper than 64/);
  assert.equal(refusalOf(bomb).code, 'unsafe-json');
});

test('at most eight faults are told', () => {
  assert.equal(issuesOf(`[${'1e400,'.repeat(20)}0]`).length, 8);
});

test('a pointer is cut where a key is as long as a body', () => {
  const pointer = issuesOf(`{"${'k'.repeat(100_000)}":1e400}`)[0]?.pointer ?? '';

  assert.ok(pointer.length <= 1025, String(pointer.length));
});

const broken: [text: string, where: string][] = [
  ['', 'line 1, column 1'],
  ['  ', 'line 1, column 3'],
  ['{"a":}', 'line 1, column 6'],
  ['{"a":1\n,}', 'line 2, column 2'],
  ['{"a" 1}', 'line 1, column 6'],
  ["{'a':1}", 'line 1, column 2'],
  ['[1,2', 'line 1, column 5'],
  ['[1 2]', 'line 1, column 4'],
  ['[01]', 'line 1, column 3'],
  ['[1,]', 'line 1, column 4'],
  ['"a', 'line 1, column 3'],
  ['"a\u0000"', 'line 1, column 3'],
  ['["\\x"]', 'line 1, column 3'],
  ['{}{}', 'line 1, column 3'],
  ['NaN', 'line 1, column 1'],
  ['[1.]', 'line 1, column 3'],
  ['\ufeff{}', 'line 1, column 1'],
];
for (const [text, where] of broken) {
  test(`not JSON, at ${where}: ${JSON.stringify(text)}`, () => {
    const error = refusalOf(text);

    assert.equal(error.code, 'validation-failed');
    assert.ok(error.message.includes(`${where}:`), error.message);
    assert.ok(error.facts.errors?.[0]?.detail.startsWith(where));
  });
}

test('property: what is stringified is read back equal', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(safeValue, (value) => {
      assert.deepEqual(parseJson(JSON.stringify(value), limits), value);
      assert.deepEqual(parseJson(JSON.stringify(value, null, '\t'), limits), value);
    }),
    { seed, numRuns: 500 },
  );
});

test('property: a fault planted anywhere is found there, and nowhere else', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(safeValue, steps, fc.constantFrom(...FAULTS), (value, path, fault) => {
      const { text, at } = plant(value, path, fault);

      assert.deepEqual(
        issuesOf(text).map((issue) => issue.pointer),
        [`#${at.map((token) => `/${escape(token)}`).join('')}`],
        text,
      );
    }),
    { seed, numRuns: 500 },
  );
});

test('property: both readers agree on what is JSON, whatever is cut out of it', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const mark = fc.constantFrom(
    '',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u12',
    '-',
    '.',
    '1e',
    '\n',
    '\t"',
  );
  fc.assert(
    fc.property(safeValue, fc.nat(), fc.nat(4), mark, (value, place, cut, inserted) => {
      const whole = JSON.stringify(value, null, 1);
      const at = place % (whole.length + 1);
      const text = whole.slice(0, at) + inserted + whole.slice(at + cut);

      assert.equal(isRefusedAsBroken(text), !isJson(text), text);
    }),
    { seed, numRuns: 2000 },
  );
});

/** Values that JSON carries without loss: no −0, nothing beyond 2^53 − 1, no trap for prototypes. */
const key = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 4 }),
  fc.constantFrom('a', 'b', '', '/', '~', ':', '"', '\\', 'toString', 'length'),
);
const scalar = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(':', '":', '\\":{', '\u001f', '😀', '\u2028'),
  fc.maxSafeInteger(),
  fc.double({ min: -1e15, max: 1e15, noNaN: true }).map((n) => n + 0),
  fc.boolean(),
  fc.constant(null),
);
const safeValue = fc
  .letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 5 }),
      fc
        .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 5, selector: ([name]) => name })
        .map((members) => Object.fromEntries(members.filter(([name]) => !name.includes('\0')))),
    ),
  }))
  .value.map(withoutNul);
const steps = fc.array(fc.nat(), { maxLength: 8 });

function withoutNul(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('\\u0000', '')) as unknown;
}

/** A member with a fault, as text: what follows a key or an array's comma. */
const FAULTS = [
  '9007199254740993',
  '-1e999',
  '"\\u0000"',
  '"\\udead"',
  'duplicate',
  '__proto__',
] as const;

/** Walks down `path` as far as it leads and writes the faulty member there. */
function plant(value: unknown, path: number[], fault: (typeof FAULTS)[number]) {
  const hole = '<hole>';
  const at: string[] = [];
  const isMember = fault === 'duplicate' || fault === '__proto__';
  const bury = (inner: unknown, depth: number): unknown => {
    const step = path[depth];
    if (step !== undefined && Array.isArray(inner) && inner.length > 0) {
      const index = step % inner.length;
      at.push(String(index));
      return inner.with(index, bury(inner[index], depth + 1));
    }
    const names = typeof inner === 'object' && inner !== null ? Object.keys(inner) : [];
    if (step !== undefined && !Array.isArray(inner) && names.length > 0) {
      const name = names[step % names.length] ?? '';
      at.push(name);
      const members = inner as Record<string, unknown>;
      return { ...members, [name]: bury(members[name], depth + 1) };
    }
    if (isMember) at.push(fault === 'duplicate' ? 'k' : '__proto__');
    return hole;
  };
  const text = JSON.stringify(bury(value, 0));
  const planted = isMember
    ? fault === 'duplicate'
      ? '{"k":1,"l":"k","k":1}'
      : '{"x":0,"__proto__":null}'
    : fault;
  return { text: text.replace(JSON.stringify(hole), () => planted), at };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // The answer, not a failure.
  }
}

function isRefusedAsBroken(text: string): boolean {
  try {
    parseJson(text, limits);
    return false;
  } catch (error) {
    assert.ok(ReachError.is(error), `${String(error)} for ${text}`);
    return error.code === 'validation-failed';
  }
}
