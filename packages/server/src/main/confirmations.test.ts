import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Answer,
  AuditRecord,
  ConfirmationView,
  NeedsConfirmation,
  RouteAnswer,
} from '@agent-reach/core';
import { Bus } from '../peers/testing/bus.ts';
import { failsWith } from './testing/house.ts';
import { json } from './testing/network.ts';
import {
  openSecure,
  openSecureShared,
  type SecureHouse,
  secured,
  type Signer,
} from './testing/secure.ts';
import {
  approve,
  ask,
  CALL,
  DENIED,
  INVALID,
  open,
  PARAMS,
  REFUND,
  rules,
  use,
} from './testing/refunds.ts';

test('what is sensitive is done once a person has approved it, once', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const { alice, shop, runs } = scene;

  const needs = await ask(scene);
  assert.equal(needs.by, 'human');
  assert.equal(needs.expires_in_ms, 300_000);
  assert.equal(needs.code, undefined);
  assert.equal(runs(), 0);

  const { confirmations } = await alice<{ confirmations: ConfirmationView[] }>(
    'GET',
    '/v1/confirmations',
  );
  assert.deepEqual(confirmations[0]?.preview, {
    kind: 'call',
    principal: 'shop',
    capability: 'refund_order',
    agent: 'pay',
    params: { ...PARAMS, card: '[redacted]' },
    idempotency_key: 'r1',
  });
  // Until then a repeat with the id is told to wait, and spends no try.
  for (let n = 0; n < 6; n++) {
    const again = await use(scene, needs.id);
    assert.deepEqual([again.status, again.confirmation?.id], ['needs_confirmation', needs.id]);
  }
  const view = await approve(alice, needs.id);
  assert.deepEqual([view.status, view.decided_by], ['approved', 'alice']);
  const seen = await shop.ask<ConfirmationView>('GET', `/v1/confirmations/${needs.id}`);
  assert.equal(seen.status, 'approved');

  const answer = await use(scene, needs.id);
  assert.deepEqual([answer.status, answer.result], ['ok', { refunded: true }]);
  assert.equal(scene.heard()['reach-confirmation'], needs.id);
  // The same key is answered from what is kept, with the code and without.
  assert.equal((await use(scene, needs.id)).replayed, true);
  assert.equal((await shop.ask<Answer>('POST', '/v1/calls', CALL)).replayed, true);
  assert.equal(runs(), 1);
});

test('the answer that asks is 202', async () => {
  await using secure = await openSecure();
  const { shop } = await open(secure);

  const wire = shop.signed({ method: 'POST', url: '/v1/calls', payload: JSON.stringify(CALL) });
  assert.equal((await secure.house.http.inject(wire)).statusCode, 202);
});

test('approval of one thing covers no other: amount, key, person or capability', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const { id } = await ask(scene);
  await approve(scene.alice, id);

  const others = [
    { ...CALL, params: { ...PARAMS, cents: 820_000 } },
    { ...CALL, params: { ...PARAMS, card: '4000000000000000' } },
    { ...CALL, idempotency_key: 'r2' },
    { ...CALL, context: { on_behalf_of: 'somebody' } },
  ];
  for (const body of others) await assert.rejects(use(scene, id, body), INVALID('wrong'));
  assert.equal(scene.runs(), 0);
  const seen = await scene.alice<ConfirmationView>('GET', `/v1/confirmations/${id}`);
  assert.deepEqual([seen.status, seen.wrong_tries], ['approved', 4]);
  // The fifth ends it, for the right request as well.
  await assert.rejects(use(scene, id, others[0]), INVALID('wrong'));
  await assert.rejects(use(scene, id), INVALID('dead'));
  assert.equal(scene.runs(), 0);
});

test('nobody uses or sees another one’s confirmation, and nobody spends his tries', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const thief = await secure.client({ kind: 'service', client_id: 'web' });
  const { id } = await ask(scene);
  await approve(scene.alice, id);

  for (let n = 0; n < 6; n++) await assert.rejects(use({ shop: thief }, id), INVALID('unknown'));
  await assert.rejects(thief.ask('GET', `/v1/confirmations/${id}`), failsWith('not-found'));
  const listed = await thief.ask<{ confirmations: unknown[] }>('GET', '/v1/confirmations');
  assert.deepEqual(listed.confirmations, []);

  assert.equal((await use(scene, id)).status, 'ok');
});

test('whoever asked does not approve it: not himself, not what he sent his agent for', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const boss = await secure.client({ kind: 'service', client_id: 'boss', role: 'admin' });
  const own = await ask({ shop: boss });
  await assert.rejects(approve(boss.ask, own.id), DENIED);
  // On his behalf is by him.
  const behalf = { ...CALL, context: { on_behalf_of: 'boss' } };
  await assert.rejects(approve(boss.ask, (await ask(scene, behalf)).id), DENIED);
  // So is what an agent does within his call.
  const decided = await nestedFor(boss, secure);
  await assert.rejects(approve(boss.ask, decided.id), DENIED);

  assert.equal((await approve(scene.alice, decided.id)).status, 'approved');
  // Without an operator's role nobody decides at all.
  await assert.rejects(approve(scene.shop.ask, own.id), DENIED);
  assert.equal(scene.runs(), 0);
});

/** Asks `helper`, which asks for a refund within the call; answers what that was told. */
async function nestedFor(boss: Signer, secure: SecureHouse): Promise<NeedsConfirmation> {
  const helper = await secure.client({ kind: 'agent', agent_id: 'helper' });
  let inner: Promise<NeedsConfirmation> | undefined;
  secure.house.network.at('http://helper', async ({ method, headers }) => {
    if (method === 'GET') return json(200, { agent_id: 'helper' });
    const token = { 'reach-call-token': headers['reach-call-token'] ?? '' };
    const asked: Signer = {
      ...helper,
      ask: (how, url, body) => helper.ask(how, url, body, token),
    };
    inner = ask({ shop: asked }, { ...CALL, idempotency_key: 'inner' });
    await inner;
    return json(200, {});
  });
  await helper.ask('POST', '/v1/agents', {
    name: 'helper',
    capabilities: [{ name: 'help', description: 'Helps.', effect: 'read' }],
    network: { base_url: 'http://helper' },
  });
  const rows = [{ who: '*', may: ['refund_order', 'help'] }];
  await secure.admin('PUT', '/v1/policies/grants', { doc: { rows } });
  await boss.ask('POST', '/v1/calls', { capability: 'help', params: {} });
  assert.ok(inner !== undefined);
  return inner;
}

test('a refusal and the end of its time are told to whoever asked', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const { alice, shop } = scene;
  const match = { capability: '*' };
  await rules(secure, { rules: [{ match, by: 'human', ttl_ms: 10_000 }] });
  const first = await ask(scene);
  const second = await ask(scene);

  const reason = { reason: 'the amount is wrong' };
  await alice('POST', `/v1/confirmations/${first.id}/refuse`, reason);
  await assert.rejects(approve(alice, first.id), INVALID('refused'));
  await assert.rejects(use(scene, first.id), INVALID('refused'));
  const seen = await shop.ask<ConfirmationView>('GET', `/v1/confirmations/${first.id}`);
  assert.deepEqual([seen.status, seen.reason], ['refused', 'the amount is wrong']);

  await approve(alice, second.id);
  await secure.house.clock.advance(10_000);
  await assert.rejects(use(scene, second.id), INVALID('expired'));
  const late = await shop.ask<ConfirmationView>('GET', `/v1/confirmations/${second.id}`);
  assert.deepEqual([late.status, late.expires_in_ms], ['expired', 0]);
  assert.equal(scene.runs(), 0);
});

test('an approval may be taken back before it is used, and one’s own word repeated', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const { id } = await ask(scene);

  await approve(scene.alice, id);
  assert.equal((await approve(scene.alice, id)).status, 'approved');
  await scene.alice('POST', `/v1/confirmations/${id}/refuse`, {});
  await assert.rejects(use(scene, id), INVALID('refused'));
});

test('a manifest that changed in between is another thing', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const { id } = await ask(scene);
  await approve(scene.alice, id);
  const pay = await secure.client({ kind: 'agent', agent_id: 'pay', client_id: 'pay-2' });

  await pay.ask('POST', '/v1/agents', {
    name: 'pay',
    capabilities: [{ ...REFUND, description: 'Pays back twice.' }],
    network: { base_url: 'http://pay' },
  });

  await assert.rejects(use(scene, id), INVALID('wrong'));
});

test('whoever could go direct is not told where: it is called through the gateway', async () => {
  await using secure = await openSecure();
  const { shop } = await open(secure);

  const body = { capability: 'refund_order', params: PARAMS };
  const route = await shop.ask<RouteAnswer>('POST', '/v1/routes', body);

  assert.equal(route.outcome, 'none');
  assert.match(route.reason ?? '', /needs a confirmation/);
  assert.deepEqual([route.address, route.call_token], [undefined, undefined]);
});

test('the audit says who asked, who approved and what used it up', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const { id } = await ask(scene);
  await approve(scene.alice, id);
  await use(scene, id);

  const { lines } = await secure.admin<{ lines: AuditRecord[] }>('GET', '/v1/audit?limit=50');
  const about = lines
    .filter(({ confirmation, params }) => confirmation === id || params?.includes(id))
    .map(({ principal, operation, outcome, executed }) => [
      principal,
      operation,
      outcome,
      executed,
    ]);
  assert.deepEqual(about.toReversed(), [
    ['shop', 'calls.invoke', 'needs-confirmation', 'no'],
    ['alice', 'confirmations.approve', 'ok', 'yes'],
    ['shop', 'calls.invoke', 'ok', 'yes'],
  ]);
});

test('an approval at one gateway is used at another, and rules are heard there', async () => {
  const bus = new Bus();
  await using secure = await openSecureShared(bus);
  const scene = await open(secure);
  await using beside = secured(await secure.house.beside(), undefined);
  const { id } = await ask(scene);
  await approve(scene.alice, id);

  const payload = JSON.stringify({ ...CALL, confirmation_code: id });
  const wire = scene.shop.signed({ method: 'POST', url: '/v1/calls', payload });
  const there = await beside.house.http.inject(wire);

  assert.equal(there.json<{ data: Answer }>().data.status, 'ok');
  assert.equal(scene.runs(), 1);
});
