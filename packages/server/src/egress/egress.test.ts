import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { boardOn } from '../resilience/testing/board.ts';
import { attemptOnce } from './egress.ts';
import type { AttemptOutcome } from './link.ts';
import { attempt } from './testing/attempt.ts';

const KEY = 'internal/orders/i-1';

function room() {
  const clock = new ManualClock();
  return { clock, board: boardOn(clock) };
}

test('an attempt is on the board while it lasts, and its answer moves the typical time', async () => {
  const { board, clock } = room();
  const answer = Promise.withResolvers<AttemptOutcome>();
  const under = attemptOnce(attempt(), () => answer.promise, board);
  assert.equal(board.of(KEY).inflight, 1);
  await clock.advance(70);

  answer.resolve({ ok: true, status: 200, result: null });

  assert.deepEqual(await under, { ok: true, status: 200, result: null });
  const { inflight, typicalMs, answeredAt } = board.of(KEY);
  assert.deepEqual([inflight, typicalMs, answeredAt], [0, 70, clock.now()]);
});

test('a refusal is an answer as well; no answer at all leaves no time behind', async () => {
  const { board } = room();
  const failed = (status: number) => async (): Promise<AttemptOutcome> => ({
    ok: false,
    status,
    error: new ReachError('agent-error', 'It failed.'),
  });

  await attemptOnce(attempt(), failed(0), board);
  const { inflight, typicalMs, answeredAt } = board.of(KEY);
  assert.deepEqual([inflight, typicalMs, answeredAt], [0, undefined, undefined]);
  await attemptOnce(attempt(), failed(500), board);
  assert.equal(board.of(KEY).typicalMs, 0);
});

test('a link that throws, at once or later, leaves nothing in flight', async () => {
  const { board } = room();
  const bug = new TypeError('a bug');
  const links = [
    () => Promise.reject(bug),
    () => {
      throw bug;
    },
  ];

  for (const link of links) {
    await assert.rejects(attemptOnce(attempt(), link, board), (error) => error === bug);
    assert.equal(board.of(KEY).inflight, 0);
  }
});

test('a thousand attempts that end in every way leave nothing in flight', async () => {
  const { board } = room();
  const outcomes = Array.from({ length: 1_000 }, (_, i) =>
    attemptOnce(
      attempt(),
      async () => {
        if (i % 3 === 0) throw new Error('a bug');
        return { ok: true, status: i % 3 === 1 ? 200 : 0, result: null };
      },
      board,
    ),
  );
  assert.equal(board.of(KEY).inflight, 1_000);

  await Promise.allSettled(outcomes);

  assert.equal(board.of(KEY).inflight, 0);
});
