import assert from 'node:assert/strict';
import type {
  Answer,
  ConfirmationsPolicy,
  ConfirmationView,
  NeedsConfirmation,
  PolicyView,
} from '@agent-reach/core';
import { failsWith } from './house.ts';
import { json } from './network.ts';
import type { Ask, SecureHouse, Signer } from './secure.ts';

/** A sensitive write, with a parameter that must not be shown. */
export const REFUND = {
  name: 'refund_order',
  description: 'Pays an order back.',
  effect: 'write',
  idempotency: 'gateway',
  sensitive: true,
  input_schema: {
    type: 'object',
    properties: {
      order_no: { type: 'string' },
      cents: { type: 'integer' },
      card: { type: 'string', 'x-reach-sensitive': true },
    },
  },
};
/** Parameters of it. */
export const PARAMS = { order_no: 'ORD1', cents: 82_000, card: '4111111111111111' };
/** A call of it. */
export const CALL = { capability: 'refund_order', params: PARAMS, idempotency_key: 'r1' };
/** For `assert.rejects`: it does not count, for this reason. */
export const INVALID = (reason: string) =>
  failsWith('confirmation-invalid', (error) => assert.equal(error.facts['reason'], reason));
/** For `assert.rejects`. */
export const DENIED = failsWith('permission-denied');

/** A gateway that asks everybody who he is, a caller, an operator and an agent that refunds. */
export interface Scene {
  secure: SecureHouse;
  shop: Signer;
  alice: Ask;
  runs: () => number;
  /** Headers of the last call. */
  heard: () => Record<string, string>;
}

/** A house where `pay` refunds, `shop` and `web` may ask for it, and `alice` is an operator. */
export async function open(secure: SecureHouse, capability: object = REFUND): Promise<Scene> {
  const heard: Record<string, string>[] = [];
  secure.house.network.at('http://pay', ({ method, headers }) => {
    if (method === 'GET') return json(200, { agent_id: 'pay' });
    heard.push(headers);
    return json(200, { refunded: true });
  });
  const pay = await secure.client({ kind: 'agent', agent_id: 'pay' });
  await pay.ask('POST', '/v1/agents', {
    name: 'pay',
    capabilities: [capability],
    network: { base_url: 'http://pay' },
  });
  const shop = await secure.client({ kind: 'service', client_id: 'shop' });
  const alice = await secure.client({ kind: 'service', client_id: 'alice', role: 'operator' });
  const rows = [{ who: '*', may: ['refund_order'] }];
  await secure.admin('PUT', '/v1/policies/grants', { doc: { rows } });
  return {
    secure,
    shop,
    alice: alice.ask,
    runs: () => heard.length,
    heard: () => heard.at(-1) ?? {},
  };
}

/** Makes a call that must be answered by a question. */
export async function ask(
  { shop }: Pick<Scene, 'shop'>,
  body: object = CALL,
): Promise<NeedsConfirmation> {
  const answer = await shop.ask<Answer>('POST', '/v1/calls', body);
  assert.equal(answer.status, 'needs_confirmation');
  assert.equal(answer.result, null);
  assert.ok(answer.confirmation !== undefined);
  return answer.confirmation;
}

/** The same with what was told. */
export const use = ({ shop }: Pick<Scene, 'shop'>, code: string, body: object = CALL) =>
  shop.ask<Answer>('POST', '/v1/calls', { ...body, confirmation_code: code });

/** Says yes. */
export const approve = (by: Ask, id: string) =>
  by<ConfirmationView>('POST', `/v1/confirmations/${id}/approve`, {});

/** Writes the rules. */
export const rules = (secure: SecureHouse, doc: ConfirmationsPolicy, more: object = {}) =>
  secure.admin<PolicyView & { warnings: string[] }>('PUT', '/v1/policies/confirmations', {
    doc,
    ...more,
  });
