import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Delivery, fromProblem, HEADERS, isTaskEnd, ReachError } from '@agent-reach/core';
import type { FetchRequest, FetchResponse, Random } from '@agent-reach/core/kernel';
import { testRandom } from '@agent-reach/core/testing';
import { openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, reset, silence } from '../main/testing/network.ts';
import { claim, payload, query, rows, say, transfer } from './testing/capabilities.ts';

/** Short leases, so that much is lost in little time. */
const FLAGS = {
  'task.ack.timeout': '2s',
  'task.run.lease': '2s',
  'task.grace': '2s',
  'task.move.after': '1s',
  'flowcontrol.max-pending': 40,
};

/** A lease that somebody holds, or thinks that he does. */
type Held = Pick<Delivery, 'task_id' | 'lease' | 'task_type'>;

/** Agents that fail in every way there is, and what they remember of it. */
class Chaos {
  readonly random: Random;
  isCalm = false;
  /** How often each task really ran, by the agents' own books. */
  readonly runs = new Map<string, number>();
  readonly leases: Held[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  pick<T>(...from: T[]): T {
    return from[this.random.below(from.length)] as T;
  }

  machine(result: unknown) {
    return (request: FetchRequest): Promise<FetchResponse> | FetchResponse => {
      const fate = this.isCalm
        ? 'ok'
        : this.pick('ok', 'ok', 'later', 'busy', 'error', 'reset', 'silent', 'refused');
      if (fate === 'busy') {
        const type = { 'content-type': 'application/problem+json', 'retry-after': '1' };
        return json(503, { code: 'agent-busy', executed: 'no' }, type);
      }
      const id = request.headers[HEADERS.taskId] ?? '';
      this.runs.set(id, (this.runs.get(id) ?? 0) + 1);
      switch (fate) {
        case 'later':
          this.leases.push({
            task_id: id,
            lease: request.headers[HEADERS.lease] ?? '',
            task_type: request.headers[HEADERS.capability] ?? '',
          });
          return { status: 202, headers: {}, body: new Uint8Array() };
        case 'error':
          return json(500, {}, { 'content-type': 'application/problem+json' });
        case 'reset':
          return reset();
        case 'silent':
          return silence();
        case 'refused':
          return json(422, {}, { 'content-type': 'application/problem+json' });
        case 'ok':
          return json(200, result);
      }
    };
  }
}

/** A word whose refusal is as good an answer as any. */
async function attempt(work: Promise<unknown>): Promise<string> {
  try {
    const answer = (await work) as { outcome?: string } | undefined;
    return answer?.outcome ?? 'ok';
  } catch (error) {
    if (ReachError.is(error) || fromProblem(error) !== undefined) return (error as ReachError).code;
    throw error;
  }
}

async function step(house: TestHouse, chaos: Chaos, accepted: Set<string>, n: number) {
  const { random } = chaos;
  switch (random.below(6)) {
    case 0:
    case 1: {
      const id = `t${n}`;
      const isWrite = random.next() < 0.4;
      const body = {
        task_id: id,
        task_type: isWrite ? 'transfer' : 'query',
        payload: isWrite ? {} : payload,
        priority: random.below(11),
        ...(random.next() < 0.3 ? { source_id: `u${random.below(3)}`, ordered: true } : {}),
        ...(random.next() < 0.1 ? { timeout: 5 } : {}),
        ...(random.next() < 0.1 ? { delay: 2 } : {}),
      };
      const outcome = await attempt(house.ask('POST', '/v1/tasks', body));
      assert.ok(outcome === 'ok' || outcome === 'agent-busy', outcome);
      if (outcome === 'ok') accepted.add(id);
      break;
    }
    case 2: {
      for (const delivery of await claim(house, 'puller', { credits: 3 })) {
        chaos.leases.push(delivery);
        if (random.next() < 0.6) await attempt(say(house, delivery, 'ack'));
      }
      break;
    }
    case 3: {
      const lease = chaos.leases[random.below(chaos.leases.length)];
      if (lease !== undefined) await speak(house, chaos, lease);
      break;
    }
    case 4: {
      const id = chaos.pick(...accepted, 'none');
      if (random.next() < 0.1) await attempt(house.ask('POST', `/v1/tasks/${id}/cancel`, {}));
      break;
    }
    default:
      await house.clock.advance(random.below(1_500));
  }
}

function speak(house: TestHouse, chaos: Chaos, lease: Held) {
  // Whoever runs a write and says that it may run again, takes that upon himself.
  const again = lease.task_type === 'transfer' ? [] : (['release', 'retry'] as const);
  const word = chaos.pick('complete', 'complete', 'progress', 'fail', 'ack', ...again);
  const more = {
    complete: { result: rows },
    progress: { percent: chaos.random.below(101) },
    release: {},
    fail: { reason: 'chance', retryable: false },
    retry: { reason: 'chance', retryable: true },
    ack: {},
  }[word];
  return attempt(say(house, lease, word === 'retry' ? 'fail' : word, more));
}

/** Registers everybody: two who are sent reads and writes, one who comes for reads. */
async function people(house: TestHouse, chaos: Chaos) {
  await house.agent('sql', query, chaos.machine(rows));
  await house.agent('bank', transfer, chaos.machine({}));
  await house.puller('puller', query);
}

async function check(house: TestHouse, chaos: Chaos, accepted: Set<string>) {
  for (const id of accepted) {
    const task = await house.storage.tasks.get({ tenant: 'internal', taskId: id });
    assert.ok(task !== undefined, `${id} is lost`);
    assert.ok(isTaskEnd(task.state) || task.state === 'dead', `${id} is ${task.state}`);
    const history = await house.storage.tasks.history({ tenant: 'internal', taskId: id });
    const ends = history.filter(({ from, to }) => from !== to && isTaskEnd(to));
    assert.ok(ends.length <= 1, `${id} ended ${ends.length} times`);
    if (task.taskType === 'transfer') {
      assert.ok((chaos.runs.get(id) ?? 0) <= 1, `the write ${id} ran ${chaos.runs.get(id)} times`);
    }
    assert.ok(task.attempts <= task.attemptsMax, `${id} ran ${task.attempts} times`);
    assert.ok(task.deliveries <= 12, `${id} was delivered ${task.deliveries} times`);
  }
}

for (const change of ['restarts', 'gets a second one beside it'] as const) {
  test(`when the gateway ${change}, what was accepted ends once, and no write runs twice`, async (t) => {
    const random = testRandom((line) => t.diagnostic(line));
    const chaos = new Chaos(random);
    const accepted = new Set<string>();
    const ground = await openHouse(FLAGS);
    const houses = [ground];
    try {
      await people(ground, chaos);
      for (let n = 0; n < 600; n++) {
        await step(chaos.pick(...houses), chaos, accepted, n);
        if (n % 150 !== 149) continue;
        const last = houses.at(-1) as TestHouse;
        if (change === 'restarts') {
          await last.during(last.house.stop(), 15_000);
          houses.length = 0;
          await ground.clock.advance(random.below(10_000));
        }
        houses.push(await ground.again());
      }
      chaos.isCalm = true;
      await settleDown(houses.at(-1) as TestHouse);

      assert.ok(accepted.size > 50);
      await check(ground, chaos, accepted);
    } finally {
      for (const house of houses) await ground.during(house.house.stop(), 15_000);
      await ground[Symbol.asyncDispose]();
    }
  });
}

/** Two minutes in which everybody does his work. */
async function settleDown(house: TestHouse) {
  for (let n = 0; n < 60; n++) {
    for (const one of await claim(house, 'puller', { credits: 50 })) {
      await attempt(say(house, one, 'complete', { result: rows }));
    }
    await house.clock.advance(2_000);
    await unblock(house);
  }
}

/** A dead head holds its source: a person looks at it, and lets the others go on. */
async function unblock(house: TestHouse) {
  const { tasks } = await house.ask<{ tasks: { task_id: string; status: string }[] }>(
    'GET',
    '/v1/tasks?status=blocked&limit=1000',
  );
  if (tasks.length === 0) return;
  const parked = await house.ask<{ tasks: { task_id: string }[] }>('GET', '/v1/dead-letters');
  for (const { task_id: id } of parked.tasks) {
    await attempt(house.ask('POST', `/v1/tasks/${id}/cancel`, {}));
  }
}
