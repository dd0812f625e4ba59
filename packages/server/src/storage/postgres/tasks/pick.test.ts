import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Aged, type Candidate, pickInTurn } from './pick.ts';

const ROUND = { limit: 10, taken: 0, fairness: undefined, now: 1_000 };

function of(principal: string, seqs: number[], facts: Partial<Candidate> = {}): Candidate[] {
  return seqs.map((seq) => {
    return { lane: 1, priority: 4, last: '', principal, seq, share: 10, ...facts };
  });
}

test('callers take turns, each from his oldest', () => {
  const picked = pickInTurn(
    [...of('a', [1, 2, 6]), ...of('b', [3]), ...of('c', [4, 5])],
    [],
    ROUND,
  );

  assert.deepEqual(picked.picks, [1, 3, 4, 2, 5, 6]);
  assert.deepEqual([...picked.turns], [[4, 'a']]);
  assert.equal(picked.isCut, false);
});

test('the round goes on after the caller who was served last', () => {
  const last = { last: 'b' };
  const all = [...of('a', [1], last), ...of('b', [2], last), ...of('c', [3], last)];

  assert.deepEqual(pickInTurn(all, [], ROUND).picks, [3, 1, 2]);
});

test('a caller’s tasks of several lanes are one row', () => {
  const all = [...of('a', [5, 9]), ...of('a', [2, 7], { lane: 2 })];

  assert.deepEqual(pickInTurn(all, [], ROUND).picks, [2, 5, 7, 9]);
});

test('the more urgent go first, and turns are kept apart', () => {
  const picked = pickInTurn([...of('a', [1]), ...of('b', [2], { priority: 9 })], [], ROUND);

  assert.deepEqual(picked.picks, [2, 1]);
  assert.deepEqual(
    [...picked.turns],
    [
      [9, 'b'],
      [4, 'a'],
    ],
  );
});

test('where somebody’s next task was not read, it stops and says so', () => {
  const all = [...of('a', [1, 2], { share: 2 }), ...of('b', [3], { share: 2 })];

  const picked = pickInTurn(all, [], ROUND);

  assert.deepEqual(picked.picks, [1, 3, 2]);
  assert.equal(picked.isCut, true);
});

test('a lane that was read to its end does not hide behind one that was not', () => {
  // Of lane 1 more than 5 may follow, so whether 9 of lane 2 is next cannot be known.
  const all = [...of('a', [5], { share: 1 }), ...of('a', [9], { lane: 2, share: 2 })];

  const picked = pickInTurn(all, [], ROUND);

  assert.deepEqual([picked.picks, picked.isCut], [[5], true]);
});

test('every n-th is the one that has been ready longest, out of turn', () => {
  const fairness = { agingMs: 10, agingEvery: 2 };
  const old: Aged[] = [{ seq: 8, readyAt: 100, priority: 0 }];
  const all = [...of('a', [1, 2]), ...of('b', [3]), ...of('z', [8], { priority: 0 })];

  const picked = pickInTurn(all, old, { ...ROUND, fairness });

  assert.deepEqual(picked.picks, [1, 8, 3, 2]);
  assert.deepEqual([...picked.turns.keys()], [4]);
});

test('while one of priority 10 is to be had, none is aged', () => {
  const fairness = { agingMs: 10, agingEvery: 1 };
  const old: Aged[] = [{ seq: 8, readyAt: 100, priority: 0 }];
  const all = [...of('a', [1], { priority: 10 }), ...of('z', [7, 8], { priority: 0 })];

  assert.deepEqual(pickInTurn(all, old, { ...ROUND, fairness }).picks, [1, 8, 7]);
});

test('no more than its limit, and nothing from nothing', () => {
  assert.deepEqual(pickInTurn(of('a', [1, 2, 3]), [], { ...ROUND, limit: 2 }).picks, [1, 2]);
  assert.deepEqual(pickInTurn([], [], ROUND).picks, []);
});
