import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { type Random, silentLog, systemRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Agent } from './agent.ts';
import { openAgentHouse, turnClock } from './testing/agent-house.ts';
import { beaten, FakeGateway, registered } from './testing/fake-gateway.ts';
import { until } from './testing/until.ts';

const declare = (agent: Agent) =>
  agent.capability({ name: 'query', description: 'Answers.', effect: 'read' }, () => 'ok');

/** A started agent whose pauses are drawn as said, of a gateway that wants to hear every 15 s. */
async function openBeating(draws: number[]) {
  let pauses = 0;
  const next = () => {
    pauses += 1;
    return draws.shift() ?? 0.5;
  };
  const house = await openAgentHouse(declare, {}, { ...systemRandom(), next });
  await house.agent.start();
  let toldMs = 15_000;
  house.gateway.on('agents.heartbeat', ({ agent_id }) => beaten(agent_id, toldMs));
  return {
    ...house,
    tell(ms: number) {
      toldMs = ms;
    },
    /** Waits for the next pause, and demands that a beat ends it after so long and no sooner. */
    async beatsAfter(ms: number) {
      const { clock, gateway } = house;
      const before = gateway.all('agents.heartbeat').length;
      await until(() => pauses > before, 'the pause begins');
      await clock.advance(ms - 1);
      assert.equal(gateway.all('agents.heartbeat').length, before);
      await clock.advance(1);
      await gateway.nth('agents.heartbeat', before + 1);
    },
  };
}

/** An agent whose gateway takes no registration for five seconds. */
async function turnedAway(random: Random) {
  const gateway = await FakeGateway.open();
  gateway.on('agents.register', () => {
    throw new ReachError('rate-limited', 'Too many.', { retry_after_ms: 5_000 });
  });
  const clock = new ManualClock();
  const quiet = { handleSignals: false, lingerMs: 0, log: silentLog };
  const agent = new Agent({ name: 'orders', endpoint: gateway.url, ...quiet }, { clock, random });
  declare(agent);
  return { gateway, clock, agent };
}

test('heartbeats come as often as the gateway wants them', async () => {
  await using house = await openBeating([0.5, 0.5, 0.5]);

  await house.beatsAfter(7_500);
  await house.beatsAfter(15_000);

  const [first, second] = house.gateway.all('agents.heartbeat');
  const { boot_id: bootId, ...rest } = first?.input ?? {};
  assert.deepEqual(rest, { agent_id: 'orders', instance_id: 'orders-1', seq: 1, inflight: 0 });
  assert.deepEqual([second?.input.seq, second?.input.boot_id], [2, bootId]);
});

test('agents that start together spread over the first pause, and drift apart by a tenth', async () => {
  await using house = await openBeating([0.1, 0, 0.999, 0.5]);

  await house.beatsAfter(1_500);
  await house.beatsAfter(13_500);
  await house.beatsAfter(16_497);
});

test('a pause that is told anew holds from the next beat on, shorter or longer', async () => {
  await using house = await openBeating([0.5, 0.5, 0.5, 0.5]);
  house.tell(2_000);
  await house.beatsAfter(7_500);
  house.tell(40_000);
  await house.beatsAfter(2_000);
  await house.beatsAfter(40_000);
});

test('a gateway that takes no registration now is asked again when it says, and not before', async () => {
  // The pause after a failure, which would be over at once; then the one before the first beat.
  let draws = 0;
  const next = () => (draws++, 0);
  const { agent, clock, gateway } = await turnedAway({ ...systemRandom(), next });
  await using _ = gateway;
  await agent.start();
  gateway.on('agents.register', () => registered('orders'));

  await until(() => draws > 0, 'it rests');
  await clock.advance(4_999);
  assert.equal(gateway.all('agents.register').length, 1);
  await clock.advance(1);
  await gateway.nth('agents.register', 2);

  await turnClock(clock, agent.stop());
});
