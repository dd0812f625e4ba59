import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pace } from './gcra.ts';

/** One each 100 ms, five at once; asked at each of these milliseconds. */
function asked(at: number[], burst = 5) {
  let tat = 0;
  return at.map((ms) => {
    const move = pace(tat, ms * 1_000, { everyUs: 100_000, burst });
    tat = move.tat;
    return move.answer;
  });
}

test('five at once, then one each period, and who is refused is told when', () => {
  const answers = asked([0, 0, 0, 0, 0, 0, 50, 100]);

  assert.deepEqual(
    answers.map(({ allowed, remaining, retryMs }) => [allowed, allowed ? remaining : retryMs]),
    [
      [true, 4],
      [true, 3],
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 100],
      [false, 50],
      [true, 0],
    ],
  );
});

test('who is refused loses nothing by asking', () => {
  const [patient] = asked([0, 0, 0, 0, 0, 100]).slice(-1);
  const [eager] = asked([0, 0, 0, 0, 0, ...Array(50).fill(99), 100]).slice(-1);

  assert.deepEqual(eager, patient);
  assert.equal(patient?.allowed, true);
});

test('a burst comes back whole and no more, however long nobody asks', () => {
  const answers = asked([0, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000, 1_000_000]);

  assert.deepEqual(
    answers.map(({ allowed }) => allowed),
    [true, true, true, true, true, true, false],
  );
  assert.equal(answers.at(-1)?.resetMs, 500);
});

test('without a burst one goes each period exactly', () => {
  const answers = asked([0, 99, 100, 199, 200], 1);

  assert.deepEqual(
    answers.map(({ allowed }) => allowed),
    [true, false, true, false, true],
  );
});
