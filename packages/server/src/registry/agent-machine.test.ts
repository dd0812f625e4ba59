import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OBSERVED, OBSERVED_MOVES, type ObservedCause } from '@agent-reach/core';
import { observe } from './agent-machine.ts';

test('every move of the table is made, and any other changes nothing', () => {
  const causes = [...new Set(OBSERVED_MOVES.map(([, cause]) => cause))] as ObservedCause[];
  for (const from of OBSERVED) {
    for (const cause of causes) {
      const listed = OBSERVED_MOVES.find((move) => move[0] === from && move[1] === cause);
      assert.equal(observe(from, cause), listed?.[2] ?? from, `${from} ${cause}`);
    }
  }
});

test('every state can be reached from new, and up from every state', () => {
  const reach = (start: string) => {
    const seen = new Set([start]);
    for (let grew = true; grew; ) {
      const before = seen.size;
      for (const [from, , to] of OBSERVED_MOVES) if (seen.has(from)) seen.add(to);
      grew = seen.size > before;
    }
    return seen;
  };
  for (const state of OBSERVED) {
    assert.ok(reach(state).has('up'), state);
    assert.ok(reach('new').has(state), state);
  }
});
