import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Issue, issuesOf, OPERATIONS, type Operation, type Problem } from '@agent-reach/core';
import { openHouse, type TestHouse } from '../../main/testing/house.ts';
import { digestOf } from '../../storage/sqlite/testing/store-digest.ts';

/**
 * Every operation starts from its valid example and is spoilt in one place. Each time: the very
 * pointer or limit in the answer, an unchanged store, and a house that still works.
 */
let house: TestHouse;
before(async () => {
  house = await openHouse({ 'http.body.max': 4096 });
});
after(() => house[Symbol.asyncDispose]());

const JSON_TYPE = { 'content-type': 'application/json' };
const table = Object.entries(OPERATIONS) as [string, Operation][];
const withBody = table.filter(([, operation]) => operation.method === 'POST');

function pathOf(operation: Operation): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(operation.example[name])),
  );
}

function bodyOf(operation: Operation): Record<string, unknown> {
  const whole = operation.wholeBody;
  if (whole !== undefined) return operation.example[whole] as Record<string, unknown>;
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  return Object.fromEntries(Object.entries(operation.example).filter(([k]) => !inPath.includes(k)));
}

async function send(operation: Operation, payload: string | Buffer, headers = JSON_TYPE) {
  const untouched = await digestOf(house.storage);
  const response = await house.http.inject({
    method: operation.method as 'POST',
    url: pathOf(operation),
    headers,
    payload,
  });
  assert.equal(await digestOf(house.storage), untouched, 'the store changed');
  assert.equal((await house.http.inject('/livez')).statusCode, 200);
  assert.match(String(response.headers['content-type']), /^application\/problem\+json/);
  const problem = response.json<Problem & { errors?: Issue[] }>();
  assert.equal(problem.status, response.statusCode);
  assert.equal('data' in problem, false);
  return problem;
}

for (const [name, operation] of withBody) {
  const body = bodyOf(operation);
  const text = JSON.stringify(body);
  const spoilt = (rest: string) => `${text.slice(0, -1)}${text === '{}' ? '' : ','}${rest}}`;

  if (operation.wholeBody === undefined) {
    test(`${name} refuses a field it does not know`, async () => {
      const problem = await send(operation, JSON.stringify({ ...body, surprise: 1 }));
      assert.equal(problem.code, 'validation-failed');
      assert.equal(problem.errors?.[0]?.pointer, '#/surprise');
    });

    for (const field of Object.keys(body)) {
      const wrong = [12.5, { a: [] }, [[]], '\u{1f4a5} !'.repeat(20), null].find(
        (value) => issuesOf(operation.input, { ...operation.example, [field]: value }).length > 0,
      );
      if (wrong === undefined) continue; // Of parameters any value is of the right type.
      test(`${name} refuses a wrong type of ${field} by its pointer`, async () => {
        const problem = await send(operation, JSON.stringify({ ...body, [field]: wrong }));
        assert.equal(problem.code, 'validation-failed');
        assert.ok(problem.errors?.[0]?.pointer.startsWith(`#/${field}`), problem.detail);
      });
    }
  }

  test(`${name} refuses a body over the limit and says the limit`, async () => {
    const problem = await send(operation, spoilt(`"pad":"${'x'.repeat(5000)}"`));
    assert.equal(problem.code, 'payload-too-large');
    assert.equal(problem.limit, 4096);
  });

  const unsafe: Record<string, [rest: string, pointer: string]> = {
    'deep nesting': [`"deep":${'['.repeat(100)}${']'.repeat(100)}`, '#/deep'],
    'a key twice': ['"k":1,"k":2', '#/k'],
    'an integer that loses digits': ['"n":9007199254740993', '#/n'],
    'a number that overflows': ['"n":1e999', '#/n'],
    __proto__: ['"__proto__":{"polluted":true}', '#/__proto__'],
    'a NUL': ['"s":"a\\u0000b"', '#/s'],
    'half a surrogate pair': ['"s":"\\ud800"', '#/s'],
  };
  for (const [fault, [rest, pointer]] of Object.entries(unsafe)) {
    test(`${name} refuses ${fault} by its pointer`, async () => {
      const problem = await send(operation, spoilt(rest));
      assert.equal(problem.code, 'unsafe-json');
      assert.ok(problem.errors?.[0]?.pointer.startsWith(pointer), JSON.stringify(problem));
      assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    });
  }

  test(`${name} refuses text that is no JSON, no UTF-8, no object`, async () => {
    for (const payload of ['{"a":', 'nonsense', Buffer.from([0x7b, 0xff, 0x7d]), '[]', '"x"']) {
      const problem = await send(operation, payload);
      assert.equal(problem.code, 'validation-failed', String(payload));
    }
  });

  test(`${name} refuses another content type`, async () => {
    for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
      const problem = await send(operation, text, { 'content-type': type });
      assert.equal(problem.code, 'unsupported-media-type', type);
    }
  });
}

for (const [name, operation] of table) {
  const properties = (operation.input as { required?: string[] }).required ?? [];
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  for (const field of properties.filter((f) => !inPath.includes(f) && f !== operation.wholeBody)) {
    test(`${name} refuses to go without ${field}`, async () => {
      const { [field]: _, ...rest } = bodyOf(operation);
      const problem = await send(operation, JSON.stringify(rest));
      assert.equal(problem.errors?.[0]?.pointer, `#/${field}`);
    });
  }
}

test('a query field that is unknown, ill-typed or said twice is refused by its pointer', async () => {
  const expected = {
    '/v1/traces?surprise=1': '#/surprise',
    '/v1/traces?limit=many': '#/limit',
    '/v1/traces?limit=0': '#/limit',
    '/v1/traces?limit=1001': '#/limit',
    '/v1/traces?limit=1&limit=2': '#/limit',
    '/v1/agents?available=yes': '#/available',
    '/v1/agents?status=fine': '#/status',
  };
  for (const [url, pointer] of Object.entries(expected)) {
    const response = await house.http.inject(url);
    assert.equal(response.statusCode, 400, url);
    assert.equal(response.json().errors[0].pointer, pointer, url);
  }
});

test('an unknown path and a wrong method are problems that say what is served', async () => {
  const nowhere = await house.http.inject('/v1/nonsense');
  assert.equal(nowhere.json().code, 'not-found');
  const wrong = await house.http.inject({ method: 'GET', url: '/v1/calls' });
  assert.equal(wrong.statusCode, 404);
  assert.match(wrong.json().detail, /POST is/);
});

test('a call that asks for nothing is told what to ask for', async () => {
  const response = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    headers: JSON_TYPE,
    payload: '{}',
  });
  assert.equal(response.json().errors[0].pointer, '#/capability');
});

test('a body and a path that disagree are refused', async () => {
  const response = await house.http.inject({
    method: 'POST',
    url: '/v1/agents/one/heartbeat',
    headers: JSON_TYPE,
    payload: JSON.stringify({ agent_id: 'two' }),
  });
  assert.equal(response.json().errors[0].pointer, '#/agent_id');
});

test('a header that may come once is refused when it comes twice', async () => {
  const response = await house.http.inject({
    method: 'POST',
    url: '/v1/calls',
    headers: { ...JSON_TYPE, 'idempotency-key': 'a, b' },
    payload: JSON.stringify({ capability: 'x' }),
  });
  assert.equal(response.json().code, 'validation-failed');
  assert.match(response.json().errors[0].pointer, /idempotency-key/);
});
