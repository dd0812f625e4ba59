import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, idsFrom, seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import type { Context } from './capability.ts';
import { readCall } from './inbound.ts';
import { Performer } from './perform.ts';
import { Reach } from './reach.ts';

/** Node's timers may fire up to a millisecond before their clock is there. */
function hastyClock(manual: ManualClock): Clock {
  return {
    now: () => manual.now(),
    monotonic: () => manual.monotonic(),
    sleep: (ms, signal) => manual.sleep(ms, signal),
    timer: (ms, wake) => manual.timer(Math.max(0, ms - 1), wake),
  };
}

test('a handler that breaks when told that its time is over ran out of it, however early that was', async () => {
  const manual = new ManualClock();
  const clock = hastyClock(manual);
  const ids = idsFrom(clock, seededRandom(3));
  const handler = (_: unknown, { signal }: Context) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  await using reach = new Reach();
  const performer = new Performer({
    agentId: () => 'slow',
    capabilities: new Map([['slow', { spec: { name: 'slow', description: '' }, handler }]]),
    maxConcurrency: 1,
    reach,
    clock,
    log: silentLog,
  });
  const call = readCall({ 'reach-deadline-ms': '100' }, 'slow', ids);

  const answering = performer.perform(call, {}, new AbortController().signal);
  await manual.advance(99);
  const { status, body } = await answering;

  assert.equal(status, 504);
  assert.match(body, /"code":"deadline-exceeded"/);
});

test('a handler has the time that the gateway says, within what its capability allows', async () => {
  const clock = new ManualClock();
  const ids = idsFrom(clock, seededRandom(3));
  await using reach = new Reach();
  const spec = { name: 'slow', description: '', timeoutMs: 1_000, maxTimeoutMs: 5_000 };
  const performer = new Performer({
    agentId: () => 'slow',
    capabilities: new Map([
      ['slow', { spec, handler: (_, { deadline }) => deadline.remainingMs() }],
    ]),
    maxConcurrency: 1,
    reach,
    clock,
    log: silentLog,
  });
  const given = async (headers: Record<string, string>) => {
    const call = readCall(headers, 'slow', ids);
    return Number((await performer.perform(call, {}, new AbortController().signal)).body);
  };

  assert.equal(await given({}), 1_000);
  for (const [said, got] of [
    ['300', 300],
    ['4000', 4_000],
    ['60000', 5_000],
  ] as const) {
    assert.equal(await given({ 'reach-deadline-ms': said }), got);
  }
});
