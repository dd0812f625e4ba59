import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@agent-reach/core/testing';
import { endpointKey } from './board.ts';
import { boardOn } from './testing/board.ts';

const unseen = {
  inflight: 0,
  waiting: 0,
  typicalMs: undefined,
  answeredAt: undefined,
  succeededAt: undefined,
  busyUntil: 0,
  outcomes: undefined,
};

function board() {
  const clock = new ManualClock(5_000);
  return { clock, board: boardOn(clock) };
}

test('an endpoint that was never asked has nothing in flight and no typical time', () => {
  assert.deepEqual(board().board.of('t/a/1'), unseen);
});

test('requests are in flight from their begin to their end', () => {
  const { board: seen } = board();

  const first = seen.begin('t/a/1');
  const second = seen.begin('t/a/1');
  seen.begin('t/a/2');
  assert.equal(seen.of('t/a/1').inflight, 2);
  first(true);
  assert.equal(seen.of('t/a/1').inflight, 1);
  second(false);

  assert.equal(seen.of('t/a/1').inflight, 0);
  assert.equal(seen.of('t/a/2').inflight, 1);
});

test('a request ends once, however often it is said', async () => {
  const { board: seen, clock } = board();
  const end = seen.begin('t/a/1');
  await clock.advance(10);

  end(true);
  const then = { ...seen.of('t/a/1') };
  await clock.advance(1_000);
  end(true);
  end(false);

  assert.deepEqual(seen.of('t/a/1'), then);
  assert.equal(then.inflight, 0);
});

test('the first answer sets the typical time, later ones move it by a tenth', async () => {
  const { board: seen, clock } = board();
  const answerAfter = async (ms: number) => {
    const end = seen.begin('t/a/1');
    await clock.advance(ms);
    end(true);
  };

  await answerAfter(100);
  assert.equal(seen.of('t/a/1').typicalMs, 100);
  assert.equal(seen.of('t/a/1').answeredAt, 5_100);
  await answerAfter(200);
  assert.equal(seen.of('t/a/1').typicalMs, 110);
  assert.equal(seen.of('t/a/1').answeredAt, 5_300);
});

test('silence is no answer: it moves neither the typical time nor the last one', async () => {
  const { board: seen, clock } = board();
  const end = seen.begin('t/a/1');
  await clock.advance(30_000);

  end(false);

  assert.deepEqual(seen.of('t/a/1'), unseen);
});

test('an endpoint that was dropped is forgotten, and a late answer does not bring it back', () => {
  const { board: seen } = board();
  const late = seen.begin('t/a/1');
  seen.drop('t/a/1');
  assert.deepEqual(seen.of('t/a/1'), unseen);

  const fresh = seen.begin('t/a/1');
  late(true);

  assert.equal(seen.of('t/a/1').inflight, 1, 'the late answer belongs to the forgotten entry');
  assert.equal(seen.of('t/a/1').typicalMs, undefined);
  fresh(true);
  assert.equal(seen.of('t/a/1').inflight, 0);
});

test('dropping what is not there is fine', () => {
  board().board.drop('t/a/1');
});

test('the board does not grow without bound: past a hundred thousand the oldest is forgotten', () => {
  const { board: seen } = board();

  for (let i = 0; i < 100_000; i++) seen.begin(`t/a/${i}`);
  assert.equal(seen.of('t/a/0').inflight, 1);
  seen.begin('t/a/one-more');

  assert.equal(seen.of('t/a/0').inflight, 0);
  assert.equal(seen.of('t/a/1').inflight, 1);
  assert.equal(seen.of('t/a/one-more').inflight, 1);
});

test('what is read of an unseen endpoint is not the entry of another', () => {
  const { board: seen } = board();
  const before = seen.of('t/a/1');

  seen.begin('t/a/2');

  assert.deepEqual(before, unseen);
});

test('the key of an endpoint tells tenant, agent and instance apart', () => {
  assert.equal(endpointKey('t', 'a', 'i'), 't/a/i');
  assert.notEqual(endpointKey('t', 'a.b', 'c'), endpointKey('t', 'a', 'b.c'));
});

test('how runs ended is told for five minutes, and what says nothing of the endpoint is not counted', async () => {
  const { board: seen, clock } = board();
  seen.ended('t/a/1', undefined);
  seen.ended('t/a/1', 'agent-error', true);
  seen.ended('t/a/1', 'cancelled');

  assert.deepEqual({ ...seen.outcomes('t/a/1') }, { runs: 2, failures: 1, slow: 1 });
  assert.equal(seen.outcomes('t/a/2').runs, 0);
  await clock.advance(300_000);
  assert.equal(seen.outcomes('t/a/1').runs, 0);
});

test('an endpoint that wants to be left alone is, a minute at most', () => {
  const { board: seen } = board();
  seen.refused('t/a/1', 5_000);
  seen.refused('t/a/1', 1_000);
  assert.equal(seen.of('t/a/1').busyUntil, 5_000);

  seen.refused('t/a/1', 86_400_000);

  assert.equal(seen.of('t/a/1').busyUntil, 60_000);
});
