import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';
import { REACHABILITY } from '../testing/samples.ts';

const TREND = {
  agent_name: 'orders',
  every_ms: 60_000,
  until: '2026-01-01T00:00:00.000Z',
  instances: [
    {
      instance_id: 'i-1',
      observed: 'up' as const,
      reachability: REACHABILITY,
      scores: [null, 1, 0.5, 0.97],
    },
  ],
};

test('the trend is a line of bars at a terminal, and of plain characters in a pipe', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('agents.reachability', () => TREND);
  const env = { REACH_ENDPOINT: gateway.url, NO_COLOR: '1' };

  const piped = await run(['agents', 'trend', 'orders', '--minutes', '4'], { env });
  assert.equal(piped.out, 'i-1\tup\t0.97\t0.5\t #=#\n');
  assert.deepEqual(gateway.seen.at(-1)?.input, { agent_name: 'orders', minutes: 4 });

  const seen = await run(['agents', 'trend', 'orders'], { env, width: 100 });
  assert.match(seen.out, /INSTANCE.*TREND/);
  assert.match(seen.out, / █▅█/);
});
