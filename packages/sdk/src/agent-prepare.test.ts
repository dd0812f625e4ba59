import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Context } from './capability.ts';
import { openAgentHouse, problemOf } from './testing/agent-house.ts';

const REFUND = {
  name: 'refund',
  description: 'Pays back.',
  effect: 'write',
  idempotency: 'key',
} as const;

test('an agent prepares what it is asked for, does none of it, and does it under the same confirmation', async () => {
  const seen: [string, string | undefined, string | undefined][] = [];
  const note = (what: string, ctx: Context) =>
    seen.push([what, ctx.confirmation, ctx.idempotencyKey]);
  await using house = await openAgentHouse((agent) =>
    agent.capability(
      {
        ...REFUND,
        prepare: ({ cents }: { cents: number }, ctx) => {
          note('prepared', ctx);
          return { code: '482913', preview: `Pays back ${cents}` };
        },
      },
      (_: { cents: number }, ctx) => {
        note('done', ctx);
        return { ok: true };
      },
    ),
  );
  await house.agent.start();
  const headers = { 'reach-confirmation': 'cfm_1', 'idempotency-key': 'k1' };

  const prepared = await house.post('/abilities/refund/prepare', { cents: 5 }, headers);
  const again = await house.post('/abilities/refund/prepare', { cents: 5 }, headers);
  const done = await house.post('/abilities/refund', { cents: 5 }, headers);

  assert.deepEqual(await prepared.json(), { code: '482913', preview: 'Pays back 5' });
  assert.equal(again.status, 200);
  assert.deepEqual(await done.json(), { ok: true });
  assert.deepEqual(seen, [
    ['prepared', 'cfm_1', undefined],
    ['prepared', 'cfm_1', undefined],
    ['done', 'cfm_1', 'k1'],
  ]);
});

test('a capability without it makes no codes, and runs nothing', async () => {
  let runs = 0;
  await using house = await openAgentHouse((agent) => agent.capability(REFUND, () => void runs++));
  await house.agent.start();

  const response = await house.post('/abilities/refund/prepare', {});

  assert.equal((await problemOf(response))['code'], 'capability-not-found');
  assert.equal(response.status, 404);
  assert.equal(runs, 0);
});
