import assert from 'node:assert/strict';
import { type Random, silentLog, systemRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Agent } from '../agent.ts';
import type { AgentOptions } from '../agent-options.ts';
import { FakeGateway } from './fake-gateway.ts';

/** A fake gateway and one agent of it, on a clock that stands still. */
export interface AgentHouse extends AsyncDisposable {
  gateway: FakeGateway;
  clock: ManualClock;
  agent: Agent;
  /** Sends to the agent as the gateway does. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** @param declare Gives the agent its capabilities. It is started by the test. */
export async function openAgentHouse(
  declare: (agent: Agent) => void,
  options: Partial<AgentOptions> = {},
  random: Random = systemRandom(),
): Promise<AgentHouse> {
  const gateway = await FakeGateway.open();
  const clock = new ManualClock();
  const agent = new Agent(
    {
      name: 'orders',
      endpoint: gateway.url,
      handleSignals: false,
      lingerMs: 0,
      drainMs: 0,
      log: silentLog,
      ...options,
    },
    { clock, random },
  );
  declare(agent);
  return {
    gateway,
    clock,
    agent,
    post: (path, body, headers = {}) =>
      fetch(agent.baseUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      const stopping = agent.stop();
      await turnClock(clock, stopping);
      await gateway.close();
    },
  };
}

/**
 * Moves time on until `work` is done: for a stop that pauses more than once. In small steps, so
 * that real sockets are faster than the timeouts of those who wait on them.
 */
export async function turnClock(clock: ManualClock, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  void work.finally(() => {
    isDone = true;
  });
  for (;;) {
    if (isDone) return;
    await clock.advance(2);
  }
}

/** The problem document of a refusal. */
export async function problemOf(response: Response): Promise<Record<string, unknown>> {
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  const problem = (await response.json()) as Record<string, unknown>;
  assert.equal(problem['status'], response.status);
  return problem;
}
