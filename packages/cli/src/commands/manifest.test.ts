import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';

const MANIFEST = `
name: orders
capabilities:
  - {name: refund, description: 退款, effect: write}
`;

test('a manifest that breaks a rule may not join; the rule and the way out are named', async () => {
  const { code, out } = await run(['manifest', 'check', '-'], { input: MANIFEST });

  assert.equal(code, 1);
  assert.match(out, /✗ Idempotency .*[^]*→ /);
  assert.match(out, /\nThe manifest may not join: \d+ passed, \d+ warnings, 1 failed\n$/);
  const cured = MANIFEST.replace('effect: write', 'effect: write, idempotency: gateway');
  const good = await run(['manifest', 'check', '-', '--json'], { input: cured });
  assert.equal(good.code, 0, good.out);
  assert.equal((JSON.parse(good.out) as { joins: boolean }).joins, true);
});

test('a manifest that cannot be read is named with the line that is wrong', async () => {
  const { code, err } = await run(['manifest', 'check', '-'], { input: 'name: [' });

  assert.equal(code, 1);
  assert.match(err, /^reach: validation-failed: -: [^\n]*line \d[^\n]*\n$/);
  const list = await run(['agents', 'register', '-'], { input: '[]' });
  assert.match(list.err, /^reach: validation-failed: - holds no manifest/);
});

test('a manifest is registered as it was written, from standard input, too', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.register', () => ({
    agent_id: 'orders',
    manifest_version: 2,
    outcome: 'updated',
    breaking: ['refund lost its input'],
    warnings: ['no address'],
  }));

  const around = { env: { REACH_ENDPOINT: gateway.url }, input: MANIFEST };
  const { out, err } = await run(['agents', 'register', '-'], around);

  assert.deepEqual(gateway.seen[0]?.input['manifest'], {
    name: 'orders',
    capabilities: [{ name: 'refund', description: '退款', effect: 'write' }],
  });
  const lines = ['agent\torders', 'outcome\tupdated', 'manifest\t2'];
  assert.equal(out, `${lines.join('\n')}\nbreaking\trefund lost its input\n`);
  assert.equal(err, 'reach: warning: no address\n');
});
