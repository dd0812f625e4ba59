import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vectorsFrom } from './embedder.ts';

function refusal(rows: readonly unknown[], wanted = rows.length): string {
  const answer = vectorsFrom(rows, wanted);
  assert.ok(!answer.ok);
  assert.equal(answer.fault, 'nonsense');
  return answer.detail;
}

test('rows become vectors of length 1, in their order', () => {
  const answer = vectorsFrom([[3, 4], new Float32Array([0, -2])], 2);

  assert.ok(answer.ok);
  const rounded = answer.vectors.map((vector) => [...vector].map((value) => +value.toFixed(4)));
  assert.deepEqual(rounded, [
    [0.6, 0.8],
    [0, -1],
  ]);
});

for (const [what, rows, wanted, why] of [
  ['too few', [[1, 0]], 2, /1 vectors for 2 texts/],
  [
    'too many',
    [
      [1, 0],
      [0, 1],
    ],
    1,
    /2 vectors for 1 texts/,
  ],
  [
    'of different lengths',
    [
      [1, 0],
      [0, 1, 0],
    ],
    2,
    /of 2 and of 3/,
  ],
  ['NaN', [[1, Number.NaN]], 1, /zeros, or with something else/],
  ['infinite', [[1, Number.POSITIVE_INFINITY]], 1, /zeros, or/],
  ['beyond what can be added up', [[1e200, 1e200]], 1, /zeros, or/],
  ['nothing but zeros', [[0, 0]], 1, /zeros, or/],
  ['null within', [[1, null]], 1, /zeros, or/],
  ['texts within', [[1, '0']], 1, /zeros, or/],
  ['no lists', ['AAAA'], 1, /no list/],
  ['nothing', [undefined], 1, /no list/],
  ['of one number', [[1]], 1, /2 to 4096/],
  ['of 4,097 numbers', [Array.from({ length: 4_097 }, () => 1)], 1, /2 to 4096/],
] as const) {
  test(`vectors that are ${what} are nonsense`, () => {
    assert.match(refusal(rows, wanted), why);
  });
}

test('the longest and the shortest vectors are taken', () => {
  for (const dims of [2, 4_096]) {
    assert.ok(vectorsFrom([Array.from({ length: dims }, () => 1)], 1).ok, String(dims));
  }
});
