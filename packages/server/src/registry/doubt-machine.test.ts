import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Doubt, doubtAt, noDoubt, withLateness, withLook } from './doubt-machine.ts';

const ROUND_MS = 5_000;

/** The levels after rounds of looks: `x` is lost, `.` is not, `L` is a lateness of more than a second. */
function levels(...rounds: string[]): number[] {
  let doubt = noDoubt(0);
  return rounds.map((round, n) => {
    for (const sign of round) {
      doubt = sign === 'L' ? withLateness(doubt, 1_001) : withLook(doubt, sign === 'x');
    }
    doubt = doubtAt(doubt, (n + 1) * ROUND_MS);
    return doubt.level;
  });
}

test('a round in which most of those that were there are lost raises the doubt, half of them do not', () => {
  assert.deepEqual(levels('xxx..', 'xxx...', 'xxxx...'), [1, 0, 1]);
});

test('fewer than five looks are no majority', () => {
  assert.deepEqual(levels('xxxx', 'xxxxx'), [0, 1]);
});

test('a gateway that was more than a second late doubts itself, whatever it saw', () => {
  assert.deepEqual(levels('L.....', '', ''), [1, 0, 0]);
  const barely = doubtAt(withLateness(noDoubt(0), 1_000), ROUND_MS);
  assert.equal(barely.level, 0);
});

test('the doubt ends at seven, and falls by one a clean round', () => {
  assert.deepEqual(
    levels(...Array<string>(9).fill('L'), '', ''),
    [1, 2, 3, 4, 5, 6, 7, 7, 7, 6, 5],
  );
});

test('rounds of which nothing was told are clean ones', () => {
  let doubt = noDoubt(0);
  for (const at of [5_000, 10_000, 15_000]) doubt = doubtAt(withLateness(doubt, 2_000), at);
  assert.equal(doubt.level, 3);
  assert.equal(doubtAt(doubt, 24_999).level, 2);
  assert.equal(doubtAt(doubt, 25_000).level, 1);
  assert.equal(doubtAt(doubt, 60_000).level, 0);
});

test('a round is judged when it is over, and not before', () => {
  const late: Doubt = withLateness(noDoubt(0), 2_000);
  assert.equal(doubtAt(late, ROUND_MS - 1).level, 0);
  assert.equal(doubtAt(late, ROUND_MS).level, 1);
});
