import assert from 'node:assert/strict';
import { suite } from 'node:test';
import type { Manifest } from '@agent-reach/core';
import type { AgentsStore } from '../spi/agents.ts';
import { type Driver, NOON, scenario } from './driver.ts';

/** Definitions and their versions. */
export function exerciseAgents(driver: Driver): void {
  suite('agents: definitions', () => {
    exerciseDefine(driver);
    exerciseVersions(driver);
    exerciseRemove(driver);
  });
}

/** A manifest with everything that may be said, in two scripts. */
export function manifestOf(agentId: string): Manifest {
  return {
    agent_id: agentId,
    kind: 'agent',
    display_name: '订单助手 🛒',
    description: 'Answers questions about orders.\nEven with "quotes" and \\ in them.',
    version: '1.2.0',
    schema_version: 1,
    tags: { region: 'cn-north', vip: '' },
    capabilities: [
      {
        name: 'query.orders',
        display_name: '查询订单',
        aliases: ['查单 📦', 'find_orders'],
        description: '',
        input: { type: 'object', properties: { 订单号: { type: 'string' } } },
        output: {},
        tags: {},
        effect: 'read',
        sensitive: false,
        strategy: 'tags',
        sla: { timeout_ms: 2_000, max_qps: 0.5 },
        priority: 50,
        examples: ['我的订单在哪里？'],
        not_for: [],
      },
    ],
    network: { base_url: 'http://127.0.0.1:9000', health_path: '/health' },
    metadata: { nested: { list: [1, 2.5, null, true] } },
  };
}

/** Defines an agent as version 1. */
export async function defined(
  agents: AgentsStore,
  name: { tenant: string; agentId: string },
): Promise<void> {
  const { outcome } = await agents.define({
    tenant: name.tenant,
    manifest: manifestOf(name.agentId),
    digest: 'd1',
    breaking: [],
    expectVersion: 0,
    now: NOON,
  });
  assert.equal(outcome, 'stored');
}

const CRM = { tenant: 'acme', manifest: manifestOf('crm'), breaking: [] };
const FIRST = { ...CRM, digest: 'd1', expectVersion: 0, now: NOON };
const SECOND = { ...CRM, digest: 'd2', expectVersion: 1, now: NOON + 5 };
const NAME = { tenant: 'acme', agentId: 'crm' };

function exerciseDefine(driver: Driver): void {
  scenario(driver, 'an empty store loads as nothing', async ({ agents }) => {
    assert.deepEqual(await agents.load(), { definitions: [], instances: [] });
  });

  scenario(driver, 'a first manifest is version 1 and comes back as it was', async ({ agents }) => {
    const { outcome, row } = await agents.define(FIRST);

    assert.equal(outcome, 'stored');
    assert.deepEqual(row, {
      tenant: 'acme',
      agentId: 'crm',
      manifestVersion: 1,
      digest: 'd1',
      manifest: manifestOf('crm'),
      breaking: [],
      createdAt: NOON,
      updatedAt: NOON,
    });
    assert.deepEqual((await agents.load()).definitions, [row]);
  });

  scenario(driver, 'a changed manifest is the next version and says what it breaks', async (s) => {
    await s.agents.define(FIRST);

    const { outcome, row } = await s.agents.define({ ...SECOND, breaking: ['input narrowed'] });

    assert.equal(outcome, 'stored');
    assert.equal(row.manifestVersion, 2);
    assert.deepEqual(row.breaking, ['input narrowed']);
    assert.equal(row.createdAt, NOON);
    assert.equal(row.updatedAt, NOON + 5);
    assert.deepEqual((await s.agents.load()).definitions, [row]);
  });

  scenario(driver, 'an equal digest changes nothing, whatever version is expected', async (s) => {
    const { row } = await s.agents.define(FIRST);

    const again = await s.agents.define({ ...FIRST, expectVersion: 7, now: NOON + 9 });

    assert.deepEqual(again, { outcome: 'unchanged', row });
  });

  scenario(driver, 'who compared with an old version is told the present one', async (s) => {
    await s.agents.define(FIRST);
    const { row } = await s.agents.define(SECOND);

    const behind = await s.agents.define({ ...SECOND, digest: 'd3', expectVersion: 1 });
    const ahead = await s.agents.define({ ...SECOND, digest: 'd3', expectVersion: 3 });

    assert.deepEqual(behind, { outcome: 'conflict', row });
    assert.deepEqual(ahead, { outcome: 'conflict', row });
  });

  scenario(driver, 'of many who write the same next version, one does', async ({ agents }) => {
    await agents.define(FIRST);

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => agents.define({ ...SECOND, digest: `new-${i}` })),
    );

    assert.equal(answers.filter((answer) => answer.outcome === 'stored').length, 1);
    assert.equal(answers.filter((answer) => answer.outcome === 'conflict').length, 19);
  });

  scenario(driver, 'tenants share no names', async ({ agents }) => {
    await agents.define(FIRST);

    const { outcome, row } = await agents.define({ ...FIRST, tenant: 'other' });

    assert.equal(outcome, 'stored');
    assert.equal(row.manifestVersion, 1);
    const { definitions } = await agents.load();
    assert.deepEqual(
      definitions.map((definition) => definition.tenant),
      ['acme', 'other'],
    );
  });

  scenario(driver, 'a manifest of a megabyte survives', async ({ agents }) => {
    const manifest = { ...manifestOf('crm'), metadata: { essay: '漢字'.repeat(170_000) } };

    await agents.define({ ...FIRST, manifest });

    const { definitions } = await agents.load();
    assert.deepEqual(definitions[0]?.manifest, manifest);
  });

  const { reopen } = driver;
  if (reopen === undefined) return;
  scenario(driver, 'definitions survive', async (storage) => {
    const { row } = await storage.agents.define(FIRST);

    await using again = await reopen(storage);

    assert.deepEqual((await again.agents.load()).definitions, [row]);
  });
}

function exerciseVersions(driver: Driver): void {
  scenario(driver, 'versions come newest first, the present one included', async ({ agents }) => {
    await agents.define(FIRST);
    await agents.define({ ...SECOND, breaking: ['output changed'] });

    assert.deepEqual(await agents.versions(NAME), [
      {
        manifestVersion: 2,
        digest: 'd2',
        manifest: manifestOf('crm'),
        breaking: ['output changed'],
        at: NOON + 5,
      },
      {
        manifestVersion: 1,
        digest: 'd1',
        manifest: manifestOf('crm'),
        breaking: [],
        at: NOON,
      },
    ]);
    assert.deepEqual(await agents.versions({ ...NAME, tenant: 'other' }), []);
  });

  scenario(driver, 'twenty versions are kept, the first goes when one more comes', async (s) => {
    const versions = async () =>
      (await s.agents.versions(NAME)).map((version) => version.manifestVersion);
    for (let version = 0; version < 20; version++) {
      await s.agents.define({ ...FIRST, digest: `d${version}`, expectVersion: version });
    }
    assert.equal((await versions()).length, 20);

    await s.agents.define({ ...FIRST, digest: 'one more', expectVersion: 20 });

    const kept = await versions();
    assert.equal(kept.length, 20);
    assert.equal(kept[0], 21);
    assert.equal(kept.at(-1), 2);
  });
}

function exerciseRemove(driver: Driver): void {
  scenario(driver, 'remove takes the agent, its instances and its versions', async ({ agents }) => {
    await agents.define(FIRST);
    await agents.define({ ...FIRST, tenant: 'other' });
    await agents.join({
      ...NAME,
      instance: {
        instanceId: 'i-1',
        mode: 'pull',
        tags: {},
        heartbeatIntervalMs: 0,
        leaseMs: 1_000,
      },
      now: NOON,
    });

    assert.equal(await agents.remove(NAME), true);

    const left = await agents.load();
    assert.deepEqual(
      left.definitions.map((definition) => definition.tenant),
      ['other'],
    );
    assert.deepEqual(left.instances, []);
    assert.deepEqual(await agents.versions(NAME), []);
    assert.equal(await agents.remove(NAME), false);
  });

  scenario(driver, 'an agent removed meanwhile begins again, and breaks nobody', async (s) => {
    await s.agents.define(FIRST);
    await s.agents.remove(NAME);

    const { outcome, row } = await s.agents.define({ ...SECOND, breaking: ['output changed'] });

    assert.equal(outcome, 'stored');
    assert.equal(row.manifestVersion, 1);
    assert.deepEqual(row.breaking, []);
  });
}
