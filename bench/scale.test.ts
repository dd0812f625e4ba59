import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Figures, simulate } from './scale/simulate.ts';

const SEED = 7;
/** What is the same for every size, such as signs of life, weighs more in a small fleet. */
const SLACK = 1.1;
/** What grows with the fleet; memory and processor time are measured and not counted. */
const COUNTED = ['probes', 'moves', 'rows', 'rowKb', 'messages', 'heardKb'] as const;

function grew(from: Figures, to: Figures, times: number): void {
  for (const key of COUNTED) {
    const by = to[key] / from[key];
    assert.ok(by <= times * SLACK, `${key} grew ${by.toFixed(2)} times, the fleet ${times}`);
  }
}

test('with four times as many agents the control plane does at most four times as much', async () => {
  const few = await simulate({ agents: 60, gateways: 2, seed: SEED, tasks: true });
  const many = await simulate({ agents: 240, gateways: 2, seed: SEED, tasks: true });

  assert.ok(few.probes > 10 && few.messages > 10 && few.tasks > 0.4);
  grew(few, many, 4);
});

test('each instance is probed once an interval, however many gateways there are', async () => {
  const counts = await Promise.all(
    [2, 4].map((gateways) => simulate({ agents: 60, gateways, seed: SEED, tasks: false })),
  );

  for (const { probes } of counts) assert.ok(probes > 11 && probes < 13, `${probes} a second`);
  const [two, four] = counts;
  assert.ok(two && four);
  grew(two, four, 2);
});
