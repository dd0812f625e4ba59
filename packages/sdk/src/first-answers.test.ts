import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { resultAnswer } from './answer.ts';
import { FirstAnswers, type RunOutcome } from './first-answers.ts';
import { type InboundCall, readCall } from './inbound.ts';
import { idsFrom, seededRandom } from '@agent-reach/core/kernel';

/** A memory, and how often work was started through it. */
function openMemory() {
  const clock = new ManualClock();
  const ids = idsFrom(clock, seededRandom(1));
  const memory = new FirstAnswers(clock);
  let starts = 0;
  const callOf = (key: string, caller = 'a'): InboundCall =>
    readCall({ 'idempotency-key': key, 'reach-caller': caller }, 'refund', ids);
  const once = (call: InboundCall, params: unknown, outcome?: Promise<RunOutcome>) =>
    memory.once(call, params, () => {
      starts++;
      return outcome ?? Promise.resolve(final(String(starts)));
    });
  return { clock, callOf, once, starts: () => starts };
}

function final(body: string): RunOutcome {
  return { answer: resultAnswer(body), isFinal: true };
}

test('a repeat gets the first answer, whatever the order of its parameters', async () => {
  const { callOf, once, starts } = openMemory();

  const first = once(callOf('k'), { a: 1, b: { c: [1, 2], d: 2 } });
  await first.run;
  const repeat = once(callOf('k'), { b: { d: 2, c: [1, 2] }, a: 1 });

  assert.deepEqual([first.isRepeat, repeat.isRepeat], [false, true]);
  assert.equal((await repeat.run).answer.body, '1');
  assert.equal(starts(), 1);
});

test('other parameters under a key are refused, other callers and capabilities are not', () => {
  const { callOf, once, starts } = openMemory();
  once(callOf('k'), { a: [1, 2] });

  assert.throws(() => once(callOf('k'), { a: [2, 1] }), { code: 'idempotency-key-reused' });
  once(callOf('k', 'b'), { a: [2, 1] });
  once({ ...callOf('k'), capability: 'ship' }, { a: [2, 1] });

  assert.equal(starts(), 3);
});

test('what did not end in a verdict is forgotten: the next one runs', async () => {
  const { callOf, once, starts } = openMemory();

  once(callOf('k'), {}, Promise.resolve({ ...final('broken'), isFinal: false }));
  await settled();
  once(callOf('k'), {});

  assert.equal(starts(), 2);
});

test('a start that throws leaves nothing behind', () => {
  const { callOf, once } = openMemory();
  const memory = new FirstAnswers(new ManualClock());
  const busy = () => {
    throw new Error('busy');
  };

  assert.throws(() => memory.once(callOf('k'), {}, busy), /busy/);
  assert.equal(once(callOf('k'), {}).isRepeat, false);
});

test('an answer is kept for fifteen minutes', async () => {
  const { clock, callOf, once } = openMemory();
  await once(callOf('k'), {}).run;

  await clock.advance(15 * 60_000);
  assert.equal(once(callOf('k'), {}).isRepeat, true);
  await clock.advance(1);
  assert.equal(once(callOf('k'), {}).isRepeat, false);
});

test('of too many answers the oldest go, and none that still runs', async () => {
  const { callOf, once } = openMemory();
  const running = new Promise<RunOutcome>(() => {});
  once(callOf('running'), {}, running);
  for (let i = 0; i < 1_001; i++) await once(callOf(`k${i}`), {}).run;
  await settled();

  assert.equal(once(callOf('running'), {}).isRepeat, true);
  assert.equal(once(callOf('k1000'), {}).isRepeat, true);
  assert.equal(once(callOf('k0'), {}).isRepeat, false);
});

test('large answers are bounded together', async () => {
  const { callOf, once } = openMemory();
  const large = final('x'.repeat(12 * 1024 * 1024));
  for (const key of ['a', 'b', 'c']) await once(callOf(key), {}, Promise.resolve(large)).run;
  await settled();

  assert.equal(once(callOf('c'), {}).isRepeat, true);
  assert.equal(once(callOf('a'), {}).isRepeat, false);
});
