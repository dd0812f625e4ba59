import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { LedgerStore } from '../storage/spi/ledger.ts';
import { keyPruner } from './key-pruner.ts';

function steered(answers: (number | Error)[]) {
  const clock = new ManualClock();
  const moves: unknown[] = [];
  const confirmations: unknown[] = [];
  const errors: object[] = [];
  const ledger = {
    async prune(move: unknown) {
      moves.push(move);
      const answer = answers.shift() ?? 0;
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async pruneConfirmations(move: unknown) {
      confirmations.push(move);
      return confirmations.length === 1 ? 1_000 : 3;
    },
  } as LedgerStore;
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
  const service = keyPruner({ ledger, clock, log, now: () => 'store' });
  return { clock, moves, confirmations, errors, service };
}

test('once a minute expired keys and confirmations are forgotten, a full batch after the other', async () => {
  const { clock, moves, confirmations, service } = steered([1_000, 1_000, 999]);
  await service.start();

  await clock.advance(59_999);
  assert.equal(moves.length, 0);
  await clock.advance(1);

  assert.equal(moves.length, 3);
  assert.deepEqual(moves[0], { limit: 1_000, now: 'store' });
  assert.deepEqual(confirmations, [moves[0], moves[0]]);
  await service.stop();
  assert.equal(clock.waiting, 0);
});

test('a ledger that fails is told in the log and tried again', async () => {
  const { clock, errors, moves, service } = steered([new Error('disk')]);
  await service.start();

  await clock.advance(120_000);

  assert.equal(moves.length, 2);
  assert.equal(errors.length, 1);
  await service.stop();
});
