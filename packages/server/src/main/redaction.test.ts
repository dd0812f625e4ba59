import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { logTo, seededRandom, silentLog, systemClock } from '@agent-reach/core/kernel';
import { openSqlite } from '../storage/sqlite/open.ts';
import { claim } from '../tasks/testing/capabilities.ts';
import { failsWith, openHouse, type TestHouse } from './testing/house.ts';
import { json, type Machine } from './testing/network.ts';

const dir = mkdtempSync(join(tmpdir(), 'reach-redaction-'));
after(() => rmSync(dir, { recursive: true, force: true }));

/** Looks like nothing: only a schema or a name can tell it. */
const CANARY = 'canary-7f3a';
const TOKEN = `rtk_${'canary7f3a'.repeat(4)}abc`;

const DETAILS = {
  type: 'object',
  properties: {
    iban: { type: 'string', 'x-reach-sensitive': true },
    card: { $ref: '#/$defs/card' },
    list: { type: 'array', items: { allOf: [{ properties: { pin: { writeOnly: true } } }] } },
    amount: { type: 'integer' },
  },
  $defs: { card: { type: 'object', writeOnly: true } },
};

const PAY = {
  name: 'pay',
  effect: 'write',
  sensitive: false, // Or somebody's word would be asked first.
  idempotency: 'key',
  input: DETAILS,
  output: DETAILS,
};

/** Secrets in every place where one can be. */
const PLANTED = {
  iban: CANARY,
  card: { number: CANARY },
  list: [{ pin: CANARY }, { pin: CANARY }],
  amount: 5,
  user_password: CANARY,
  nested: { deep: [{ apiKey: CANARY, 密码: CANARY }] },
  note: `pay with ${TOKEN}, or Bearer ${TOKEN}`,
  text: `{"secret":"${CANARY}"}`,
};

const isPlanted = (text: string) => /canary-?7f3a/i.test(text);

/** Every row of a store that is kept of the past. */
async function past(house: TestHouse): Promise<string> {
  const { storage } = house;
  const lines = await storage.traces.findAudit({ tenant: 'internal', limit: 1_000 });
  const hops = await storage.traces.find({ tenant: 'internal', limit: 1_000 });
  const shown = [
    await house.ask('GET', '/v1/audit'),
    await house.ask('GET', '/v1/audit/export'),
    await house.ask('GET', '/v1/traces'),
  ];
  return JSON.stringify([lines, hops, shown]);
}

async function openWith(machine: Machine, log: string[]): Promise<TestHouse> {
  const house = await openHouse(
    {},
    logTo((line) => log.push(line), 'debug'),
  );
  await house.agent('bank', PAY, machine);
  return house;
}

test('of a call no secret is kept in the audit, its traces or the log, and what is none is', async () => {
  const log: string[] = [];
  await using house = await openWith(() => json(200, PLANTED), log);

  const answer = await house.call({ capability: 'pay', request_id: 'r1', params: PLANTED });

  assert.deepEqual(answer.result, PLANTED, 'the caller has it whole');
  const kept = await past(house);
  assert.ok(!isPlanted(kept), kept);
  assert.ok(!isPlanted(log.join('\n')));
  const [line] = await house.storage.traces.findAudit({
    tenant: 'internal',
    requestId: 'r1',
    limit: 1,
  });
  for (const said of [line?.params, line?.result]) {
    const { amount, note, list } = JSON.parse(said ?? '') as Record<string, unknown>;
    assert.equal(amount, 5);
    assert.equal(note, 'pay with [redacted], or [redacted]');
    assert.deepEqual(list, [{ pin: '[redacted]' }, { pin: '[redacted]' }]);
  }
});

test('neither of a call that is refused, by the gateway or by the agent, nor in what is answered', async () => {
  const log: string[] = [];
  const refusal = { code: 'declined', detail: `no, said Bearer ${TOKEN}`, password: CANARY };
  await using house = await openWith(() => json(422, refusal), log);
  const ask = async (id: string, params: unknown) => {
    const payload = JSON.stringify({ capability: 'pay', request_id: id, params });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` };
    const url = '/v1/calls';
    return (await house.http.inject({ method: 'POST', url, headers, payload })).body;
  };

  const refused = await ask('r2', PLANTED);
  const illTyped = await ask('r3', { ...PLANTED, iban: { bad: CANARY }, amount: 'five' });

  assert.match(refused, /agent-rejected/);
  assert.match(illTyped, /validation-failed|no-reachable-agent|capability-not-found/);
  for (const text of [refused, illTyped, await past(house), log.join('\n')]) {
    assert.ok(!isPlanted(text), text);
  }
});

test('of a task no secret is in the audit, from its submission to its end', async () => {
  const log: string[] = [];
  await using house = await openHouse(
    {},
    logTo((line) => log.push(line), 'debug'),
  );
  await house.puller('bank', PAY);
  await house.ask('POST', '/v1/tasks', { task_type: 'pay', task_id: 't1', payload: PLANTED });
  const [task] = await claim(house, 'bank');
  const lease = task?.lease ?? '';
  await house.ask('POST', '/v1/tasks/t1/ack', { lease });
  await house.ask('POST', '/v1/tasks/t1/complete', { lease, result: PLANTED });

  const kept = await past(house);
  assert.match(kept, /tasks\.submit/);
  assert.match(kept, /tasks\.end/);
  assert.ok(!isPlanted(kept), kept);
  assert.ok(!isPlanted(log.join('\n')));
});

test('a payload that an operator mends is not in the line of the mending', async () => {
  const log: string[] = [];
  await using house = await openWith(() => json(500, {}), log);
  // Whether or not there is such a task: the door writes the line either way.
  const edit = { payload: PLANTED, reason: `because of ${TOKEN}` };
  await assert.rejects(house.ask('POST', '/v1/dead-letters/t9/edit', edit));

  const kept = await past(house);
  assert.match(kept, /dead-letters\.edit/);
  assert.ok(!isPlanted(kept), kept);
});

test('no byte of the data file is a secret of a call', async () => {
  const random = seededRandom(3);
  const log: string[] = [];
  await using house = await openWith(() => json(200, PLANTED), log);
  await house.call({ capability: 'pay', request_id: 'r4', params: PLANTED });
  const lines = await house.storage.traces.findAudit({ tenant: 'internal', limit: 9 });
  const hops = await house.storage.traces.find({ tenant: 'internal', limit: 9 });
  const file = await openSqlite({ dir, clock: systemClock, random, log: silentLog });
  await file.traces.appendAudit(lines.map(({ seq: _, ...line }) => line));
  await file.traces.append(hops);
  await file.close();

  const bytes = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'latin1'));

  assert.ok(bytes.some((text) => text.includes('calls.invoke')));
  for (const text of bytes) assert.ok(!isPlanted(text));
});

test('whoever is asked for his word is shown no secret either', async () => {
  await using house = await openHouse();
  await house.agent('bank', { ...PAY, sensitive: true }, () => json(200, PLANTED));

  const asked = await house.call({ capability: 'pay', request_id: 'r1', params: PLANTED });

  assert.equal(asked.status, 'needs_confirmation');
  assert.ok(!isPlanted(JSON.stringify(asked)), JSON.stringify(asked));
  assert.match(JSON.stringify(asked.confirmation), /"amount":5/);
});

const OPEN = { type: 'object' };

/** Registers `bank` anew, with the same address and nothing of it secret any more. */
async function forgetSecrets(house: TestHouse, network: Record<string, unknown>): Promise<void> {
  const capabilities = [{ ...PAY, input: OPEN, output: OPEN }];
  await house.ask('POST', '/v1/agents', { name: 'bank', capabilities, ...network });
}

const BY_SCHEMA = { iban: CANARY, card: { number: CANARY }, amount: 5 };

test('a call is masked by what its agent declared when it was sent, whatever it declares since', async () => {
  await using house = await openHouse();
  await house.agent('bank', PAY, async () => {
    await forgetSecrets(house, { network: { base_url: 'http://bank' } });
    return json(200, BY_SCHEMA);
  });

  await house.call({ capability: 'pay', request_id: 'r1', params: BY_SCHEMA });

  const kept = await past(house);
  assert.match(kept, /calls\.invoke/);
  assert.ok(!isPlanted(kept), kept);
});

test('nor is a result shown that is given again after its agent declared otherwise or left', async () => {
  await using house = await openWith(() => json(200, BY_SCHEMA), []);
  const call = { capability: 'pay', idempotency_key: 'k1', params: { amount: 5 } };
  await house.call(call);

  await forgetSecrets(house, { network: { base_url: 'http://bank' } });
  const again = await house.call({ ...call, request_id: 'r2' });
  await house.ask('DELETE', '/v1/agents/bank');
  await house.call({ ...call, request_id: 'r3' });

  assert.equal(again.replayed, true);
  const kept = await past(house);
  assert.match(kept, /r2.*r3|r3.*r2/);
  assert.ok(!isPlanted(kept), kept);
});

test('what is asked for by tags and refused is masked by whatever could have been meant', async () => {
  await using house = await openHouse();
  const tags = { team: 'money' };
  await house.puller('bank', { ...PAY, tags });
  await house.puller('shop', { ...PAY, name: 'buy', input: OPEN, tags });

  const asked = { tags, params: BY_SCHEMA, agent_id: 'me' };
  await assert.rejects(house.call({ ...asked, request_id: 'r1' }), failsWith('ambiguous-match'));
  await assert.rejects(house.ask('POST', '/v1/tasks', asked), failsWith('ambiguous-match'));

  const kept = await past(house);
  assert.match(kept, /tasks\.submit/);
  assert.match(kept, /calls\.invoke/);
  assert.ok(!isPlanted(kept), kept);
});

test('of a task that is asked a word for no secret is in the audit', async () => {
  await using house = await openHouse();
  await house.puller('bank', { ...PAY, sensitive: true });
  const task = { task_type: 'pay', task_id: 't1', payload: BY_SCHEMA };
  const asked = await house.ask('POST', '/v1/tasks', task);

  assert.equal(asked['status'], 'needs_confirmation');
  const kept = await past(house);
  assert.match(kept, /needs-confirmation/);
  assert.ok(!isPlanted(kept), kept);
});

/** A task of `pay` that ends with secrets in its result, once `meanwhile` has happened. */
async function payLater(house: TestHouse, meanwhile: () => Promise<unknown>): Promise<void> {
  await house.ask('POST', '/v1/tasks', { task_type: 'pay', task_id: 't1', payload: BY_SCHEMA });
  const [task] = await claim(house, 'bank');
  const lease = task?.lease ?? '';
  await house.ask('POST', '/v1/tasks/t1/ack', { lease });
  await meanwhile();
  await house.ask('POST', '/v1/tasks/t1/complete', { lease, result: BY_SCHEMA });
}

const PULLS = { instance: { pull: true, instance_id: 'bank-1' } };

for (const [what, meanwhile] of [
  ['declares nothing secret any more', (house: TestHouse) => forgetSecrets(house, PULLS)],
  ['has left', (house: TestHouse) => house.ask('DELETE', '/v1/agents/bank')],
] as const) {
  test(`the end of a task is masked as its beginning, also if its agent ${what}`, async () => {
    await using house = await openHouse();
    await house.puller('bank', PAY);
    await payLater(house, () => meanwhile(house));

    const kept = await past(house);
    assert.ok(!isPlanted(kept), kept);
    const lines = await house.storage.traces.findAudit({ tenant: 'internal', limit: 100 });
    const end = lines.find(({ operation }) => operation === 'tasks.end');
    const shown = JSON.parse(end?.result ?? 'null') as Record<string, unknown>;
    assert.equal(shown['amount'], 5, 'what is no secret is shown');
  });
}

test('nothing of a result is shown where nobody was ever there to say what of it is secret', async () => {
  await using house = await openHouse();
  await house.ask('POST', '/v1/tasks', { task_type: 'pay', task_id: 't1', payload: {} });
  await house.puller('bank', PAY);
  const [task] = await house.during(claim(house, 'bank'), 5_000);
  const lease = task?.lease ?? '';
  await house.ask('POST', '/v1/tasks/t1/ack', { lease });
  await house.ask('DELETE', '/v1/agents/bank');
  await house.ask('POST', '/v1/tasks/t1/complete', { lease, result: { plain: CANARY } });

  const kept = await past(house);
  assert.match(kept, /tasks\.end/);
  assert.ok(!isPlanted(kept), kept);
});

test('of secrets at more places than an order keeps, the whole result is one', async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [`field_of_some_length_${n}`, { writeOnly: true }]),
  );
  await using house = await openHouse();
  await house.puller('bank', {
    ...PAY,
    output: {
      type: 'object',
      properties: { ...properties, ...DETAILS.properties },
      $defs: DETAILS.$defs,
    },
  });
  await payLater(house, () => forgetSecrets(house, PULLS));

  const kept = await past(house);
  assert.match(kept, /tasks\.end/);
  assert.ok(!isPlanted(kept), kept);
});
