import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, ConfirmationsPolicy, NeedsConfirmation } from '@agent-reach/core';
import { set, three } from '../main/testing/budgets.ts';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import { json, type Machine } from '../main/testing/network.ts';
import { params, refund } from './testing/orders.ts';

const sensitive = { ...refund, sensitive: true };
const body = { capability: 'refund_order', params, idempotency_key: 'k1', agent_id: 'shop' };
const INVALID = (reason: string) =>
  failsWith('confirmation-invalid', (error) => {
    assert.equal(error.facts['reason'], reason);
    assert.equal(error.executed, 'no');
  });

async function rules(house: TestHouse, ...list: NonNullable<ConfirmationsPolicy['rules']>) {
  await house.ask('PUT', '/v1/policies/confirmations', { doc: { rules: list } });
}

async function asked(house: TestHouse, more: object = {}): Promise<NeedsConfirmation> {
  const { status, confirmation } = await house.call({ ...body, ...more });
  assert.equal(status, 'needs_confirmation');
  assert.ok(confirmation !== undefined);
  return confirmation;
}

const use = (house: TestHouse, code: string, more: object = {}): Promise<Answer> =>
  house.call({ ...body, ...more, confirmation_code: code });

/** What was done, and not only prepared. */
const done = ({ network }: TestHouse) =>
  network.calls.filter(({ url }) => url.endsWith('/refund_order')).length;

test('where nobody shows who he is, whoever asks is told the code himself', async () => {
  await using house = await openHouse();
  await house.agent('pay', sensitive, () => json(200, { ok: true }));

  const { id, by, code = '' } = await asked(house);

  assert.equal(by, 'caller');
  assert.ok(code.startsWith(`${id}.`));
  assert.equal(Buffer.from(code.slice(id.length + 1), 'base64url').length, 16);
  assert.equal((await use(house, code)).status, 'ok');
  assert.equal(done(house), 1);
});

test('a code is used once: another request under it is refused, and two at once are one', async () => {
  await using house = await openHouse();
  await house.agent('pay', { ...sensitive, effect: undefined }, () => json(200, { ok: true }));
  const bare = { idempotency_key: undefined };
  const { code = '' } = await asked(house, bare);

  const ends = await Promise.allSettled([use(house, code, bare), use(house, code, bare)]);

  assert.deepEqual(ends.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
  await assert.rejects(use(house, code, bare), INVALID('used'));
  assert.equal(done(house), 1);
});

test('who guesses has five tries, whatever he guesses', async () => {
  await using house = await openHouse();
  await house.agent('pay', sensitive, () => json(200, { ok: true }));
  const { id, code = '' } = await asked(house);

  for (const guess of ['a', 'b', 'c', 'd']) {
    await assert.rejects(use(house, `${id}.${guess}`), INVALID('wrong'));
  }
  // The id alone is what people approve, and no code.
  await assert.rejects(use(house, id), INVALID('wrong'));
  await assert.rejects(use(house, code), INVALID('dead'));
  for (const nonsense of ['x', `${id}.`, `${id}. `, 'cfm_00000000000000000000000000.x']) {
    await assert.rejects(use(house, nonsense), INVALID('unknown'));
  }
  assert.equal(done(house), 0);
});

test('what would not pass anyway is refused before anybody is asked', async () => {
  await using house = await openHouse();
  const input_schema = { type: 'object', required: ['order_no'] };
  await house.agent('pay', { ...sensitive, input_schema }, () => json(200, {}));

  await assert.rejects(house.call({ ...body, params: {} }), failsWith('validation-failed'));
  await assert.rejects(
    house.call({ ...body, idempotency_key: undefined }),
    failsWith('idempotency-key-missing'),
  );
  const { confirmations } = await house.ask<{ confirmations: unknown[] }>(
    'GET',
    '/v1/confirmations',
  );
  assert.deepEqual(confirmations, []);
});

test('a principal may have a hundred open; what is too long to be seen is not confirmed', async () => {
  await using house = await openHouse();
  await house.agent('pay', sensitive, () => json(200, { ok: true }));
  const long = { ...params, note: 'x'.repeat(65_536) };
  await assert.rejects(house.call({ ...body, params: long }), failsWith('payload-too-large'));
  for (let n = 0; n < 100; n++) await asked(house);

  await assert.rejects(
    house.call(body),
    failsWith('rate-limited', ({ facts }) => assert.equal(facts.limit, 100)),
  );
  await asked(house, { agent_id: 'other' });
});

test('a second attempt goes to nobody who wants a word that was not given', async () => {
  await using house = await openHouse();
  await house.agent('open', refund, () => json(503, { code: 'busy', executed: 'no' }));
  await house.agent('shut', sensitive, () => json(200, { ok: true }));
  await house.ask('PUT', '/v1/policies/weights', {
    doc: { agents: { open: { weight: 1000 }, shut: { weight: 0.001 } } },
  });

  await assert.rejects(house.call(body), failsWith('agent-busy'));
  assert.equal(house.network.calls.filter(({ url }) => url.includes('//shut')).length, 0);
});

test('what was confirmed of one agent is done by it, though another offers the same', async () => {
  await using house = await openHouse();
  const runs: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    await house.agent(name, sensitive, () => {
      runs.push(name);
      return json(200, { ok: true });
    });
  }
  for (let n = 0; n < 6; n++) {
    const more = { idempotency_key: `k${n}` };
    const { code = '', preview } = await asked(house, more);
    const { provider } = await use(house, code, more);
    assert.equal(provider.agent, preview.agent);
    assert.equal(runs.at(-1), preview.agent);
  }
});

test('a fallback that wants a word is passed over', async () => {
  await using house = await openHouse();
  await house.agent('spare', { ...refund, name: 'spare' }, () => json(200, {}));
  await house.agent('gone', { ...refund, name: 'gone' }, () => json(200, {}));
  house.network.at('http://gone', undefined);
  await rules(house, { match: { capability: 'spare' }, by: 'caller' });

  await assert.rejects(
    house.during(
      house.call({ ...body, capability: 'gone', context: { fallback: ['spare'] } }),
      5_000,
    ),
    failsWith('no-reachable-agent', ({ message }) => {
      assert.match(message, /spare \(confirmation-invalid\)/);
    }),
  );
});

const TARGET = { match: { capability: 'refund_order' }, by: 'target' } as const;

/** An agent that prepares and tells what it heard. */
function preparing(prepared: object): { machine: Machine; heard: Record<string, unknown>[] } {
  const heard: Record<string, unknown>[] = [];
  const machine: Machine = ({ url, body: sent, headers }) => {
    heard.push({ url, sent, confirmation: headers['reach-confirmation'] });
    return json(200, url.endsWith('/prepare') ? prepared : { ok: true });
  };
  return { machine, heard };
}

test('by target: the agent makes the code, and whoever asks is told it wrapped in ours', async () => {
  await using house = await openHouse();
  const { machine, heard } = preparing({
    code: '482913',
    preview: 'Pay back\n¥820',
    expires_in_ms: 60_000,
  });
  await house.agent('pay', refund, machine);
  await rules(house, TARGET);

  const { id, code, preview, expires_in_ms } = await asked(house);

  assert.deepEqual([code, preview.says, expires_in_ms], [`${id}.482913`, 'Pay back ¥820', 60_000]);
  await assert.rejects(use(house, `${id}.482914`), INVALID('wrong'));
  assert.equal((await use(house, code ?? '')).status, 'ok');
  const url = 'http://pay/abilities/refund_order';
  assert.deepEqual(heard, [
    { url: `${url}/prepare`, sent: JSON.stringify(params), confirmation: id },
    { url, sent: JSON.stringify(params), confirmation: id },
  ]);
});

test('by target out of band: the code is told by the agent and not by the gateway', async () => {
  await using house = await openHouse();
  const { machine } = preparing({ code: '482913', out_of_band: true });
  await house.agent('pay', refund, machine);
  await rules(house, TARGET);

  const needs = await asked(house);

  assert.equal(needs.code, undefined);
  assert.ok(!JSON.stringify(needs).includes('482913'));
  assert.equal((await use(house, `${needs.id}.482913`)).status, 'ok');
});

test('an agent that does not prepare, or not readably, has done nothing', async () => {
  await using house = await openHouse();
  let answer: unknown = {};
  let status = 200;
  await house.agent('pay', refund, () => json(status, answer));
  await rules(house, TARGET);

  for (const one of [
    {},
    { code: 'abc' },
    { code: 'a b c d' },
    { code: 123_456 },
    { code: '123456', preview: 7 },
    { code: '123456', expires_in_ms: 999 },
    { code: '123456', expires_in_ms: 'soon' },
    null,
  ]) {
    answer = one;
    const refused = failsWith('bad-response', (error) => assert.equal(error.executed, 'no'));
    await assert.rejects(house.call(body), refused, JSON.stringify(one));
  }
  status = 404;
  await assert.rejects(
    house.call(body),
    failsWith('agent-rejected', (error) => assert.equal(error.executed, 'no')),
  );
  assert.equal(done(house), 0);
});

test('an agent that pulls cannot be asked to prepare: a person is asked instead', async () => {
  await using house = await openHouse();
  await house.puller('pay', refund);
  await rules(house, TARGET);

  const { by, id } = await asked(house);

  assert.equal(by, 'human');
  // In open mode whoever asks must say who he is: nobody else can be told from nobody.
  assert.equal(
    (await house.ask<{ status: string }>('POST', `/v1/confirmations/${id}/approve`)).status,
    'approved',
  );
});

test('in open mode nobody approves what nobody asked for', async () => {
  await using house = await openHouse();
  await house.agent('pay', refund, () => json(200, {}));
  await rules(house, { match: { capability: '*' }, by: 'human' });
  const { id } = await asked(house, { agent_id: undefined });

  await assert.rejects(
    house.ask('POST', `/v1/confirmations/${id}/approve`),
    failsWith('permission-denied'),
  );
});

/** So many a day for everybody. */
const budget = (house: TestHouse, limit: number) => set(house, [{ ...three, limit }]);

test('a budget that refuses does not cost the word that was given', async () => {
  await using house = await openHouse();
  await house.agent('pay', sensitive, () => json(200, { ok: true }));
  await budget(house, 1);
  const other = { idempotency_key: 'k2' };
  const [first, second] = [await asked(house), await asked(house, other)];
  await use(house, second.code ?? '', other);

  await assert.rejects(use(house, first.code ?? ''), failsWith('budget-exhausted'));
  await budget(house, 2);

  assert.equal((await use(house, first.code ?? '')).status, 'ok');
  assert.equal(done(house), 2);
});

test('a word that does not count leaves the key and the budget free', async () => {
  await using house = await openHouse();
  await house.agent('pay', sensitive, () => json(200, { ok: true }));
  await budget(house, 1);
  const { id, code = '' } = await asked(house);

  await assert.rejects(use(house, `${id}.wrong`), INVALID('wrong'));

  assert.equal((await use(house, code)).status, 'ok');
});

/** An agent that is busy once, and `meanwhile` happens; then it would do what it is told. */
async function busyOnce(house: TestHouse, meanwhile: () => Promise<unknown>): Promise<void> {
  let tries = 0;
  await house.agent('pay', sensitive, async () => {
    if (tries++ > 0) return json(200, { ok: true });
    await meanwhile();
    return json(503, { code: 'busy', executed: 'no' });
  });
}

test('a word covers a second attempt at whom it was given for', async () => {
  await using house = await openHouse();
  await busyOnce(house, async () => {});
  const { code = '' } = await asked(house);

  assert.equal((await house.during(use(house, code), 3_000)).status, 'ok');
  assert.equal(done(house), 2);
});

for (const [what, meanwhile] of [
  [
    'declares something else',
    (house: TestHouse) =>
      house.ask('POST', '/v1/agents', {
        name: 'pay',
        capabilities: [{ ...sensitive, description: 'Pays back twice.' }],
        network: { base_url: 'http://pay' },
      }),
  ],
  [
    'is under other rules',
    (house: TestHouse) => rules(house, { match: { capability: 'refund_order' }, by: 'human' }),
  ],
] as const) {
  test(`a word covers no second attempt at an agent that ${what} by then`, async () => {
    await using house = await openHouse();
    await busyOnce(house, () => meanwhile(house));
    const { code = '' } = await asked(house);

    const call = house.during(use(house, code), 3_000);

    await assert.rejects(call, failsWith('agent-busy'));
    assert.equal(done(house), 1);
  });
}

test('the time in which an agent prepares is its own', async () => {
  await using house = await openHouse();
  await house.agent('pay', refund, async () => {
    await house.clock.sleep(300);
    return json(200, { code: '482913' });
  });
  await rules(house, TARGET);

  const { status, timing, trace_id: id } = await house.during(house.call(body), 1_000);

  assert.equal(status, 'needs_confirmation');
  assert.deepEqual(
    [timing.match_ms, timing.agent_ms, timing.return_ms, timing.total_ms],
    [0, 300, 0, 300],
  );
  await house.clock.advance(100);
  const [hop] = await house.storage.traces.find({ tenant: 'internal', traceId: id, limit: 1 });
  assert.deepEqual([hop?.match_ms, hop?.agent_ms, hop?.execute_ms], [0, 300, 300]);
});
