import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConfirmationView,
  type Input,
  type NeedsConfirmation,
  ReachError,
} from '@agent-reach/core';
import { systemRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { needsConfirmation } from './confirm.ts';
import { Reach } from './reach.ts';
import { turnClock } from './testing/agent-house.ts';
import { answered, FakeGateway } from './testing/fake-gateway.ts';

const ID = 'cfm_01k8z3v9q4t5w6x7y8z9a0b1c2';
const preview = {
  kind: 'call' as const,
  principal: 'shop',
  capability: 'refund',
  params: { cents: 5 },
};
const NEEDS: NeedsConfirmation = { id: ID, by: 'caller', expires_in_ms: 300_000, preview };

/** A gateway that does nothing before it is given a code, and one that counts who looks. */
async function open(needs: NeedsConfirmation, statuses: ConfirmationView['status'][] = []) {
  const gateway = await FakeGateway.open();
  const calls: Input<'calls.invoke'>[] = [];
  gateway.on('calls.invoke', (request) => {
    calls.push(request);
    const answer = answered(request, { done: true });
    if (request.confirmation_code !== undefined) return answer;
    return { ...answer, status: 'needs_confirmation', result: null, confirmation: needs };
  });
  gateway.on('confirmations.get', () => ({
    id: ID,
    by: needs.by,
    status: statuses.shift() ?? 'pending',
    principal: 'shop',
    preview,
    wrong_tries: 0,
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-01T00:05:00.000Z',
    expires_in_ms: 1,
  }));
  const clock = new ManualClock();
  const reach = new Reach({ endpoint: gateway.url }, { clock, random: systemRandom() });
  return {
    gateway,
    clock,
    reach,
    calls,
    looks: () => gateway.seen.filter(({ name }) => name === 'confirmations.get').length,
    async [Symbol.asyncDispose]() {
      await reach.close();
      await gateway.close();
    },
  };
}

test('a call that needs a word is a value, and is made once more exactly as it was', async () => {
  await using house = await open({ ...NEEDS, code: `${ID}.abc` });
  const options = { tags: ['eu'], onBehalfOf: 'mrs-li', timeoutMs: 900 };

  const answer = await house.reach.call('refund', { cents: 5 }, options);
  assert.ok(needsConfirmation(answer));
  const done = await house.reach.confirm<{ done: boolean }>(answer);

  assert.deepEqual([done.status, done.result.done], ['ok', true]);
  assert.equal(needsConfirmation(done), false);
  const [first, second] = house.calls;
  assert.deepEqual(second, { ...first, confirmation_code: `${ID}.abc` });
  assert.equal(house.looks(), 0);
});

test('a code that the agent told somebody is given as he says it', async () => {
  await using house = await open({ ...NEEDS, by: 'target' });
  const answer = await house.reach.call('refund', { cents: 5 });

  await assert.rejects(house.reach.confirm(answer), /has a code that the agent tells itself/);
  await house.reach.confirm(answer, { code: '482913' });
  await house.reach.confirm(answer, { code: `${ID}.482914` });

  const codes = house.calls.map((call) => call.confirmation_code);
  assert.deepEqual(codes, [undefined, `${ID}.482913`, `${ID}.482914`]);
});

test('where a person decides he is waited for, and what he decided is the gateway’s word', async () => {
  await using house = await open({ ...NEEDS, by: 'human' }, ['pending', 'pending', 'approved']);
  const answer = await house.reach.call('refund', { cents: 5 });

  const confirming = house.reach.confirm(answer);
  await turnClock(house.clock, confirming);

  assert.equal((await confirming).status, 'ok');
  assert.equal(house.calls.at(-1)?.confirmation_code, ID);
  assert.equal(house.looks(), 3);
  // Refused or expired: the repeat is told so.
  house.gateway.on('calls.invoke', () => {
    throw new ReachError('confirmation-invalid', 'It was refused.');
  });
  const refused = await open({ ...NEEDS, by: 'human' }, ['refused']);
  const other = await refused.reach.call('refund', { cents: 5 });
  refused.gateway.on('calls.invoke', () => {
    throw new ReachError('confirmation-invalid', 'It was refused.');
  });
  await assert.rejects(refused.reach.confirm(other), { code: 'confirmation-invalid' });
  await refused[Symbol.asyncDispose]();
});

test('who waits for nobody longer than he will is told that nobody decided', async () => {
  await using house = await open({ ...NEEDS, by: 'human' });
  const answer = await house.reach.call('refund', { cents: 5 });

  const confirming = house.reach.confirm(answer, { waitMs: 2_500 });
  confirming.catch(() => {});
  await turnClock(
    house.clock,
    confirming.catch(() => {}),
  );

  await assert.rejects(confirming, { code: 'deadline-exceeded' });
  assert.equal(house.looks(), 4);
  assert.equal(house.calls.length, 1);
});

test('an answer that asks nothing, or was another’s, is not confirmed', async () => {
  await using house = await open({ ...NEEDS, code: `${ID}.abc` });
  const answer = await house.reach.call('refund', { cents: 5 });
  const done = await house.reach.confirm(answer);

  for (const one of [done, { ...answer }]) {
    await assert.rejects(house.reach.confirm(one), TypeError);
  }
});
