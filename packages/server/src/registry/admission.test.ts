import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failsWith, openHouse } from '../main/testing/house.ts';
import { admit, type AdmissionState, NOBODY_CAME } from './admission-machine.ts';

const RULE = { perSecond: 50, burst: 100 };
const LOOK = { name: 'look_up', description: 'Looks something up.', effect: 'read' };

/** How many of so many are taken at one moment, and when the others shall come again. */
function storm(before: AdmissionState, count: number, now: number, chance = 1) {
  let state = before;
  let taken = 0;
  const again: number[] = [];
  for (let n = 0; n < count; n++) {
    const answer = admit(state, RULE, { now, chance: () => chance });
    state = answer.state;
    if (answer.againMs === undefined) taken += 1;
    else again.push(answer.againMs);
  }
  return { state, taken, again };
}

test('a hundred may come at once, the next one may not, and 20 ms later one more may', () => {
  const first = storm(NOBODY_CAME, 101, 0);
  assert.equal(first.taken, 100);
  assert.equal(storm(first.state, 2, 19, 0).taken, 0);
  assert.equal(storm(first.state, 2, 20, 0).taken, 1);
  assert.equal(storm(first.state, 500, 1_000).taken, 50);
});

test('who is sent away comes later the more were, and never later than half a minute', () => {
  const { again } = storm(NOBODY_CAME, 2_100, 0);
  assert.equal(again.length, 2_000);
  assert.equal(again[0], 1_020);
  assert.equal(again[99], 3_000);
  assert.equal(again.at(-1), 30_000);
  assert.deepEqual(new Set(storm(NOBODY_CAME, 200, 0, 0).again), new Set([1_000]));
});

test('two thousand that come again when told are all in within a minute and a half', () => {
  let state: AdmissionState = NOBODY_CAME;
  let random = 7;
  const chance = () => (random = (random * 16_807) % 2_147_483_647) / 2_147_483_647;
  const due = Array.from({ length: 2_000 }, () => 0);
  let asked = 0;
  let last = 0;
  while (due.length > 0) {
    due.sort((a, b) => b - a);
    const now = due.pop() ?? 0;
    asked += 1;
    const answer = admit(state, RULE, { now, chance });
    state = answer.state;
    if (answer.againMs === undefined) last = now;
    else due.push(now + answer.againMs);
  }
  assert.ok(last < 90_000, `the last one after ${Math.round(last)} ms`);
  assert.ok(asked < 4 * 2_000, `${asked} requests for 2000`);
});

test('registrations over the pace are told when to come, and heartbeats do not wait for them', async () => {
  await using house = await openHouse({ 'registration.rate': 5 });
  for (let n = 0; n < 10; n++) await house.puller(`p${n}`, LOOK);

  await assert.rejects(
    house.puller('late', LOOK),
    failsWith('rate-limited', ({ facts }) => {
      assert.ok(Number(facts.retry_after_ms) >= 1_000 && Number(facts.retry_after_ms) <= 1_200);
      assert.equal(facts.limit, 5);
    }),
  );
  for (let n = 0; n < 10; n++) await house.ask('POST', `/v1/agents/p${n}/heartbeat`, { seq: 1 });
  await house.clock.advance(200);
  await house.puller('late', LOOK);
});
