import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfirmationView, type NeedsConfirmation, ReachError } from '@agent-reach/core';
import { FakeGateway } from '../testing/fake-gateway.ts';
import { run } from '../testing/run.ts';
import { answerOf } from '../testing/samples.ts';

const env = (gateway: FakeGateway) => ({ REACH_ENDPOINT: gateway.url, NO_COLOR: '1' });
const ID = 'cfm_01k8z3v9q4t5w6x7y8z9a0b1c2';
const PREVIEW = {
  kind: 'call' as const,
  principal: 'shop',
  capability: 'refund_order',
  agent: 'pay',
  params: { order_no: 'ORD1', cents: 82_000, card: '[redacted]' },
  idempotency_key: 'r1',
};
const VIEW: ConfirmationView = {
  id: ID,
  by: 'human',
  status: 'pending',
  principal: 'shop',
  preview: PREVIEW,
  wrong_tries: 0,
  created_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-01T00:05:00.000Z',
  expires_in_ms: 300_000,
};
const NEEDS: NeedsConfirmation = { id: ID, by: 'human', expires_in_ms: 300_000, preview: PREVIEW };

/** What the last request presented. */
function codeIn({ seen }: FakeGateway): unknown {
  const input: object = seen.at(-1)?.input ?? {};
  return 'confirmation_code' in input ? input.confirmation_code : undefined;
}

test('list shows what waits and for how long; show shows all of it', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('confirmations.list', () => ({ confirmations: [VIEW] }));
  gateway.on('confirmations.get', () => VIEW);

  const list = await run(['confirmations', 'list'], { env: env(gateway) });
  const show = await run(['confirmations', 'show', ID], { env: env(gateway) });

  assert.match(list.out, /^cfm_\S+\tpending\thuman\tshop\t\S+\t5 min\trefund_order\t\{"order_no"/);
  assert.match(show.out, /asked by\tshop\ncall\trefund_order\nagent\tpay\nkey\tr1\n/);
  assert.match(show.out, /"cents": 82000,\n {2}"card": "\[redacted\]"/);
});

test('approve and refuse say who decided; a refusal of the gateway is an error', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('confirmations.approve', () => ({ ...VIEW, status: 'approved', decided_by: 'alice' }));
  gateway.on('confirmations.refuse', () => {
    throw new ReachError('confirmation-invalid', 'It is used.');
  });
  const reason = ['--reason', 'wrong amount'];

  const yes = await run(['confirmations', 'approve', ID], { env: env(gateway) });
  const no = await run(['confirmations', 'refuse', ID, ...reason], { env: env(gateway) });

  assert.match(yes.out, /status\tapproved\n[\s\S]*decided by\talice/);
  assert.deepEqual(gateway.seen.at(-1)?.input, { id: ID, reason: 'wrong amount' });
  assert.deepEqual([yes.code, no.code], [0, 1]);
  assert.match(no.err, /It is used/);
});

test('a call that needs a word prints how it goes on, and fails', async () => {
  await using gateway = await FakeGateway.open();
  const asking = answerOf(null, { status: 'needs_confirmation' });
  let needs = NEEDS;
  gateway.on('calls.invoke', (request) => ({
    ...asking,
    request_id: request.request_id ?? '',
    confirmation: needs,
  }));
  const words = ['call', 'refund_order', '{"order_no":"ORD1"}'];

  const person = await run([...words, '--key', 'r1'], { env: env(gateway) });
  needs = { ...NEEDS, by: 'caller', code: `${ID}.code` };
  const self = await run(words, { env: env(gateway) });

  assert.equal(person.code, 1);
  assert.match(person.out, new RegExp(`reach confirmations approve ${ID}\\n`));
  assert.match(person.out, new RegExp(`--key r1 --confirmation ${ID}\\n$`));
  assert.match(self.out, new RegExp(`--key call_\\w+ --confirmation ${ID}\\.code\\n$`));
});

test('the code goes with the call and with the task', async () => {
  await using gateway = await FakeGateway.open();
  gateway.on('calls.invoke', () => answerOf(1));
  await run(['call', 'refund_order', '{}', '--confirmation', ID], { env: env(gateway) });
  const inCall = codeIn(gateway);
  gateway.on('tasks.submit', () => ({
    task_id: 't1',
    status: 'needs_confirmation',
    confirmation: NEEDS,
    position: 0,
    eta_ms: -1,
    eta_p90_ms: -1,
    durability: 'durable',
    trace_id: 'a',
    replayed: false,
    warnings: [],
  }));
  const submit = ['tasks', 'submit', 'refund_order', '{}', '--confirmation', ID, '--wait'];
  const task = await run(submit, { env: env(gateway) });

  assert.deepEqual([inCall, codeIn(gateway), task.code], [ID, ID, 1]);
  assert.match(task.out, /--id t1 --confirmation/);
});

test('rules are read, set and rolled back', async () => {
  await using gateway = await FakeGateway.open();
  const doc = { rules: [{ match: { capability: 'refund_*' }, by: 'human' as const }] };
  const view = { policy: 'confirmations' as const, version: 1, doc };
  gateway.on('policies.get', () => ({ ...view, version: 0, doc: {} }));
  gateway.on('policies.put', () => ({ ...view, warnings: ['look'], dry_run: false }));

  const got = await run(['confirmations', 'rules'], { env: env(gateway) });
  const set = await run(['confirmations', 'set', JSON.stringify(doc)], { env: env(gateway) });

  assert.match(got.err, /never written, what is sensitive is confirmed/);
  assert.match(set.out, /^confirmations: version 1/);
  assert.match(set.err, /warning: look/);
  assert.deepEqual(gateway.seen.at(-1)?.input, { policy: 'confirmations', doc });
});
