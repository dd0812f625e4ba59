import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Gateway } from './kit/gateway.ts';
import { Program } from './kit/program.ts';
import { answerOf, dataOf, post } from './kit/wire.ts';

const SAMPLE = join(import.meta.dirname, 'seed-a/order_agent.py');
const MANIFEST = join(
  import.meta.dirname,
  '../packages/server/src/registry/manifest/fixtures/seed-a.yaml',
);

const python = spawnSync('python3', ['--version'], { encoding: 'utf8' });
const skip = python.status === 0 ? false : 'python3 is not installed here';

test('the sample agent of seed A, unchanged, joins by its manifest and is called', {
  skip,
}, async () => {
  await using gateway = await Gateway.start();
  await using sample = new Program(['python3', '-u', SAMPLE]);
  const port = await sample.line('its port', (line) => /^\d+$/.exec(line)?.[0]);
  const baseUrl = `http://127.0.0.1:${port}`;
  // Its own host name is only known in its own cluster; nothing else is changed.
  const manifest = readFileSync(MANIFEST, 'utf8').replace(/base_url: .*/, `base_url: ${baseUrl}`);

  const yaml = { headers: { 'content-type': 'application/yaml' } };
  const joined = dataOf('agents.register', await gateway.post('/v1/agents', manifest, yaml));
  const params = { order_no: 'ORD202501180001', customer_id: 'C1' };
  const call = { agent_id: 'customer-service', capability: 'query_order_status', params };
  const answer = answerOf(await gateway.call(call));
  const direct = await post(`${baseUrl}/abilities/query_order_status`, params);

  assert.equal(joined.agent_id, 'order-query-agent');
  assert.equal(joined.outcome, 'created');
  assert.equal(joined.diagnosis?.reachable, true);
  assert.equal(joined.instance?.heartbeat_interval_ms, 15_000);
  assert.deepEqual(answer.result, {
    status: 'shipped',
    estimated_ship_time: '2026-11-30T18:00:00+08:00',
  });
  assert.deepEqual(direct.body, answer.result, 'bare body in, bare result out');
  assert.equal(answer.provider.agent, 'order-query-agent');
  const shown = await gateway.reach.agents.get('order-query-agent');
  assert.equal(shown.display_name, '订单查询智能体');
});
