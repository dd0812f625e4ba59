import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CALM,
  changed,
  type ChangeWindow,
  CHURN_FLUSHES,
  CHURN_WINDOW_MS,
  told,
  WINDOW_MS,
  windowMs,
} from './change-window.ts';

test('after a calm a change is told at once; the next one waits for a window', () => {
  const first = changed(CALM, 1_000);
  assert.equal(first.dueAt, 1_000);

  const second = changed(told(first, 1_000, true), 1_001);

  assert.equal(second.dueAt, 1_001 + WINDOW_MS);
});

test('a calm is as long as a window, and not a millisecond shorter', () => {
  const after = told(changed(CALM, 0), 0, true);

  assert.equal(changed(after, WINDOW_MS - 1).dueAt, 2 * WINDOW_MS - 1);
  assert.equal(changed(after, WINDOW_MS).dueAt, WINDOW_MS);
});

test('what comes later does not extend the window: nothing starves', () => {
  let window = changed(told(changed(CALM, 0), 0, true), 10);
  for (let at = 11; at < 10 + WINDOW_MS; at++) window = changed(window, at);

  assert.equal(window.dueAt, 10 + WINDOW_MS);
});

test('what has undone itself was told to nobody, and counts for nothing', () => {
  const window = told(changed(CALM, 1_000), 1_000, false);

  assert.deepEqual(window, CALM);
});

test('over twenty times in ten seconds stretch the window to a second, until it is calmer', () => {
  const times = (count: number): ChangeWindow => {
    let window = CALM;
    for (let at = 0; at < count; at++) window = told(changed(window, at), at, true);
    return window;
  };

  assert.equal(windowMs(times(CHURN_FLUSHES), 100), WINDOW_MS);
  assert.equal(windowMs(times(CHURN_FLUSHES + 1), 100), CHURN_WINDOW_MS);
  assert.equal(windowMs(times(CHURN_FLUSHES + 1), 9_999), CHURN_WINDOW_MS);
  assert.equal(windowMs(times(CHURN_FLUSHES + 1), 10_000), WINDOW_MS);
});
