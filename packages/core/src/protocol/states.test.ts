import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INTENTS, OBSERVED, OBSERVED_MOVES } from './states.ts';

test('no cause moves a state in two directions', () => {
  const seen = OBSERVED_MOVES.map(([from, cause]) => `${from} ${cause}`);

  assert.equal(new Set(seen).size, seen.length);
});

test('moves begin and end in known states, and none stays where it is', () => {
  for (const [from, , to] of OBSERVED_MOVES) {
    assert.ok(OBSERVED.includes(from));
    assert.ok(OBSERVED.includes(to));
    assert.notEqual(from, to);
  }
});

test('a lapsed lease takes every state away but the one that is gone', () => {
  const lapsing = OBSERVED_MOVES.filter(([, cause]) => cause === 'lease-lapsed');

  assert.deepEqual(
    lapsing.map(([from]) => from),
    OBSERVED.filter((state) => state !== 'gone'),
  );
  assert.ok(lapsing.every(([, , to]) => to === 'gone'));
});

test('from gone only a sign of life leads back, and to new: nothing is trusted before it is seen', () => {
  const back = OBSERVED_MOVES.filter(([from]) => from === 'gone');

  assert.deepEqual(back.map(([, cause]) => cause).toSorted(), ['heartbeat', 'registered']);
  assert.ok(back.every(([, , to]) => to === 'new'));
});

test('up is reached by what was measured alone', () => {
  const ups = OBSERVED_MOVES.filter(([, , to]) => to === 'up');

  assert.ok(ups.every(([, cause]) => cause === 'probe-passed' || cause === 'score-recovered'));
});

test('what a machine sees and what somebody wants share no word', () => {
  assert.deepEqual(
    OBSERVED.filter((state) => (INTENTS as readonly string[]).includes(state)),
    [],
  );
});
