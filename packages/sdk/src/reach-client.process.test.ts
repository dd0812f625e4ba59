import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RouteDecision } from '@agent-reach/core';
import { silentLog } from '@agent-reach/core/kernel';
import { ReachClient } from './reach-client.ts';
import { ProcessHouse } from './testing/processes.ts';

const LIMIT = { timeout: 60_000 };

/** As its author printed it. */
const MANIFEST = {
  agent_name: 'weekly-report-agent',
  capabilities: [
    {
      id: 'generate-weekly-summary',
      name: '生成周报摘要',
      input_schema: {
        type: 'object',
        properties: {
          kpi_data: { type: 'string', description: 'JSON格式的关键指标数据' },
          language: { type: 'string', enum: ['zh', 'en'], default: 'zh' },
        },
      },
      output_schema: { type: 'object', properties: { summary: { type: 'string' } } },
      tags: ['report', 'analysis', 'kpi'],
      priority: 80,
    },
  ],
  dependencies: { llm_model: 'gpt-4o-mini', max_concurrency: 5 },
  health_endpoint: '/healthz',
  metadata: { team: 'data-ai-team', env: 'prod' },
};
const PAYLOAD = { kpi_data: '[]', language: 'zh' };

test(
  'who is routed to it goes there directly, and a drained agent is gone at once',
  LIMIT,
  async () => {
    await using house = await ProcessHouse.open();
    const common = { endpoint: house.url, host: '127.0.0.1', port: 0, log: silentLog };
    await using agent = new ReachClient({
      ...common,
      agentName: 'weekly-report-agent',
      execute: (payload) => ({ summary: `本周：${(payload as typeof PAYLOAD).kpi_data}` }),
    });
    await using dispatcher = new ReachClient({ ...common, agentName: 'dispatcher-agent' });
    const seen = dispatcher.watch('周报');
    const first = seen.next();
    await agent.start();
    await agent.registerManifest(MANIFEST);
    const wish = {
      capability: 'generate-weekly-summary',
      intent: '生成本周销售周报摘要',
      payload: PAYLOAD,
      prefer: { reachability_score: 0.5, latency: 0.3, affinity: 0.2 },
    };

    const route = await dispatcher.route(wish);
    assert.equal(route?.target_agent, 'weekly-report-agent');
    assert.equal(route.target_address, agent.address);
    const response = await fetch(`http://${route.target_address}/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ task_id: route.route_id, payload: PAYLOAD }),
    });
    assert.deepEqual(await response.json(), { summary: '本周：[]' });

    const { value: decision } = await first;
    const { outcome, candidates } = decision as RouteDecision;
    assert.deepEqual([outcome, candidates[0]?.agent], ['route', 'weekly-report-agent']);
    await seen.return(undefined);

    await agent.drain();
    assert.equal(await dispatcher.route(wish), null);
  },
);
