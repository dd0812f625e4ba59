import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testRandom } from '../testing/seed.ts';
import { type Random, seededRandom, systemRandom } from './random.ts';

const POOL_BYTES = 4_096;

function drawn(random: Random, count = 50): unknown[] {
  return Array.from({ length: count }, () => [
    random.next(),
    random.below(1_000),
    [...random.bytes(9)],
  ]);
}

test('the same seed gives the same run, another seed another one', () => {
  assert.deepEqual(drawn(seededRandom(7)), drawn(seededRandom(7)));
  assert.notDeepEqual(drawn(seededRandom(7)), drawn(seededRandom(8)));
});

test('a seed of 0 and one beyond 32 bits give usable chance', () => {
  for (const seed of [0, 2 ** 32, 2 ** 40 + 1, -1]) {
    assert.equal(new Set(drawn(seededRandom(seed)).map(String)).size, 50, `seed ${seed}`);
  }
});

for (const [name, make] of [
  ['seeded chance', (seed: number) => seededRandom(seed)],
  ['chance of the system', () => systemRandom()],
] as const) {
  test(`${name} fills ten buckets evenly and stays in its range`, (t) => {
    const { seed } = testRandom((line) => t.diagnostic(line));
    const random = make(seed);
    const buckets = Array.from({ length: 10 }, () => 0);
    const bytes = new Uint8Array(256);
    const draws = 50_000;

    for (let i = 0; i < draws; i++) {
      const next = random.next();
      assert.ok(next >= 0 && next < 1);
      const below = random.below(10);
      assert.ok(Number.isInteger(below) && below >= 0 && below < 10);
      buckets[below] = (buckets[below] ?? 0) + 1;
      for (const byte of random.bytes(1)) bytes[byte] = 1;
    }

    // Chi square with 9 degrees of freedom passes 45 less than once in a million runs.
    const expected = draws / 10;
    const chi = buckets.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
    assert.ok(chi < 45, `chi square ${chi}`);
    assert.equal(
      bytes.reduce((sum, seen) => sum + seen, 0),
      256,
    );
  });
}

test('below one is always zero', () => {
  assert.equal(seededRandom(1).below(1), 0);
  assert.equal(systemRandom().below(1), 0);
});

test('bytes of the system are whole and fresh at every place of the pool and beyond it', () => {
  const random = systemRandom();
  const seen = new Set<string>();
  const lengths = [4_000, 95, 1, 1, 96, POOL_BYTES, 1, POOL_BYTES + 1, 16];

  for (const length of lengths) {
    const bytes = random.bytes(length);
    assert.equal(bytes.length, length);
    if (length >= 16) seen.add(Buffer.from(bytes).toString('hex').slice(0, 32));
  }

  assert.equal(seen.size, lengths.filter((length) => length >= 16).length);
});

test('bytes of the system never come twice across many pools', () => {
  const random = systemRandom();
  const seen = new Set<string>();

  // 24 does not divide the pool: each round ends elsewhere in it.
  for (let i = 0; i < 2_000; i++) seen.add(Buffer.from(random.bytes(24)).toString('hex'));

  assert.equal(seen.size, 2_000);
});

test('bytes belong to whoever drew them: the next draw does not change them', () => {
  const random = systemRandom();
  const first = random.bytes(16);
  const before = Buffer.from(first).toString('hex');

  for (let i = 0; i < 1_000; i++) random.bytes(16);

  assert.equal(Buffer.from(first).toString('hex'), before);
});

test('no bytes are no bytes', () => {
  assert.equal(systemRandom().bytes(0).length, 0);
  assert.equal(seededRandom(1).bytes(0).length, 0);
});
