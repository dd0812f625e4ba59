import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BalanceView, Output } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });
const AT = '2026-01-01T00:00:00.000Z';
const PRESENT = {
  policy: 'weights' as const,
  version: 3,
  doc: { agents: { old: { weight: 5 } } },
  by: 'ops',
  at: AT,
};

function written(changes: Partial<Output<'policies.put'>> = {}): Output<'policies.put'> {
  return { ...PRESENT, version: 4, warnings: [], dry_run: false, ...changes };
}

async function open() {
  const gateway = await FakeGateway.open();
  gateway.on('policies.get', () => PRESENT).on('policies.put', () => written());
  return gateway;
}

function lastPut(gateway: FakeGateway): unknown {
  return gateway.seen.at(-1)?.input;
}

test('get prints the document as it can be set again, and says beside it which one it is', async () => {
  await using gateway = await open();

  const { out, err } = await run(['weights', 'get'], { env: env(gateway) });

  assert.deepEqual(JSON.parse(out), PRESENT.doc);
  assert.equal(err, `weights: version 3, by ops, ${AT}\n`);
});

test('single words are set on top of what is there, and only if nobody else wrote meanwhile', async () => {
  await using gateway = await open();
  const args = 'weights set --agent a=3 --agent b=0'.split(' ');

  const { code, out } = await run(args, { env: env(gateway) });

  assert.deepEqual([code, out], [0, `weights: version 4, by ops, ${AT}\n`]);
  assert.deepEqual(lastPut(gateway), {
    policy: 'weights',
    doc: { agents: { old: { weight: 5 }, a: { weight: 3 }, b: { weight: 0 } } },
    expect_version: 3,
  });
});

test('shares, strategy and weights of a capability go under its name', async () => {
  await using gateway = await open();
  const words = `weights set --capability query --share 1.4=90 --share 2.0=10 --stateful 1.4
    --strategy consistent-hash --agent a=2 --dry-run`;
  gateway.on('policies.put', () => written({ dry_run: true, warnings: ['No version 2.0.'] }));

  const { out, err } = await run(words.split(/\s+/), { env: env(gateway) });

  assert.deepEqual(
    [out, err],
    ['checked, nothing was stored\n', 'reach: warning: No version 2.0.\n'],
  );
  assert.deepEqual(lastPut(gateway), {
    policy: 'weights',
    doc: {
      ...PRESENT.doc,
      capabilities: {
        query: {
          strategy: 'consistent-hash',
          stateful: '1.4',
          versions: { '1.4': 90, '2.0': 10 },
          agents: { a: 2 },
        },
      },
    },
    expect_version: 3,
    dry_run: true,
  });
});

test('a whole document takes the place of the present one', async () => {
  await using gateway = await open();

  await run(['weights', 'set', '{"agents":{}}', '--expect', '3'], { env: env(gateway) });

  assert.deepEqual(lastPut(gateway), {
    policy: 'weights',
    doc: { agents: {} },
    expect_version: 3,
  });
});

test('what is written wrongly is asked of nobody', async () => {
  await using gateway = await open();
  for (const words of ['', '--share 1.4=90', '--agent a=much', '--agent a']) {
    const args = ['weights', 'set', ...words.split(' ').filter((word) => word !== '')];
    assert.equal((await run(args, { env: env(gateway) })).code, 2, words);
  }
  assert.equal(
    gateway.seen.some(({ name }) => name === 'policies.put'),
    false,
  );
});

test('rollback names a version or none, and history lists what there was', async () => {
  await using gateway = await open();
  gateway
    .on('policies.rollback', () => written())
    .on('policies.history', () => ({ versions: [PRESENT] }));

  await run(['weights', 'rollback'], { env: env(gateway) });
  assert.deepEqual(lastPut(gateway), { policy: 'weights' });
  await run(['weights', 'rollback', '2'], { env: env(gateway) });
  assert.deepEqual(lastPut(gateway), { policy: 'weights', to: 2 });
  const { out } = await run(['weights', 'history'], { env: env(gateway) });
  assert.equal(out, `3\t${AT}\tops\t{"agents":{"old":{"weight":5}}}\n`);
});

test('show tells of each candidate its share and the factors of its weight', async () => {
  await using gateway = await open();
  const view: BalanceView = {
    capability: 'query',
    strategy: 'least-pending',
    versions: { '1.4': 100 },
    candidates: [
      {
        agent: 'sql',
        instance: 'sql-1',
        version: '1.4',
        weight: 1.5,
        parts: { hand: 3, capacity: 1, reported: 1, reachability: 0.5, slow_start: 1 },
        share: 0.875,
        held: 2,
        waiting: 7,
      },
    ],
    imbalance: { agent: 'sql', ratio: 4, since: AT },
  };
  gateway.on('routes.balance', () => view);

  const piped = await run(['weights', 'show', 'query'], { env: env(gateway) });
  assert.equal(piped.out, 'sql\tsql-1\t1.4\t87.5 %\t1.5\t3\t1\t1\t0.5\t1\t2\t7\t\n');
  const shown = await run(['weights', 'show', 'query'], { env: env(gateway), width: 120 });
  assert.match(shown.out, /strategy +least-pending\nversions +1\.4 100 %\nimbalance +sql has 4/);
});
