import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLimits, withMargin } from './timeouts.ts';

test('by default the agent has 2 s, the gateway waits 2.5 s and the caller 3 s', () => {
  assert.deepEqual(timeLimits(2_000), { agentMs: 2_000, gatewayMs: 2_500, callerMs: 3_000 });
});

test('a quick capability leaves the defaults where they are', () => {
  assert.deepEqual(timeLimits(1), { agentMs: 1, gatewayMs: 2_500, callerMs: 3_000 });
});

test('a slow capability lifts the limits above it', () => {
  assert.deepEqual(timeLimits(10_000), {
    agentMs: 10_000,
    gatewayMs: 11_000,
    callerMs: 12_100,
  });
  assert.deepEqual(timeLimits(60_000), {
    agentMs: 60_000,
    gatewayMs: 66_000,
    callerMs: 72_600,
  });
});

test('whatever a capability declares, each one waits a margin longer than whom it waits on', () => {
  for (let agentMs = 1; agentMs <= 60_000; agentMs++) {
    const limits = timeLimits(agentMs);
    const { gatewayMs, callerMs } = limits;

    assert.equal(limits.agentMs, agentMs);
    assert.ok(gatewayMs >= agentMs + Math.max(50, agentMs / 10), `gateway over ${agentMs}`);
    assert.ok(callerMs >= gatewayMs + Math.max(50, gatewayMs / 10), `caller over ${agentMs}`);
    assert.ok(Number.isInteger(gatewayMs) && Number.isInteger(callerMs), `whole at ${agentMs}`);
  }
});

test('more time for the agent never means less for those who wait', () => {
  let before = timeLimits(1);
  for (let agentMs = 2; agentMs <= 60_000; agentMs++) {
    const limits = timeLimits(agentMs);

    assert.ok(limits.gatewayMs >= before.gatewayMs && limits.callerMs >= before.callerMs);
    before = limits;
  }
});

test('the margin is 50 ms up to half a second and a tenth beyond', () => {
  assert.equal(withMargin(1), 51);
  assert.equal(withMargin(500), 550);
  assert.equal(withMargin(501), 552);
  assert.equal(withMargin(2_000), 2_200);
});
