import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { AgentsStore, InstanceRow } from '../spi/agents.ts';
import { type Driver, NOON, scenario } from './driver.ts';
import { defined } from './exercise-agents.ts';

/** Instances: who joins, renews, leaves, is swept, and what is wanted of them. */
export function exerciseInstances(driver: Driver): void {
  suite('agents: instances', () => {
    exerciseJoin(driver);
    exerciseRenew(driver);
    exerciseIntent(driver);
    exerciseLeave(driver);
    exerciseSweep(driver);
  });
}

export const AGENT = { tenant: 'acme', agentId: 'crm' };
const NAME = { ...AGENT, instanceId: 'i-1' };
const LEASE_MS = 45_000;

export const INSTANCE = {
  instanceId: 'i-1',
  bootId: 'boot-a',
  mode: 'push',
  baseUrl: 'http://10.0.0.1:9000',
  tags: { region: '北京', vip: '' },
  heartbeatIntervalMs: 15_000,
  leaseMs: LEASE_MS,
} as const;

export const JOIN = { ...AGENT, instance: INSTANCE, now: NOON };
const BEAT = { ...NAME, bootId: 'boot-a', leaseMs: LEASE_MS, reported: {}, now: NOON + 1_000 };

/** Joins and hands out the row; anything but `joined` fails the test. */
export async function joined(
  agents: AgentsStore,
  move: Parameters<AgentsStore['join']>[0] = JOIN,
): Promise<InstanceRow> {
  const answer = await agents.join(move);
  assert.ok(answer.outcome === 'joined', `the answer is ${answer.outcome}`);
  return answer.row;
}

async function instances(agents: AgentsStore): Promise<InstanceRow[]> {
  return (await agents.load()).instances;
}

function exerciseJoin(driver: Driver): void {
  scenario(driver, 'nobody joins an agent that is not there', async ({ agents }) => {
    await defined(agents, { ...AGENT, tenant: 'other' });

    assert.deepEqual(await agents.join(JOIN), { outcome: 'unknown' });
    assert.deepEqual(await instances(agents), []);
  });

  scenario(driver, 'an instance joins enabled, with a lease from now', async ({ agents }) => {
    await defined(agents, AGENT);

    const row = await joined(agents);

    assert.deepEqual(row, {
      ...AGENT,
      ...INSTANCE,
      addrVersion: row.addrVersion,
      intent: 'enabled',
      intentBy: 'agent',
      leaseEndsAt: NOON + LEASE_MS,
      lastHeartbeatAt: NOON,
      seq: -1,
      reported: {},
    });
    assert.ok(row.addrVersion >= 1);
    assert.deepEqual(await instances(agents), [row]);
  });

  scenario(driver, 'an instance that pulls has neither address nor boot id', async (s) => {
    await defined(s.agents, AGENT);
    const instance = {
      instanceId: 'w:1',
      mode: 'pull',
      tags: {},
      heartbeatIntervalMs: 0,
      leaseMs: 1,
    } as const;

    const row = await joined(s.agents, { ...JOIN, instance });

    assert.equal('baseUrl' in row, false);
    assert.equal('bootId' in row, false);
    assert.deepEqual(await instances(s.agents), [row]);
  });

  scenario(driver, 'joining again as the same process keeps the address version', async (s) => {
    await defined(s.agents, AGENT);
    const before = await joined(s.agents);

    const row = await joined(s.agents, { ...JOIN, now: NOON + 10 });

    assert.equal(row.addrVersion, before.addrVersion);
    assert.equal(row.leaseEndsAt, NOON + 10 + LEASE_MS);
    assert.equal((await instances(s.agents)).length, 1);
  });

  scenario(driver, 'a restart at the same address is welcome and raises it', async (s) => {
    await defined(s.agents, AGENT);
    const before = await joined(s.agents);

    const row = await joined(s.agents, { ...JOIN, instance: { ...INSTANCE, bootId: 'boot-b' } });

    assert.equal(row.bootId, 'boot-b');
    assert.ok(row.addrVersion > before.addrVersion);
  });

  scenario(driver, 'another address is held off until the lease has ended', async (s) => {
    await defined(s.agents, AGENT);
    const row = await joined(s.agents);
    const elsewhere = { ...INSTANCE, bootId: 'boot-b', baseUrl: 'http://10.0.0.2:9000' };
    const at = (now: number) => s.agents.join({ ...JOIN, instance: elsewhere, now });

    const early = await at(NOON + LEASE_MS - 1);
    assert.deepEqual(early, { outcome: 'held', row });
    assert.deepEqual(await instances(s.agents), [row]);

    const late = await joined(s.agents, { ...JOIN, instance: elsewhere, now: NOON + LEASE_MS });
    assert.equal(late.baseUrl, 'http://10.0.0.2:9000');
    assert.ok(late.addrVersion > row.addrVersion);
  });

  scenario(driver, 'of two processes that want one name, one gets it', async ({ agents }) => {
    await defined(agents, AGENT);

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        agents.join({ ...JOIN, instance: { ...INSTANCE, baseUrl: `http://10.0.0.${i}` } }),
      ),
    );

    assert.equal(answers.filter((answer) => answer.outcome === 'joined').length, 1);
    assert.equal(answers.filter((answer) => answer.outcome === 'held').length, 9);
  });

  scenario(driver, 'an address version is never given twice to one name', async ({ agents }) => {
    await defined(agents, AGENT);
    const before = await joined(agents);
    await agents.leave(NAME);

    const row = await joined(agents, { ...JOIN, instance: { ...INSTANCE, baseUrl: 'http://b' } });

    assert.ok(row.addrVersion > before.addrVersion);
  });
}

function exerciseRenew(driver: Driver): void {
  scenario(driver, 'a beat renews the lease and keeps what is reported', async ({ agents }) => {
    await defined(agents, AGENT);
    const before = await joined(agents);
    const reported = { inflight: 3, pending: 0 };

    const answer = await agents.renew({ ...BEAT, seq: 0, leaseMs: 60_000, reported });

    const row = {
      ...before,
      seq: 0,
      reported,
      leaseMs: 60_000,
      leaseEndsAt: NOON + 61_000,
      lastHeartbeatAt: NOON + 1_000,
    };
    assert.deepEqual(answer, { outcome: 'renewed', row });
    assert.deepEqual(await instances(agents), [row]);
  });

  scenario(driver, 'a beat with an old number is stale and changes nothing', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);
    await agents.renew({ ...BEAT, seq: 5 });
    const [row] = await instances(agents);

    for (const seq of [5, 4]) {
      const answer = await agents.renew({ ...BEAT, seq, now: NOON + 9_000 });
      assert.deepEqual(answer, { outcome: 'stale', row });
    }
    assert.deepEqual(await instances(agents), [row]);
    assert.equal((await agents.renew({ ...BEAT, seq: 6 })).outcome, 'renewed');
  });

  scenario(driver, 'a beat of the process before is stale', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);
    const row = await joined(agents, { ...JOIN, instance: { ...INSTANCE, bootId: 'boot-b' } });

    const answer = await agents.renew({ ...BEAT, seq: 99 });

    assert.deepEqual(answer, { outcome: 'stale', row });
  });

  scenario(driver, 'what a beat leaves out is not compared', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);
    await agents.renew({ ...BEAT, seq: 5 });
    const { bootId: _, ...bare } = BEAT;

    const answer = await agents.renew(bare);

    assert.equal(answer.outcome, 'renewed');
    assert.equal((await instances(agents))[0]?.seq, 5);
  });

  scenario(driver, 'numbers go on for the same boot, and begin anew for another', async (s) => {
    await defined(s.agents, AGENT);
    await joined(s.agents);
    await s.agents.renew({ ...BEAT, seq: 5 });

    await joined(s.agents);
    assert.equal((await s.agents.renew({ ...BEAT, seq: 5 })).outcome, 'stale');

    await joined(s.agents, { ...JOIN, instance: { ...INSTANCE, bootId: 'boot-b' } });
    const fresh = await s.agents.renew({ ...BEAT, bootId: 'boot-b', seq: 1 });
    assert.equal(fresh.outcome, 'renewed');
  });

  scenario(driver, 'a lease that ended may be renewed until it is swept', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);

    const late = await agents.renew({ ...BEAT, now: NOON + LEASE_MS * 10 });

    assert.equal(late.outcome, 'renewed');
  });

  scenario(driver, 'a beat of nobody is unknown', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);

    assert.deepEqual(await agents.renew({ ...BEAT, instanceId: 'i-2' }), { outcome: 'unknown' });
    assert.deepEqual(await agents.renew({ ...BEAT, tenant: 'other' }), { outcome: 'unknown' });
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'a renewed instance survives', async (storage) => {
    await defined(storage.agents, AGENT);
    await joined(storage.agents);
    await storage.agents.renew({ ...BEAT, seq: 7, reported: { inflight: 1 } });
    const before = await instances(storage.agents);

    await using again = await reopen(storage);

    assert.deepEqual(await instances(again.agents), before);
  });
}

function exerciseIntent(driver: Driver): void {
  const drain = { ...NAME, intent: 'draining', by: 'agent', now: NOON } as const;
  const disable = {
    ...NAME,
    intent: 'disabled',
    by: 'operator',
    reason: '调查中',
    now: NOON,
  } as const;

  scenario(driver, 'an intent is set with its owner and reason', async ({ agents }) => {
    await defined(agents, AGENT);
    const before = await joined(agents);

    const rows = await agents.setIntent(disable);

    const row = { ...before, intent: 'disabled', intentBy: 'operator', intentReason: '调查中' };
    assert.deepEqual(rows, [row]);
    assert.deepEqual(await instances(agents), [row]);
  });

  scenario(driver, 'without an instance all of the agent are meant, by name', async (s) => {
    await defined(s.agents, AGENT);
    await defined(s.agents, { tenant: 'acme', agentId: 'crm-2' });
    for (const instanceId of ['i-2', 'i-1']) {
      await joined(s.agents, { ...JOIN, instance: { ...INSTANCE, instanceId } });
    }
    await joined(s.agents, { ...JOIN, agentId: 'crm-2' });
    const { instanceId: _, ...all } = disable;

    const rows = await s.agents.setIntent(all);

    assert.deepEqual(
      rows.map((row) => row.instanceId),
      ['i-1', 'i-2'],
    );
    assert.deepEqual(
      (await instances(s.agents)).map((row) => row.intent),
      ['disabled', 'disabled', 'enabled'],
    );
  });

  scenario(driver, 'what an operator took away only an operator gives back', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);
    const [row] = await agents.setIntent(disable);

    for (const by of ['agent', 'system'] as const) {
      const rows = await agents.setIntent({ ...NAME, intent: 'enabled', by, now: NOON });
      assert.deepEqual(rows, [row]);
    }

    const back = await agents.setIntent({ ...NAME, intent: 'enabled', by: 'operator', now: NOON });
    assert.equal(back[0]?.intent, 'enabled');
    assert.equal('intentReason' in (back[0] ?? {}), false);
    const drained = await agents.setIntent(drain);
    assert.equal(drained[0]?.intent, 'draining');
  });

  scenario(driver, 'an operator’s intent survives joining, any other does not', async (s) => {
    await defined(s.agents, AGENT);
    await joined(s.agents);
    const restart = (bootId: string) =>
      joined(s.agents, { ...JOIN, instance: { ...INSTANCE, bootId } });

    await s.agents.setIntent(drain);
    assert.equal((await restart('boot-b')).intent, 'enabled');
    await s.agents.setIntent({ ...drain, intent: 'fenced', by: 'system', reason: 'two probes' });
    const freed = await restart('boot-c');
    assert.equal(freed.intent, 'enabled');
    assert.equal('intentReason' in freed, false);

    await s.agents.setIntent(disable);
    const held = await restart('boot-d');
    assert.equal(held.intent, 'disabled');
    assert.equal(held.intentBy, 'operator');
    assert.equal(held.intentReason, '调查中');
  });

  scenario(driver, 'nothing is set of nobody', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);

    assert.deepEqual(await agents.setIntent({ ...disable, instanceId: 'i-2' }), []);
    assert.deepEqual(await agents.setIntent({ ...disable, tenant: 'other' }), []);
  });

  scenario(
    driver,
    'an agent that an operator took away takes later instances with it',
    async ({ agents }) => {
      await defined(agents, AGENT);
      const off = { ...AGENT, intent: 'disabled', by: 'operator', reason: 'nonsense' } as const;
      assert.deepEqual(await agents.setIntent({ ...off, now: NOON }), []);

      const late = await joined(agents);

      assert.equal(late.intent, 'disabled');
      assert.equal(late.intentBy, 'operator');
      assert.equal(late.intentReason, 'nonsense');
      await agents.setIntent({ ...AGENT, intent: 'enabled', by: 'operator', now: NOON });
      const other = { ...INSTANCE, instanceId: 'i-2' };
      assert.equal((await joined(agents, { ...JOIN, instance: other })).intent, 'enabled');
    },
  );
}

function exerciseLeave(driver: Driver): void {
  scenario(driver, 'leave takes one instance, once', async ({ agents }) => {
    await defined(agents, AGENT);
    await joined(agents);
    await joined(agents, { ...JOIN, instance: { ...INSTANCE, instanceId: 'i-2' } });

    assert.equal(await agents.leave({ ...NAME, tenant: 'other' }), false);
    assert.equal(await agents.leave(NAME), true);
    assert.equal(await agents.leave(NAME), false);

    const left = await instances(agents);
    assert.deepEqual(
      left.map((row) => row.instanceId),
      ['i-2'],
    );
  });
}

function exerciseSweep(driver: Driver): void {
  scenario(driver, 'sweep takes who is gone for long enough, longest first', async ({ agents }) => {
    await defined(agents, AGENT);
    for (const [instanceId, leaseMs] of Object.entries({ c: 3_000, a: 1_000, b: 2_000 })) {
      await joined(agents, { ...JOIN, instance: { ...INSTANCE, instanceId, leaseMs } });
    }
    const sweep = (now: number, limit = 10) => agents.sweep({ goneForMs: 500, limit, now });

    assert.deepEqual(await sweep(NOON + 1_499), []);
    assert.deepEqual(await sweep(NOON + 1_500), [{ ...AGENT, instanceId: 'a' }]);
    assert.deepEqual(await sweep(NOON + 9_000, 1), [{ ...AGENT, instanceId: 'b' }]);
    assert.deepEqual(await sweep(NOON + 9_000, 1), [{ ...AGENT, instanceId: 'c' }]);
    assert.deepEqual(await sweep(NOON + 9_000, 1), []);
  });
}
