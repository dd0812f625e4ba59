import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '@agent-reach/core';
import { settled } from '@agent-reach/core/testing';
import { failsWith, openHouse, type TestHouse } from '../main/testing/house.ts';
import type { Machine } from '../main/testing/network.ts';
import { claimOne, query, rows, say, submit, task } from './testing/capabilities.ts';

/** Texts that have broken stores, terminals and readers elsewhere, and are nobody's fault. */
const STRANGE = {
  rtl: 'שלום \u202eabc مرحبا',
  emoji: '👩‍👩‍👧‍👦 🇨🇳 e\u0301',
  zero: 'a\u200bb\ufeff',
  escapes: '\b\f\n\r\t"\\/\u2028\u2029',
  control: '\u0001\u001f\u007f',
  '': { 'a/b~c': [-0, 1e-7, 9007199254740991, null, true] },
};

/** JSON that two readers could understand differently. */
const UNSAFE = [
  ['"\\u0000"', '', /U\+0000/],
  ['"\\ud800 half"', '', /surrogate/],
  ['{"\\udfff":1}', '/\udfff', /surrogate/],
  ['{"__proto__":{"admin":true}}', '/__proto__', /never allowed/],
  ['{"a":1,"a":2}', '/a', /duplicate/],
  ['9007199254740993', '', /beyond/],
  [`${'['.repeat(200)}1${']'.repeat(200)}`, '/0', /deeper/],
] as const;

/** Sends a body as it is written. */
async function send(house: TestHouse, url: string, text: string) {
  const response = await house.http.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    payload: text,
  });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

const speak = (house: TestHouse, { task_id: id, lease }: Delivery, word: string, more: string) =>
  send(house, `/v1/tasks/${id}/${word}`, `{"lease":${JSON.stringify(lease)},${more}}`);

test('what is strange but sound comes through to the byte', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const given = { sql: 'x', ...STRANGE };
  const { task_id: id } = await submit(house, { payload: given });

  const held = await claimOne(house, 'sql');
  await say(house, held, 'complete', { result: { rows: [STRANGE] } });

  const ended = await task(house, id);
  assert.equal(JSON.stringify(held.payload), JSON.stringify(given));
  assert.equal(JSON.stringify(ended.result), JSON.stringify({ rows: [STRANGE] }));
});

for (const [text, pointer, why] of UNSAFE) {
  test(`a payload that is ${text.slice(0, 30)} is refused with its place, and nothing is stored`, async () => {
    await using house = await openHouse();
    await house.puller('sql', query);

    const { status, body } = await send(
      house,
      '/v1/tasks',
      `{"task_id":"a","task_type":"query","payload":{"sql":${text}}}`,
    );

    assert.equal(status, 400);
    const [fault] = body['errors'] as { pointer: string; detail: string }[];
    assert.ok(fault !== undefined);
    assert.ok(fault.pointer.startsWith(`#/payload/sql${pointer}`), fault.pointer);
    assert.match(fault.detail, why);
    await assert.rejects(task(house, 'a'), failsWith('task-not-found'));
  });

  test(`a result that is ${text.slice(0, 30)} ends its task, kept and flagged; who waits is answered`, async () => {
    await using house = await openHouse();
    await house.puller('sql', query);
    const { task_id: id } = await submit(house);
    const held = await claimOne(house, 'sql');
    const waiting = house.ask('GET', `/v1/tasks/${id}?wait=60`);
    await settled();

    const { status, body } = await speak(house, held, 'complete', `"result":{"rows":${text}}`);

    assert.deepEqual([status, body['code'], body['executed']], [400, 'unsafe-json', 'yes']);
    const failed = await waiting;
    assert.deepEqual([failed['status'], failed['cause']], ['failed', 'refused']);
    assert.match(String(failed['reason']), /^result-unreadable: .*#\/result\/rows/);
    const kept = failed['result'] as { unreadable: boolean; why: string; text: string };
    assert.equal(kept.unreadable, true);
    assert.match(kept.why, why);
    assert.match(kept.text, /^\{"rows":|^\(nested/);
    assert.ok(kept.text.isWellFormed() && !kept.text.includes('\0'));
    assert.equal((await speak(house, held, 'complete', '"result":{"rows":[]}')).status, 200);
    assert.equal((await task(house, id)).status, 'failed');
  });
}

test('a bad result beside a bad lease, or no JSON at all, is refused as any bad body', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const { task_id: id } = await submit(house);
  const held = await claimOne(house, 'sql');

  const twice = await speak(house, held, 'complete', '"lease":"x","result":"\\u0000"');
  const broken = await speak(house, held, 'complete', '"result":');

  assert.deepEqual([twice.status, twice.body['code']], [400, 'unsafe-json']);
  assert.deepEqual([broken.status, broken.body['code']], [400, 'validation-failed']);
  assert.equal((await task(house, id)).status, 'delivered');
});

test('the reason of a failure may hold anything: it is heard, escaped', async () => {
  await using house = await openHouse();
  await house.puller('sql', query);
  const { task_id: id } = await submit(house);
  const held = await claimOne(house, 'sql');

  const { status } = await speak(
    house,
    held,
    'fail',
    '"retryable":false,"reason":"model said \\u0000 \\ud83d and שלום"',
  );

  assert.equal(status, 200);
  const failed = await task(house, id);
  assert.deepEqual(
    [failed.status, failed.reason],
    ['failed', 'model said \\u0000 \\ud83d and שלום'],
  );
});

for (const [what, body] of [
  ['that is unsafe', '{"rows":["\\u0000"]}'],
  ['that is no JSON', '{"rows":[\0'],
  ['that is no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ['of 200 levels', `${'['.repeat(200)}${']'.repeat(200)}`],
] as const) {
  test(`a pushed answer ${what} is never asked for again: kept, flagged, and told at once`, async () => {
    await using house = await openHouse();
    let asked = 0;
    const answer: Machine = () => {
      asked += 1;
      const headers = { 'content-type': 'application/json' };
      return { status: 200, headers, body: Buffer.from(body) };
    };
    await house.agent('sql', query, answer);
    await house.clock.advance(1_000);
    const { task_id: id } = await submit(house);

    const waited = house.ask('GET', `/v1/tasks/${id}?wait=60`);
    const failed = await house.during(waited, 60_000);

    assert.equal(failed['status'], 'failed');
    assert.match(String(failed['reason']), /^result-unreadable: sql answered what cannot be read/);
    const kept = failed['result'] as { unreadable: boolean; text: string };
    assert.equal(kept.unreadable, true);
    assert.ok(kept.text.length > 0 && kept.text.isWellFormed() && !kept.text.includes('\0'));
    assert.equal(asked, 1);
  });
}

test('a result that was too large, then a sound one by another task: one does not spoil the other', async () => {
  await using house = await openHouse({ 'task.result.max': 1_024 });
  await house.puller('sql', query);
  await submit(house, { task_id: 'large' });
  await submit(house, { task_id: 'small' });
  const large = await claimOne(house, 'sql');
  const small = await claimOne(house, 'sql');

  await assert.rejects(
    say(house, large, 'complete', { result: { rows: ['x'.repeat(2_000)] } }),
    failsWith('payload-too-large'),
  );
  await say(house, small, 'complete', { result: rows });

  assert.equal((await task(house, 'large')).status, 'failed');
  assert.equal((await task(house, 'small')).status, 'succeeded');
});
