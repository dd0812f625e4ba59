import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { type Direction, ReachError, type SignedMessage, sign } from '@agent-reach/core';
import { Agent } from './agent.ts';
import type { AgentOptions } from './agent-options.ts';
import { openAgentHouse, problemOf } from './testing/agent-house.ts';

const SECRET = Buffer.alloc(32, 9);
const CREDENTIALS = {
  clientId: 'orders',
  kid: 'k1',
  secret: `rsk_${SECRET.toString('base64url')}`,
};
const KEY = { clientId: 'orders', kid: 'k1', secret: SECRET };
const WRITE = {
  name: 'refund',
  description: 'Pays back.',
  effect: 'write',
  idempotency: 'key',
} as const;

/** As the gateway sends it, but for what the test changes before it is signed. */
interface Said {
  key?: typeof KEY;
  nonce?: string;
  direction?: Direction;
  authority?: string;
  headers?: Record<string, string>;
  aheadMs?: number;
}

/** What changes on its way, after it was signed. */
interface Tampered {
  path?: string;
  body?: string;
  headers?: Record<string, string | undefined>;
}

const BODY = '{"order_no":"A1"}';
const PATH = '/abilities/refund';
const HEADERS = {
  'content-type': 'application/json',
  'idempotency-key': '"k-1"',
  'reach-tenant': 'internal',
  'reach-deadline-ms': '2000',
  'reach-call-token': 'dG9rZW4.bWFj',
  'reach-caller': 'shop',
  'reach-addr-version': 'e.1',
};

async function open(options: Partial<AgentOptions> = {}, isAway = false) {
  const runs: unknown[] = [];
  const house = await openAgentHouse(
    (agent) => agent.capability(WRITE, (_params, ctx) => void runs.push(ctx.caller)),
    { credentials: CREDENTIALS, ...options },
  );
  if (isAway) house.gateway.on('agents.register', away);
  await house.agent.start();
  let nonces = 0;
  /** What the gateway sends. */
  const signed = (said: Said = {}) => {
    const message: SignedMessage = {
      method: 'POST',
      target: PATH,
      authority: said.authority ?? new URL(house.agent.baseUrl).host,
      rawHeaders: Object.entries({ ...HEADERS, ...said.headers }).flat(),
      body: Buffer.from(BODY),
    };
    const nonce = said.nonce ?? `nonce-${String((nonces += 1)).padStart(22, '0')}`;
    const nowMs = house.clock.now() + (said.aheadMs ?? 0);
    const proof = sign(message, said.key ?? KEY, {
      nowMs,
      nonce,
      direction: said.direction ?? 'push',
    });
    return { ...HEADERS, ...said.headers, ...proof };
  };
  const send = (headers: Record<string, string>, { path, body, headers: over }: Tampered = {}) => {
    const all = Object.entries({ ...headers, ...over }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return house.post(path ?? PATH, body ?? BODY, Object.fromEntries(all));
  };
  return { house, runs, signed, send };
}

/** As a gateway that nobody can be registered at. */
function away(): never {
  throw new ReachError('store-unavailable', 'The store does not answer.');
}

/** Sends with a `Host` of its own, which fetch does not. */
async function sendAs(host: string, url: string, headers: Record<string, string>) {
  const sent = request(url, { method: 'POST', setHost: false, headers: { ...headers, host } });
  sent.end(BODY);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

async function refused(response: Response, code = 'signature-invalid') {
  const problem = await problemOf(response);
  assert.deepEqual(
    [problem['status'], problem['code'], problem['executed']],
    [401, code, 'no'],
    JSON.stringify(problem),
  );
}

test('an agent with a key takes what its gateway signed, once', async () => {
  const { house, runs, signed, send } = await open();
  await using _ = house;
  const push = signed();

  assert.equal((await send(push)).status, 200);
  await refused(await send(push), 'replayed');
  await house.clock.advance(299_000);
  await refused(await send(push), 'replayed');
  assert.equal((await send(signed({ headers: { 'idempotency-key': '"k-2"' } }))).status, 200);
  assert.deepEqual(runs, ['shop', 'shop']);
});

test('of many copies that come at once one runs', async () => {
  const { house, runs, signed, send } = await open();
  await using _ = house;
  const push = signed();

  const answers = await Promise.all(Array.from({ length: 8 }, () => send(push)));

  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(runs.length, 1);
});

test('what is not signed by its key, for it, now, or was changed on its way, runs nothing', async () => {
  const { house, runs, signed, send } = await open();
  await using _ = house;
  const cases: Record<string, () => Promise<Response>> = {
    unsigned: () => send(HEADERS),
    'no signature': () => send(signed(), { headers: { signature: undefined } }),
    'no input': () => send(signed(), { headers: { 'signature-input': undefined } }),
    'no digest': () => send(signed(), { headers: { 'content-digest': undefined } }),
    'another key': () => send(signed({ key: { ...KEY, secret: Buffer.alloc(32, 8) } })),
    'another kid': () => send(signed({ key: { ...KEY, kid: 'k2' } })),
    'another client': () => send(signed({ key: { ...KEY, clientId: 'stock' } })),
    'another host': () => send(signed({ authority: 'elsewhere.example' })),
    'a request and no push': () => send(signed({ direction: 'request' })),
    'too old': () => send(signed({ aheadMs: -301_000 })),
    'too far ahead': () => send(signed({ aheadMs: 62_000 })),
    'another path': () => send(signed(), { path: '/execute' }),
    'an encoded path': () => send(signed(), { path: '/abilities/ref%75nd' }),
    'a query': () => send(signed(), { path: `${PATH}?a=1` }),
    'another body': () => send(signed(), { body: '{"order_no":"A2"}' }),
    'a longer body': () => send(signed(), { body: `${BODY} ` }),
    'another key of idempotency': () => send(signed(), { headers: { 'idempotency-key': '"k-2"' } }),
    'no key of idempotency': () => send(signed(), { headers: { 'idempotency-key': undefined } }),
    'another deadline': () => send(signed(), { headers: { 'reach-deadline-ms': '9000' } }),
    'another token': () => send(signed(), { headers: { 'reach-call-token': 'eA.eA' } }),
    'another caller': () => send(signed(), { headers: { 'reach-caller': 'boss' } }),
    'in another name': () => send(signed(), { headers: { 'reach-on-behalf-of': 'boss' } }),
    'a stamp': () => send(signed(), { headers: { 'reach-user-stamp': 'u' } }),
    'a lease': () => send(signed(), { headers: { 'reach-lease': 'l', 'reach-task-id': 't' } }),
    'another tenant': () => send(signed(), { headers: { 'reach-tenant': 'acme' } }),
  };
  for (const [what, attack] of Object.entries(cases)) {
    await refused(await attack()).catch((error: unknown) =>
      assert.fail(`${what}: ${String(error)}`),
    );
  }
  assert.deepEqual(runs, []);
  assert.equal((await send(signed())).status, 200);
});

test('what was meant for an earlier process is stale, before anybody asks who signed it', async () => {
  const { house, signed, send } = await open();
  await using _ = house;
  const stale = { 'reach-addr-version': 'e.0' };

  assert.equal((await problemOf(await send(signed({ headers: stale }))))['code'], 'stale-address');
  const foreign = { ...KEY, clientId: 'before' };
  const other = await problemOf(await send(signed({ key: foreign, headers: stale })));
  assert.equal(other['code'], 'stale-address');
});

test('an agent that does not know its place yet takes nothing that is older than itself', async () => {
  const { house, runs, signed, send } = await open({}, true);
  await using _ = house;
  const forNobody = { 'reach-addr-version': 'e.0' };

  await refused(await send(signed({ headers: forNobody, aheadMs: -1_000 })), 'replayed');
  assert.deepEqual(runs, []);
  await house.clock.advance(1_000);
  assert.equal((await send(signed())).status, 200);
});

test('a name that was listed is a name of the agent, as that of its address is', async () => {
  const { house, signed } = await open({ publicAuthorities: ['Orders.Example:443'] });
  await using _ = house;
  const url = house.agent.baseUrl + PATH;
  const sendTo = (authority: string) => sendAs(authority, url, signed({ authority }));

  assert.equal(await sendTo('orders.example'), 200);
  assert.equal(await sendTo(new URL(url).host), 200);
  assert.equal(await sendTo('orders.example:8443'), 401);
});

test('without a signing key, or told to, an agent takes what comes; probes are never signed', async () => {
  for (const options of [{ credentials: undefined }, { accept: 'any' }] as const) {
    const { house, send } = await open(options);
    await using _ = house;
    assert.equal((await send(HEADERS)).status, 200);
  }
  const { house } = await open();
  await using _ = house;
  assert.equal((await fetch(`${house.agent.baseUrl}/health`)).status, 200);
});

test('an agent that shall verify and has no key does not begin', () => {
  const make = (credentials?: { token: string }) => () =>
    new Agent({ name: 'orders', accept: 'signed', credentials });

  assert.throws(make(), /signing key/);
  assert.throws(make({ token: `rtk_${'a'.repeat(43)}` }), /signing key/);
});
