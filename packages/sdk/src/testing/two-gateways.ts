import assert from 'node:assert/strict';
import { type Random, systemRandom } from '@agent-reach/core/kernel';
import { type OperationName, ReachError } from '@agent-reach/core';
import { ManualClock } from '@agent-reach/core/testing';
import { Reach, type ReachOptions } from '../reach.ts';
import { FakeGateway, type FakeHandler } from './fake-gateway.ts';
import { Wire } from './wire.ts';

/** Two gateways, a wire to each, and a client that begins at the first. */
export async function openTwoGateways(options: ReachOptions = {}) {
  const [a, b] = [await FakeGateway.open(), await FakeGateway.open()];
  const [wireA, wireB] = [await Wire.to(a.url), await Wire.to(b.url)];
  const clock = new ManualClock();
  let draws = 0;
  // Begins at the first endpoint, and makes each pause as long as it may be.
  const next = () => {
    draws++;
    return 1;
  };
  const random: Random = { ...systemRandom(), below: () => 0, next };
  const ports = { clock, random };
  const reach = new Reach({ endpoint: [wireA.url, wireB.url], ...options }, ports);
  return {
    a,
    b,
    wireA,
    wireB,
    clock,
    ports,
    reach,
    /** How often the length of a pause was drawn: once a failure of an endpoint, once a rest. */
    draws: () => draws,
    /** Both answer alike. */
    on<K extends OperationName>(name: K, handler: FakeHandler<K>) {
      a.on(name, handler);
      b.on(name, handler);
    },
    async [Symbol.asyncDispose]() {
      await reach.close();
      for (const one of [wireA, wireB, a, b]) await one[Symbol.asyncDispose]();
    },
  };
}

/** The error of work that must fail. */
export async function failure(work: Promise<unknown>): Promise<ReachError> {
  try {
    await work;
  } catch (error) {
    assert.ok(ReachError.is(error), String(error));
    return error;
  }
  assert.fail('it should have failed');
}
