import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, type ErrorFacts, ReachError } from '@agent-reach/core';
import { seededRandom } from '@agent-reach/core/kernel';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { QueueBook, retryAfterMs, waitFor } from './book.ts';
import { inOrderOfChoice } from './choose.ts';
import { readLease, signLease } from './lease-token.ts';
import { retryWaitMs, retryWaits } from './retry-wait.ts';
import { judge } from './verdict.ts';
import { Waiters } from './waiters.ts';
import { CALM, type Mark, remark } from './watermarks.ts';

const KEY = Buffer.from('a key of thirty-two bytes length');

test('a lease token is its own words under a seal, for one tenant', () => {
  const lease = { tenant: 'internal', taskId: 't:1', epoch: 3, holder: 'i-1' };
  const token = signLease(lease, KEY);
  const read = (text: string, tenant = 'internal', key: Uint8Array = KEY) =>
    readLease(text, { tenant, pointer: '#/lease' }, key);

  assert.match(token, /^t:1~3~i-1~/);
  assert.deepEqual(read(token), { ...lease, isOurs: true });
  assert.equal(read(token, 'other').isOurs, false);
  assert.equal(read(token, 'internal', Buffer.alloc(32)).isOurs, false);
  assert.equal(read(token.replace('~3~', '~4~')).isOurs, false);
  for (const bad of ['', 't:1', `${token}x`, token.replaceAll('~', '.'), 'a~b~c~d']) {
    assert.throws(() => read(bad), /lease/);
  }
});

test('waits double from 2 s, within a fifth of it, and stay under their bound', () => {
  const rule = { retryBaseMs: 2_000, retryWaitMaxMs: 300_000 };
  const random = seededRandom(1);
  for (const [attempt, waitMs] of [
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [30, 300_000],
  ] as const) {
    const waits = Array.from({ length: 200 }, () => retryWaitMs(rule, attempt, random));

    assert.ok(Math.min(...waits) >= waitMs * 0.8);
    assert.ok(Math.max(...waits) <= waitMs * 1.2);
    assert.ok(Math.max(...waits) - Math.min(...waits) > waitMs * 0.3);
    assert.ok(waits.every(Number.isInteger));
  }
  assert.equal(retryWaits(rule, 4, random).length, 4);
});

test('a level is reached at once, and left only a tenth lower and after five seconds', () => {
  const marks = { warn: 0.6, danger: 0.8 };
  let mark: Mark = CALM;
  const levels = [
    [0, 0.59, 'calm'],
    [1, 0.6, 'warn'],
    [2, 0.85, 'danger'],
    [3, 0.75, 'danger'],
    [10_000, 0.69, 'danger'],
    [12_000, 0.75, 'danger'],
    [13_000, 0.69, 'danger'],
    [18_000, 0.69, 'warn'],
    [18_001, 0.1, 'warn'],
    [23_001, 0.1, 'calm'],
  ] as const;
  for (const [at, fill, level] of levels) {
    mark = remark(mark, fill, at, marks);
    assert.equal(mark.level, level, `at ${at}`);
  }
});

test('of depth and wait the higher one makes the level, and is named until it is left', () => {
  const book = new QueueBook();
  const name = { tenant: 't', agentId: 'a', taskType: '' };
  const marks = { warn: 0.6, danger: 0.8 };
  const levels = [
    [0, { depth: 0.59, wait: 0.59 }, 'calm', 'depth'],
    [1, { depth: 0.6, wait: 0.59 }, 'warn', 'depth'],
    [2, { depth: 0.6, wait: 0.8 }, 'danger', 'wait'],
    [3, { depth: 0.9, wait: 0.8 }, 'danger', 'depth'],
    [4, { depth: 0.5, wait: 0.6 }, 'danger', 'depth'],
    [5_004, { depth: 0.1, wait: 0.6 }, 'warn', 'wait'],
  ] as const;
  for (const [now, fill, level, by] of levels) {
    const found = book.level(name, fill, { now, marks });
    assert.deepEqual([found.level, found.by], [level, by], `at ${now}`);
  }
});

test('a wait is that of the oldest of all types, and not of the time when nobody was there', () => {
  const book = new QueueBook();
  const name = { tenant: 't', agentId: 'a', taskType: '' };
  const counts = { blocked: 0, queued: 1, waiting: 0, delivered: 0, running: 0, dead: 0 };
  const of = { tenant: 't', agentId: 'a', ...counts };
  assert.equal(book.waitedMs(name, 9_000), 0);

  book.read([{ ...of, oldestAt: 3_000 }, { ...of, oldestAt: 2_000 }, of]);
  assert.equal(book.waitedMs(name, 9_000), 7_000);
  book.noteAway(name, 8_000);
  assert.equal(book.waitedMs(name, 9_000), 1_000);
  book.read([of]);
  assert.equal(book.waitedMs(name, 9_000), 0, 'nobody is queued any more');
});

test('the estimate is the rounds before a task, and none where it could start now', () => {
  const queue = {
    tenant: 't',
    agentId: 'a',
    taskType: '',
    pending: 0,
    queued: 0,
    held: 0,
    pace: { runs: 9, meanMs: 1_000, variance: 0 },
  };

  assert.equal(waitFor(queue, 0, 1)?.p50Ms, 0);
  assert.equal(waitFor({ ...queue, held: 1 }, 0, 1)?.p50Ms, 1_000);
  assert.deepEqual(waitFor({ ...queue, held: 10 }, 10, 10), { p50Ms: 1_100, p90Ms: 1_100 });
  assert.equal(waitFor(queue, 5, 0), undefined);
});

test('the time to come again is what the queue needs to shrink, within 1 and 60 s', () => {
  const queue = {
    tenant: 't',
    agentId: 'a',
    taskType: '',
    pending: 1_000,
    queued: 0,
    held: 0,
    pace: { runs: 9, meanMs: 1_000, variance: 0 },
  };

  assert.equal(retryAfterMs(queue, 1_000, { slots: 10, chance: 0.5 }), 10_000);
  assert.equal(retryAfterMs(queue, 1_000, { slots: 1, chance: 0.5 }), 60_000);
  assert.equal(retryAfterMs(queue, 1_000, { slots: 1_000, chance: 0 }), 800);
  assert.equal(retryAfterMs(queue, 1_000, { slots: 1_000, chance: 1 }), 1_200);
});

test('the book learns how long runs take, and forgets queues that are empty and unmeasured', () => {
  const book = new QueueBook();
  const name = { tenant: 't', agentId: 'a', taskType: 'q' };
  book.move(name, { pending: 2, queued: 2 });
  book.move(name, { pending: -3, held: 1 });
  assert.equal(book.of(name).pending, 0);

  book.read([]);
  assert.deepEqual(book.all(), []);

  book.ran(name, 100);
  book.ran(name, 200);
  assert.equal(book.of(name).pace?.meanMs, 150);
  assert.equal(book.paceOf(name)?.meanMs, 150);
  assert.equal(book.paceOf({ ...name, taskType: 'other' }), undefined);
});

test('the book names the queues that nobody offered to serve, as long as tasks wait in them', () => {
  const book = new QueueBook();
  const lost = { tenant: 't', agentId: undefined, taskType: 'lost' };
  const counts = { blocked: 0, queued: 2, waiting: 0, delivered: 0, running: 0, dead: 0 };
  book.move({ tenant: 't', agentId: 'a', taskType: 'q' }, { pending: 1 });
  book.move({ ...lost, tenant: 'u' }, { pending: 1 });
  assert.deepEqual(book.unbound('t'), []);

  book.read([{ tenant: 't', taskType: 'lost', ...counts }]);
  assert.deepEqual(
    book.unbound('t').map(({ taskType, pending }) => [taskType, pending]),
    [['lost', 2]],
  );
  assert.deepEqual(book.unbound('u'), []);

  book.read([]);
  assert.deepEqual(book.unbound('t'), []);
});

test('a full queue comes last, an absent agent only with what it keeps a place for', () => {
  const candidate = (agentId: string, slots: number, isKept = false) => ({
    agentId,
    effect: undefined,
    slots,
    capacity: slots,
    standing: 1,
    reliability: 1,
    home: undefined,
    group: undefined,
    isKept,
  });
  const candidates = [
    candidate('full', 10),
    candidate('away', 0),
    candidate('kept', 0, true),
    candidate('long', 1),
    candidate('short', 10),
  ];
  const loads: Record<string, number> = { full: 10, long: 4, short: 9 };

  const order = inOrderOfChoice(candidates, {
    pendingMax: 10,
    load: ({ agentId }) => ({ pending: loads[agentId] ?? 0, held: 0 }),
    order: (choices) => choices.toReversed(),
  });

  assert.deepEqual(
    order.map(({ agentId }) => agentId),
    ['short', 'long', 'kept', 'full'],
  );
});

test('what a push comes to follows from executed and the effect', () => {
  const failed = (code: ErrorCode, facts: ErrorFacts = {}) =>
    ({ ok: false, status: 0, error: new ReachError(code, 'x', facts) }) as const;
  const cases = [
    [{ ok: true, status: 200, result: 1 }, 'write', 'complete'],
    [{ ok: true, status: 202, result: undefined, isReceipt: true }, 'write', 'receipt'],
    [failed('connect-failed'), 'write', 'return'],
    [failed('agent-busy', { executed: 'no' }), 'write', 'return'],
    [failed('agent-busy', { executed: 'unknown' }), 'write', 'leave'],
    [failed('agent-busy', { executed: 'unknown' }), 'read', 'retry'],
    [failed('egress-blocked'), 'write', 'retry'],
    [failed('agent-error'), 'read', 'retry'],
    [failed('agent-error'), 'idempotent_write', 'retry'],
    [failed('agent-error'), 'write', 'leave'],
    [failed('agent-error'), undefined, 'leave'],
    [failed('agent-error', { executed: 'yes' }), 'read', 'fail'],
    [failed('agent-error', { retryable: false }), 'read', 'fail'],
    [failed('deadline-exceeded'), 'read', 'retry'],
    [failed('deadline-exceeded'), 'write', 'leave'],
    [failed('schema-drift'), 'write', 'fail'],
    [failed('bad-response', { limit: 8 }), 'write', 'fail'],
    [failed('bad-response'), 'write', 'leave'],
    [failed('agent-rejected'), 'read', 'fail'],
  ] as const;
  for (const [outcome, effect, expected] of cases) {
    assert.equal(judge(outcome, effect).do, expected, JSON.stringify([outcome, effect]));
  }
});

test('a wake-up between taking a seat and resting is not lost', async () => {
  const clock = new ManualClock();
  const waiters = new Waiters(clock, 10);
  using seat = waiters.sit('a');

  waiters.wake('a');
  await seat.rest(60_000);

  assert.equal(clock.waiting, 0);
});

test('so many are woken as there is work, the longest waiting first, and no one twice', async () => {
  const clock = new ManualClock();
  const waiters = new Waiters(clock, 10);
  const woken: string[] = [];
  const seats = ['a', 'b', 'c'].map((name) => {
    const seat = waiters.sit('q');
    void seat.rest(60_000).then(() => woken.push(name));
    return seat;
  });
  await settled();

  waiters.wake('q', 1);
  waiters.wake('q', 1);
  await settled();

  assert.deepEqual(woken, ['a', 'b']);
  waiters.close();
  await settled();
  assert.deepEqual(woken, ['a', 'b', 'c']);
  assert.equal(clock.waiting, 0);
  for (const seat of seats) seat[Symbol.dispose]();
  assert.equal(waiters.count, 0);
});

test('who leaves while he rests leaves nothing behind', async () => {
  const clock = new ManualClock();
  const waiters = new Waiters(clock, 1);
  const leaving = new AbortController();
  {
    using seat = waiters.sit('q');
    assert.throws(() => waiters.sit('q'), /the most that may/);
    const resting = seat.rest(60_000, leaving.signal);
    leaving.abort();
    await resting;
  }

  assert.equal(clock.waiting, 0);
  assert.equal(waiters.count, 0);
});
