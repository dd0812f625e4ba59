import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultsOf, type Log, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { TracesStore } from '../storage/spi/traces.ts';
import { TELEMETRY_OPTIONS } from './options.ts';
import { pruner } from './pruner.ts';

type Move = Parameters<TracesStore['prune']>[0];

function steered(answers: ({ traces: number; audit: number } | Error)[], log: Log = silentLog) {
  const clock = new ManualClock(1_000_000_000_000);
  const moves: Move[] = [];
  const store = {
    async prune(move: Move) {
      moves.push(move);
      const answer = answers.shift() ?? { traces: 0, audit: 0 };
      if (answer instanceof Error) throw answer;
      return answer;
    },
  } as TracesStore;
  const service = pruner({ store, clock, log, options: defaultsOf(TELEMETRY_OPTIONS) });
  return { clock, moves, service };
}

test('once a minute what is older than its retention is forgotten', async () => {
  const { clock, moves, service } = steered([]);
  await service.start();

  await clock.advance(59_999);
  assert.equal(moves.length, 0);
  await clock.advance(1);

  assert.deepEqual(moves, [
    {
      before: clock.now() - 7 * 86_400_000,
      rowsMax: 1_000_000,
      auditBefore: clock.now() - 180 * 86_400_000,
      limit: 1_000,
    },
  ]);
  await service.stop();
  assert.equal(clock.waiting, 0);
});

test('batches follow each other until one is not full and no segment went', async () => {
  const { clock, moves, service } = steered([
    { traces: 1_000, audit: 0 },
    { traces: 0, audit: 1 },
    { traces: 999, audit: 0 },
  ]);
  await service.start();

  await clock.advance(60_000);

  assert.equal(moves.length, 3);
  await service.stop();
});

test('a store that fails is tried again a minute later', async () => {
  const errors: object[] = [];
  const log = { ...silentLog, error: (fields: object) => void errors.push(fields) };
  const { clock, moves, service } = steered([new Error('disk')], log);
  await service.start();

  await clock.advance(60_000);
  await clock.advance(60_000);

  assert.equal(moves.length, 2);
  assert.equal(errors.length, 1);
  await service.stop();
});
