import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, settled } from '@agent-reach/core/testing';
import { Bulkhead, type Entrance } from './bulkhead.ts';

function open(limits = { running: 2, waiting: 2 }) {
  const clock = new ManualClock();
  const bulkhead = new Bulkhead(clock);
  const enter = (more: { waitMs?: number; signal?: AbortSignal } = {}) => {
    const { waitMs = 1_000, signal = new AbortController().signal } = more;
    return bulkhead.enter('t/a/1', limits, { waitMs, signal });
  };
  const inside = (entrance: Entrance | Promise<Entrance>) => {
    if (entrance instanceof Promise || entrance.is !== 'inside') throw new Error('he waits');
    return entrance.free;
  };
  return { clock, bulkhead, enter, inside };
}

/** How each stands that waits. */
async function ends(...waiting: (Entrance | Promise<Entrance>)[]): Promise<string[]> {
  await settled();
  const later = Promise.resolve({ is: 'waits' });
  return Promise.all(waiting.map(async (one) => (await Promise.race([one, later])).is));
}

test('so many are inside at once, so many wait, and the next is told that it is full', async () => {
  const { enter } = open();
  const all = Array.from({ length: 5 }, () => enter());

  assert.deepEqual(await ends(...all), ['inside', 'inside', 'waits', 'waits', 'full']);
});

test('who waits comes in when somebody leaves, the first first, and one for one', async () => {
  const { enter, inside } = open();
  const [first, second] = [inside(enter()), inside(enter())];
  const waiting = [enter(), enter()];

  first();
  first();
  assert.deepEqual(await ends(...waiting), ['inside', 'waits']);
  second();
  assert.deepEqual(await ends(...waiting), ['inside', 'inside']);
});

test('who has waited long enough is out of the line, and leaves his place in it to another', async () => {
  const { enter, inside, clock } = open({ running: 1, waiting: 1 });
  const free = inside(enter());
  const late = enter({ waitMs: 100 });
  assert.deepEqual(await ends(enter()), ['full']);

  await clock.advance(100);
  assert.deepEqual(await ends(late), ['late']);
  const next = enter();
  free();

  assert.deepEqual(await ends(next), ['inside']);
});

test('who goes away while he waits is out at once, and no place is kept for him', async () => {
  const { enter, inside, clock } = open({ running: 1, waiting: 2 });
  const free = inside(enter());
  const left = new AbortController();
  const gone = enter({ signal: left.signal });
  const next = enter();

  left.abort();
  assert.deepEqual(await ends(gone, next), ['gone', 'waits']);
  free();
  assert.deepEqual(await ends(next), ['inside']);
  const late = enter();
  assert.deepEqual(await ends(late), ['waits'], 'the one who left holds nothing');
  assert.equal(clock.waiting, 1);
});

test('who has gone before he asks does not wait', async () => {
  const { enter, inside } = open({ running: 1, waiting: 1 });
  inside(enter());

  assert.deepEqual(await ends(enter({ signal: AbortSignal.abort() })), ['gone']);
});

test('whoever is counted elsewhere is let in over the limit, and none who waits before he has left', async () => {
  const { bulkhead, enter, inside } = open({ running: 1, waiting: 2 });
  const free = inside(enter());
  const push = bulkhead.occupy('t/a/1');
  const next = enter();

  free();
  assert.deepEqual(await ends(next), ['waits']);
  push();

  assert.deepEqual(await ends(next), ['inside']);
});

test('without a line the next is told at once, and another place has its own bound', async () => {
  const { bulkhead, enter, inside } = open({ running: 1, waiting: 0 });
  inside(enter());

  assert.deepEqual(await ends(enter()), ['full']);
  const { signal } = new AbortController();
  const other = bulkhead.enter('t/a/2', { running: 1, waiting: 0 }, { waitMs: 0, signal });
  assert.deepEqual(await ends(other), ['inside']);
});
