import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentRow, RouteAnswer } from '@agent-reach/core';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { json } from '../main/testing/network.ts';

const LOOK = { name: 'look', effect: 'read', sla: { timeout_ms: 500 } };

const decide = (house: TestHouse, agent?: string) =>
  house.ask<RouteAnswer>('POST', '/v1/routes', {
    capability: 'look',
    explain: true,
    ...(agent === undefined ? {} : { agent_id: agent }),
  });

function report(house: TestHouse, answer: RouteAnswer, over: Record<string, unknown> = {}) {
  const { route_id: id, call_token: token, instance_id: instance } = answer;
  const body = { call_token: token, instance_id: instance, ok: true, ...over };
  return house.ask<{ counted: boolean; detail: string }>('POST', `/v1/routes/${id}/outcome`, body);
}

const errorsOf = async (house: TestHouse) => {
  await house.clock.advance(300);
  return (await decide(house)).candidates?.[0]?.reachability;
};

async function open() {
  const house = await openHouse();
  await house.agent('orders', LOOK, () => json(200, {}));
  return house;
}

test('a direct call that failed lowers the score of who was called, and one that went well does not', async () => {
  await using house = await open();
  const before = await errorsOf(house);

  const good = await report(house, await decide(house));
  assert.deepEqual([good.counted, (await errorsOf(house))?.score], [true, before?.score]);
  for (let n = 0; n < 12; n++) {
    await report(house, await decide(house), { ok: false, code: 'connect-failed' });
  }

  const after = await errorsOf(house);
  assert.ok((after?.score ?? 1) < (before?.score ?? 0), JSON.stringify([before, after]));
  const { agents } = await house.ask<{ agents: AgentRow[] }>('GET', '/v1/agents');
  assert.equal(agents.length, 1, 'nobody is taken out by what others say');
  assert.equal((await decide(house)).outcome, 'route');
});

test('a decision is reported once, and a caller’s reports of one instance are bounded', async () => {
  await using house = await open();
  const answer = await decide(house, 'desk');

  assert.equal((await report(house, answer)).counted, true);
  const again = await report(house, answer);
  assert.deepEqual([again.counted, again.detail], [false, 'It was told already.']);

  const counted: boolean[] = [];
  for (let n = 0; n < 21; n++) {
    const told = await report(house, await decide(house, 'flood'), { agent_id: 'flood' });
    counted.push(told.counted);
  }
  assert.deepEqual(counted.slice(-2), [true, false]);
  const other = await report(house, await decide(house, 'other'), { agent_id: 'other' });
  assert.equal(other.counted, true);
  const spare = await decide(house, 'flood');
  await house.clock.advance(60_000);
  const later = await report(house, spare, { agent_id: 'flood' });
  assert.equal(later.counted, true);
});

test('nobody is blamed without a decision of ours, nor an instance that is not his', async () => {
  await using house = await open();
  const answer = await decide(house);

  await assert.rejects(
    report(house, answer, { call_token: 'e30.x' }),
    failsWith('signature-invalid'),
  );
  const other = await report(house, answer, { instance_id: 'nobody' });
  assert.deepEqual(
    [other.counted, other.detail],
    [false, 'orders has no instance nobody that offers look now.'],
  );
  await assert.rejects(
    report(house, answer, { ok: false, code: 'no-such-code' }),
    failsWith('validation-failed'),
  );
});

test('a caller that gave it less time than it declares proves nothing by that', async () => {
  await using house = await open();
  const late = { ok: false, code: 'deadline-exceeded' };

  const hurried = await report(house, await decide(house), { ...late, duration_ms: 499 });
  assert.deepEqual([hurried.counted, /declares/.test(hurried.detail)], [false, true]);
  const patient = await report(house, await decide(house), { ...late, duration_ms: 500 });
  assert.equal(patient.counted, true);
});

test('what is told after the longest call is taken, and later nothing is', async () => {
  await using house = await open();
  const [answer, next] = [await decide(house), await decide(house)];

  await house.clock.advance(95_000);
  assert.equal((await report(house, answer)).counted, true);
  await house.clock.advance(1);
  await assert.rejects(report(house, next), failsWith('signature-invalid'));
});
