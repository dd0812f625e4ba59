import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Log, silentLog } from '@agent-reach/core/kernel';
import { Counters } from './spend.ts';

const ONE = { amount: 1, max: 1, ttlMs: 1_000 };

test('over its bound names are forgotten, which is said once', () => {
  const said: object[] = [];
  const log: Log = { ...silentLog, warn: (fields) => said.push(fields) };
  const counters = new Counters(log);
  const spend = (n: number) => counters.spend({ ...ONE, name: `n${n}`, now: 0 }).granted;

  for (let n = 0; n < 100_000; n++) assert.ok(spend(n));
  assert.deepEqual(said, []);
  assert.ok(spend(100_000));
  assert.ok(spend(100_001));

  assert.deepEqual(said, [{ limit: 100_000 }]);
  assert.equal(spend(100_001), false);
});

test('names whose time has ended make room for new ones', () => {
  const said: object[] = [];
  const log: Log = { ...silentLog, warn: (fields) => said.push(fields) };
  const counters = new Counters(log);

  // A name that lives long stands first and must not keep the others from being dropped.
  counters.spend({ ...ONE, name: 'long', ttlMs: 1e9, now: 0 });
  for (let n = 0; n < 400_000; n++) counters.spend({ ...ONE, name: `n${n}`, now: n });

  assert.deepEqual(said, []);
  assert.equal(counters.spend({ ...ONE, name: 'long', now: 400_000 }).granted, false);
});
