import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn, type Owed } from './round-robin.ts';

function turns(weights: Record<string, number>, count: number, owed: Owed = new Map()) {
  const members = Object.entries(weights).map(([id, weight]) => ({ id, weight }));
  let names = '';
  for (let n = 0; n < count; n++) {
    const turn = nextTurn(members, owed);
    owed = turn.owed;
    names += members[turn.index]?.id;
  }
  return { names, owed };
}

test('5, 1, 1 go a a b a c a a, and again', () => {
  assert.equal(turns({ a: 5, b: 1, c: 1 }, 14).names, 'aabacaaaabacaa');
});

test('equal weights go in turn, and so do weights below one', () => {
  assert.equal(turns({ a: 1, b: 1, c: 1 }, 6).names, 'abcabc');
  assert.equal(turns({ a: 0.1, b: 0.2 }, 6).names, 'babbab');
});

test('in every round of the sum of weights each has exactly its weight', () => {
  const weights = { a: 7, b: 3, c: 2 };
  let owed: Owed = new Map();
  for (let round = 0; round < 5; round++) {
    const { names, owed: after } = turns(weights, 12, owed);
    owed = after;
    for (const [id, weight] of Object.entries(weights)) {
      assert.equal(names.split(id).length - 1, weight, `${id} in ${names}`);
    }
  }
});

test('one that leaves is owed nothing when it comes back, and one that joins waits its turn', () => {
  const before = turns({ a: 1, b: 1, c: 1 }, 2).owed;
  const { names, owed } = turns({ a: 1, b: 1 }, 4, before);

  assert.equal(owed.has('c'), false);
  assert.equal(names.split('a').length, names.split('b').length);
  assert.match(turns({ a: 1, b: 1, c: 1 }, 3, owed).names, /c/);
});
