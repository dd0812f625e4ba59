import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '../testing/seed.ts';
import {
  address,
  choice,
  decimal,
  defaultsOf,
  duration,
  flag,
  integer,
  list,
  type Option,
  parseDurationMs,
  port,
  secret,
  text,
} from './options.ts';

const about = { key: 'a.b', doc: 'A test.' };

/** What a reader makes of each raw value; undefined: it refuses it. */
function reads<T>(option: Option<T>, cases: [raw: unknown, value: T | undefined][]): void {
  for (const [raw, value] of cases) {
    assert.deepEqual(option.read(raw), value, `${option.form}: ${JSON.stringify(raw)}`);
  }
}

test('a duration is read in every unit, and a bare number is seconds', () => {
  for (const [raw, ms] of [
    ['250ms', 250],
    ['30s', 30_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['60', 60_000],
    [60, 60_000],
    [0.25, 250],
    [0, 0],
    ['0ms', 0],
  ] as const) {
    assert.equal(parseDurationMs(raw), ms, String(raw));
  }
});

test('a duration of another form is not read', () => {
  const others = ['', ' 5s', '5s ', '-5s', '+5s', '5 s', '5S', '1e3', '.5s', '5.s', 's', '5min'];
  const values = [null, undefined, true, {}, [], ['5s'], Number.NaN, Infinity, -1, -0.001];

  for (const raw of [...others, ...values, '9'.repeat(400), `${'9'.repeat(400)}ms`]) {
    assert.equal(parseDurationMs(raw), undefined, JSON.stringify(raw)?.slice(0, 40));
  }
});

test('a duration is whole milliseconds, however floating point puts it', (t) => {
  assert.equal(parseDurationMs(1.005), 1_005);
  assert.equal(parseDurationMs('1.005s'), 1_005);
  assert.equal(parseDurationMs('0.4ms'), 0);

  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000_000 }), (ms) => {
      assert.equal(parseDurationMs(ms / 1_000), ms);
      assert.equal(parseDurationMs(`${(ms / 1_000).toFixed(3)}s`), ms);
      assert.equal(parseDurationMs(`${ms}ms`), ms);
    }),
    { seed, numRuns: 500 },
  );
});

test('a duration keeps its bounds, and they are written in its form', () => {
  const option = duration({ ...about, default: 1_000, min: 250, max: 2_000 });

  reads(option, [
    ['250ms', 250],
    ['249ms', undefined],
    ['2s', 2_000],
    ['2001ms', undefined],
    ['soon', undefined],
  ]);
  assert.match(option.form, /250 to 2000 ms/);
});

test('an integer is read as number or digits, within its bounds', () => {
  reads(integer({ ...about, default: 3, min: -2, max: 10 }), [
    [3, 3],
    ['3', 3],
    ['-2', -2],
    [-3, undefined],
    [10, 10],
    ['10', 10],
    [11, undefined],
    ['11', undefined],
    [1.5, undefined],
    ['1.5', undefined],
    ['', undefined],
    [' 3', undefined],
    ['0x3', undefined],
    ['3e0', undefined],
    [Number.NaN, undefined],
    [null, undefined],
    [true, undefined],
    [[3], undefined],
  ]);
});

test('an integer beyond what a double counts is refused, not rounded', () => {
  const option = integer({ ...about, default: 1, min: 0, max: 1e20 });

  reads(option, [
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', undefined],
    [2 ** 53, undefined],
  ]);
});

test('a port is a number up to 65535 or off', () => {
  reads(port({ ...about, default: 8_080 }), [
    [0, 0],
    ['8081', 8_081],
    [65_535, 65_535],
    [65_536, undefined],
    [-1, undefined],
    ['off', 'off'],
    [false, 'off'],
    ['on', undefined],
    [true, undefined],
    ['tcp://10.0.0.1:80', undefined],
  ]);
});

test('a flag is true or false, not what could be meant by it', () => {
  reads(flag({ ...about, default: false }), [
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['yes', undefined],
    ['1', undefined],
    [1, undefined],
    ['', undefined],
    [null, undefined],
  ]);
});

test('a text is a text, an empty one too, and nothing else', () => {
  reads(text({ ...about, default: '' }), [
    ['x', 'x'],
    ['', ''],
    [5, undefined],
    [null, undefined],
    [{}, undefined],
  ]);
});

test('an address is read by its own rule, and what is secret in it is not shown', () => {
  const form = 'host:port';
  const parse = (said: string) => URL.parse(said) ?? undefined;
  const option = address({ ...about, default: '', form, parse });

  reads(option, [
    ['', ''],
    ['redis://me:pw@h:1/2?a=1', 'redis://me:pw@h:1/2?a=1'],
    ['no address', undefined],
    [5, undefined],
  ]);
  assert.equal(option.shown?.(''), '');
  assert.equal(option.shown?.('redis://h:1'), 'redis://h:1');
  assert.equal(
    option.shown?.('redis://me:pw@h:1/2?sslpassword=x&a=1'),
    'redis://me:***@h:1/2?sslpassword=***&a=1',
  );
});

test('a choice is one of its words to the letter', () => {
  const option = choice({ ...about, words: ['open', 'loopback'], default: 'open' });

  reads(option, [
    ['open', 'open'],
    ['OPEN', undefined],
    ['open ', undefined],
    ['', undefined],
    [undefined, undefined],
  ]);
  assert.match(option.form, /open, loopback/);
});

test('a list is an array of words, or words between commas', () => {
  reads(list({ ...about, default: [] }), [
    ['a, b ,c', ['a', 'b', 'c']],
    ['a', ['a']],
    ['', []],
    [',,', []],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [[], []],
    [['a', 1], undefined],
    [5, undefined],
    [{ length: 1 }, undefined],
    [null, undefined],
  ]);
});

test('defaults come under the names of their options', () => {
  const options = {
    waitMs: duration({ ...about, default: 5, min: 0, max: 10 }),
    words: list({ ...about, default: ['a'] }),
  };

  assert.deepEqual(defaultsOf(options), { waitMs: 5, words: ['a'] });
});

test('a number that need not be whole is read within its bounds, and nothing else', () => {
  reads(decimal({ ...about, default: 0.5, min: 0, max: 0.8 }), [
    [0.5, 0.5],
    ['0.25', 0.25],
    ['.8', 0.8],
    [0, 0],
    [0.81, undefined],
    [-0.1, undefined],
    [Number.NaN, undefined],
    ['1e-1', undefined],
    ['', undefined],
    [true, undefined],
  ]);
});

test('a key is read without the end of its line, and never shown', () => {
  const option = secret({ ...about, default: '' });

  reads(option, [
    ['abc-123', 'abc-123'],
    ['abc\n', 'abc'],
    ['', ''],
    ['a b', undefined],
    ['schlüssel', undefined],
    ['x'.repeat(4_096), 'x'.repeat(4_096)],
    ['x'.repeat(4_097), undefined],
    [7, undefined],
  ]);
  assert.equal(option.shown?.('abc-123'), '***');
  assert.equal(option.shown?.(''), '');
});
