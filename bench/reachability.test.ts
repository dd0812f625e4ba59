import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatCount, incident } from './reachability/beats.ts';
import { detection } from './reachability/detect.ts';
import { overload } from './reachability/overload.ts';
import { restartPushes } from './reachability/restart.ts';

const SEED = 7;

test('an idle agent that dies is out within 6.5 s, within a second of the first refused probe', async () => {
  const { afterFirst, killed, blackHole } = await detection(SEED);

  assert.ok(afterFirst.worst < 1_000, `${afterFirst.worst} ms`);
  assert.ok(killed.worst <= 6_500, `${killed.worst} ms`);
  assert.ok(blackHole.worst <= 19_000, `${blackHole.worst} ms`);
});

test('a hundred readers of a restart of sixty agents get 85 percent less than every change', async () => {
  const { sent, naive } = await restartPushes(SEED);

  assert.ok(sent > 0 && sent <= naive * 0.15, `${sent} of ${naive}`);
});

test('a hundred steady agents beat at most two thirds as often as every five seconds', async () => {
  const { steady, mixed, fixed } = await beatCount(SEED, { warmMs: 120_000, lookMs: 60_000 });

  assert.ok(steady > 0 && steady <= fixed * 0.64, `${steady} of ${fixed}`);
  assert.ok(mixed > steady, 'who is in trouble beats more often');
});

test('agents that are all in trouble at once keep to the budget', async () => {
  const span = { warmMs: 20_000, lookMs: 25_000 };
  const { budget, worst } = await incident(SEED, span, { many: 400, budget: 40 });

  assert.ok(worst > budget / 2 && worst <= 1.3 * budget, `${worst} a second`);
});

test('nearly full instances lose nothing by stale scores, and most by their best one', async () => {
  const { argMax, chosen } = await overload(SEED, 6_000);

  assert.ok(argMax > 0.5, `${argMax}`);
  assert.ok(chosen < 0.01, `${chosen}`);
});
