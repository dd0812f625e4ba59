import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blockedMs } from './breaker-machine.ts';
import { TestBreaker } from './testing/breaker.ts';

test('B1: 19 failures and a success are over half of twenty: it opens at the 20th', () => {
  const it = new TestBreaker();
  it.run(19, 'failure');
  assert.equal(it.is, 'closed');

  it.run(1, 'success');

  assert.equal(it.is, 'open');
});

test('B2: twenty failures in a row open it, nineteen do not', () => {
  const it = new TestBreaker({ samplesMin: 1_000 });
  it.run(19, 'failure');
  assert.equal(it.is, 'closed');

  it.run(1, 'failure');

  assert.equal(it.is, 'open');
  const { state } = it.breaker;
  assert.equal(state.is === 'open' && state.why, '20 failures in a row');
});

test('B3: a connector of which one in five fails stays closed, and opens with one more', () => {
  const it = new TestBreaker({ failurePercent: 20 });
  for (let i = 0; i < 60; i++) {
    it.run(4, 'success');
    it.run(1, 'failure');
    it.now += 1_000;
  }
  assert.equal(it.is, 'closed');

  it.run(1, 'failure');

  assert.equal(it.is, 'open');
});

test('B4: a hundred refusals are proof that somebody is there', () => {
  const it = new TestBreaker();

  it.run(100, 'success');

  assert.equal(it.is, 'closed');
});

test('B5: of fifty at once at a half-open breaker three are let through', () => {
  const it = new TestBreaker();
  it.halfOpen();

  const passes = Array.from({ length: 50 }, () => it.begin());

  assert.equal(passes.filter((pass) => pass !== undefined).length, 3);
  assert.equal(blockedMs(it.breaker, it.now), 2_000);
});

test('B6: three trials that succeed in a row close it, two do not', () => {
  const it = new TestBreaker();
  it.halfOpen();
  it.run(2, 'success');
  assert.equal(it.is, 'half-open');

  it.run(1, 'success');

  assert.equal(it.is, 'closed');
});

test('B7: a trial whose caller leaves gives its slot back, and no verdict', () => {
  const it = new TestBreaker();
  it.halfOpen();
  const [first] = [it.begin(), it.begin(), it.begin()];
  assert.equal(it.begin(), undefined);

  it.end(first, 'neutral');

  assert.equal(it.is, 'half-open');
  assert.ok(it.begin() !== undefined);
  assert.equal(it.begin(), undefined);
});

test('B8: what was sent before the trip and succeeds changes nothing', () => {
  const it = new TestBreaker();
  const early = it.begin();
  it.run(20, 'failure');

  it.end(early, 'success');

  assert.equal(it.is, 'open');
  it.now = it.until;
  it.begin();
  it.end(early, 'failure');
  assert.equal(it.is, 'half-open', 'nor does it count as a trial');
});

test('B9: six failures at once with a limit of five are one trip', () => {
  const it = new TestBreaker({ consecutive: 5 });
  const passes = Array.from({ length: 6 }, () => it.begin());

  for (const pass of passes) it.end(pass, 'failure');

  assert.equal(it.breaker.generation, 1);
  assert.equal(it.breaker.trips, 1);
  assert.equal(it.until, 10_000);
});

test('B10: failures on both sides of a full minute count together', () => {
  const it = new TestBreaker({ consecutive: 1_000 });
  it.now = 59_000;
  it.run(10, 'failure');
  it.run(1, 'success');
  assert.equal(it.is, 'closed');
  it.now = 61_000;

  it.run(9, 'failure');

  assert.equal(it.is, 'open');
});

test('what is older than a minute no longer counts', () => {
  const it = new TestBreaker({ consecutive: 1_000 });
  it.run(19, 'failure');
  it.now = 60_000;

  it.run(1, 'failure');

  assert.equal(it.is, 'closed');
});

test('four of five slow answers open it although all of them succeed, fewer do not', () => {
  const it = new TestBreaker();
  it.run(5, 'success');
  it.run(15, 'success', true);
  assert.equal(it.is, 'closed');
  it.run(4, 'success', true);
  assert.equal(it.is, 'closed', '19 of 24');

  it.run(1, 'success', true);

  assert.equal(it.is, 'open', '20 of 25');
});

test('it stays open twice as long with each trip, within a tenth and up to a minute', () => {
  const it = new TestBreaker();
  const lasts: number[] = [];
  it.run(20, 'failure');
  for (let i = 0; i < 5; i++) {
    lasts.push(it.until - it.now);
    it.now = it.until;
    it.run(1, 'failure');
  }
  assert.deepEqual(lasts, [10_000, 20_000, 40_000, 60_000, 60_000]);

  for (const [chance, ms] of [
    [0, 9_000],
    [0.999_999, 11_000],
  ] as const) {
    const other = new TestBreaker();
    other.chance = chance;
    other.run(20, 'failure');
    assert.equal(Math.round(other.until), ms);
  }
});

test('after a minute of calm the next trip is a first one, a moment sooner it is not', () => {
  for (const [calmMs, lasts] of [
    [60_000, 10_000],
    [59_999, 20_000],
  ] as const) {
    const it = new TestBreaker();
    it.halfOpen();
    it.run(3, 'success');
    it.now += calmMs;

    it.run(20, 'failure');

    assert.equal(it.until - it.now, lasts);
  }
});

test('it is open until its time is over, not a moment longer', () => {
  const it = new TestBreaker();
  it.run(20, 'failure');
  it.now = it.until - 1;
  assert.equal(blockedMs(it.breaker, it.now), 1);
  assert.equal(it.begin(), undefined);

  it.now = it.until;

  assert.equal(blockedMs(it.breaker, it.now), 0);
  assert.ok(it.begin() !== undefined);
});

test('a slot that lapses can be taken again, and its late result says nothing', () => {
  const it = new TestBreaker();
  it.halfOpen();
  const [late] = [it.begin(2_000), it.begin(9_000), it.begin(9_000)];
  it.now += 2_000;
  assert.ok(it.begin() !== undefined);

  it.end(late, 'failure');

  assert.equal(it.is, 'half-open');
  assert.equal(it.begin(), undefined);
});

test('one that may not open goes on, and opens with the next failure when it may', () => {
  const it = new TestBreaker();
  it.mayOpen = false;
  it.run(30, 'failure');
  assert.equal(it.is, 'closed');

  it.mayOpen = true;
  it.run(1, 'failure');

  assert.equal(it.is, 'open');
});
