import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, ConfirmationsPolicy } from '@agent-reach/core';
import { failsWith } from './testing/house.ts';
import { openSecure } from './testing/secure.ts';
import {
  approve,
  ask,
  CALL,
  DENIED,
  INVALID,
  open,
  REFUND,
  rules,
  use,
} from './testing/refunds.ts';

test('rules say who confirms what, from the next decision on; the first that matches counts', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const doc: ConfirmationsPolicy = {
    rules: [
      { match: { capability: 'refund_*', agent: 'other' }, by: 'human' },
      { match: { capability: 'refund_*', effect: 'write' }, by: 'caller', ttl_ms: 1_000 },
      { match: { capability: '*' }, by: 'none' },
    ],
  };
  await rules(secure, doc);
  const needs = await ask(scene);
  assert.deepEqual([needs.by, needs.expires_in_ms], ['caller', 1_000]);
  assert.match(needs.code ?? '', /^cfm_[0-9a-z]{26}\.[A-Za-z0-9_-]{22}$/);
  await assert.rejects(approve(scene.alice, needs.id), INVALID('pending'));
  assert.equal((await use(scene, needs.code ?? '')).status, 'ok');

  await rules(secure, { rules: doc.rules?.slice(2) ?? [] });
  const bare = { ...CALL, idempotency_key: 'r9' };
  assert.equal((await scene.shop.ask<Answer>('POST', '/v1/calls', bare)).status, 'ok');
  assert.equal(scene.runs(), 2);
});

test('a rule asks for a word where no manifest does, and changes what was approved', async () => {
  await using secure = await openSecure();
  const scene = await open(secure, { ...REFUND, sensitive: false });
  const all: ConfirmationsPolicy = { rules: [{ match: { capability: '*' }, by: 'human' }] };
  await rules(secure, all);
  const { id } = await ask(scene);
  await approve(scene.alice, id);

  await rules(secure, all);

  // Another version of the rules: what they say now was not what was looked at.
  await assert.rejects(use(scene, id), INVALID('wrong'));
});

test('approvers are those whom the rule names, and operators besides', async () => {
  await using secure = await openSecure();
  const scene = await open(secure);
  const finance = await secure.client({ kind: 'service', client_id: 'finance', role: 'operator' });
  const match = { capability: 'refund_order' };
  await rules(secure, { rules: [{ match, by: 'human', approvers: ['finance'] }] });
  const first = await ask(scene);
  await assert.rejects(approve(scene.alice, first.id), DENIED);
  const seen = await approve(finance.ask, first.id);
  assert.deepEqual(seen.approvers, ['finance']);

  await rules(secure, { rules: [{ match, by: 'human', approvers: ['role:admin'] }] });
  const second = await ask(scene);
  await assert.rejects(approve(finance.ask, second.id), DENIED);
  assert.equal((await approve(secure.admin, second.id)).status, 'approved');
});

test('rules that decide nothing are warned of, and of the wrong form refused', async () => {
  await using secure = await openSecure();
  await open(secure);
  const { warnings } = await rules(
    secure,
    {
      rules: [
        { match: { capability: 'ref*' }, by: 'human', approvers: ['nobody'] },
        { match: { capability: 'refund_order' }, by: 'caller', approvers: ['alice'] },
        { match: { capability: 'gone' }, by: 'none' },
      ],
    },
    { dry_run: true },
  );
  assert.deepEqual(warnings, [
    'Rule 1: no client is called nobody.',
    'Rule 2: rule 1 goes before and says all of it.',
    'Rule 2: nobody approves what is by caller.',
    'Rule 3: nobody offers gone now.',
  ]);
  for (const rule of [
    { match: { capability: '*' }, by: 'nobody' },
    { match: { capability: '*' }, by: 'human', ttl_ms: 999 },
    { match: { capability: '*' }, by: 'human', approvers: ['role:king'] },
    { match: {}, by: 'human' },
  ]) {
    const doc = { rules: [rule] } as unknown as ConfirmationsPolicy;
    await assert.rejects(rules(secure, doc), failsWith('validation-failed'));
  }
});
