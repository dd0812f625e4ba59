import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BudgetView } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });
const AT = '2026-01-01T00:00:00.000Z';
const CRM: BudgetView = {
  id: 'crm',
  scope: { agent: 'shop-*', capability: 'crm.*' },
  unit: 'calls',
  limit: 10_000,
  used: 8_012,
  reserved: 3,
  affordable: 12,
  carried: 0,
  period: 'month',
  starts_at: '2026-11-01T00:00:00+08:00',
  reset_at: '2026-12-01T00:00:00+08:00',
  state: 'soft',
};

test('status shows what is used, what may go now, and when it begins anew', async () => {
  await using gateway = await FakeGateway.open();
  const all: BudgetView = { ...CRM, id: 'all', scope: { on_behalf_of: 'u*' } };
  gateway.on('budgets.list', () => ({ budgets: [CRM, all] }));

  const { code, out } = await run(['budgets', 'status'], { env: env(gateway) });

  assert.equal(code, 0);
  assert.match(out, /crm.*soft.*8012.*3.*10000.*12.*month.*2026-12-01T00:00:00\+08:00.*shop-\*/);
  assert.match(out, /all.*everybody · everything · for u\*/);
});

test('set writes the whole document, from the command line or a file, and may be a dry run', async () => {
  await using gateway = await FakeGateway.open();
  const doc = { budgets: [{ id: 'crm', limit: 10, period: 'day' as const }] };
  gateway.on('policies.put', ({ dry_run: isDry = false }) => ({
    policy: 'budgets',
    version: 2,
    doc,
    by: 'ops',
    at: AT,
    warnings: ['Budget crm: nobody offers crm.* now.'],
    dry_run: isDry,
  }));
  const args = ['budgets', 'set', JSON.stringify(doc), '--expect', '1'];

  const written = await run(args, { env: env(gateway) });
  const dry = await run([...args, '--dry-run'], { env: env(gateway) });

  assert.equal(written.out, `budgets: version 2, by ops, ${AT}\n`);
  assert.match(written.err, /nobody offers crm/);
  assert.equal(dry.out, 'checked, nothing was stored\n');
  assert.deepEqual(gateway.seen[0]?.input, { policy: 'budgets', doc, expect_version: 1 });
});

test('where nobody wrote any, get says that nobody is held to any', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('policies.get', () => ({ policy: 'budgets', version: 0, doc: {} }));

  const { out, err } = await run(['budgets', 'get'], { env: env(gateway) });

  assert.deepEqual(JSON.parse(out), {});
  assert.equal(err, 'budgets: never written, nobody is held to any\n');
});
