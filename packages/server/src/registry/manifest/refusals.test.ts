import assert from 'node:assert/strict';
import test from 'node:test';
import { ReachError } from '@agent-reach/core';
import fc from 'fast-check';
import { formA, read, refusal, refusalOf } from './testing/bodies.ts';

test('a body that is no manifest is malformed, and the forms are named', () => {
  for (const body of [null, [], 'text', 7, {}, { capabilities: [] }]) {
    assert.match(refusalOf(body), /^validation-failed #\/name is missing: a manifest has name and/);
  }
});

test('shapes are refused with pointers into the body', () => {
  assert.match(
    refusalOf(formA({ priority: 101 })),
    /^validation-failed #\/capabilities\/0\/priority/,
  );
  assert.match(
    refusalOf(formA({ effect: 'destroy' })),
    /^validation-failed #\/capabilities\/0\/effect/,
  );
  assert.match(
    refusalOf({ agent_name: 'a', capabilities: [{ name: 'x' }] }),
    /#\/capabilities\/0\/id is missing/,
  );
  assert.match(
    refusalOf({ connector: 'c', endpoint: 'http://x', name: 'a' }),
    /#\/protocol is missing/,
  );
});

test('two different schema versions are refused', () => {
  assert.match(
    refusalOf(formA({}, { schema_version: 1, manifest_schema_version: 2 })),
    /^manifest-refused #\/manifest_schema_version is 2, but schema_version is 1/,
  );
});

test('a time limit beyond what requests may ask for is refused, wherever either is said', () => {
  const cap = { max_timeout_ms: 1_000 };
  const said =
    'manifest-refused #/capabilities/0/sla/timeout_ms is 2000, and max_timeout_ms allows';

  assert.equal(refusalOf(formA({ sla: cap })), `${said} 1000`);
  assert.equal(refusalOf(formA({}, { network: { max_timeout_ms: 1_999 } })), `${said} 1999`);
  assert.deepEqual(read(formA({}, { network: { max_timeout_ms: 2_000 } })).warnings, []);
  assert.match(
    refusalOf(formA({ sla: { max_timeout_ms: 60_000 } })),
    /^timeout-order #\/capabilities\/0\/sla\/timeout_ms is 60000: the gateway would wait 66000 ms/,
  );
});

test('two capabilities of one name are refused, also when only their slugs are equal', () => {
  const body = { name: 'a', capabilities: [{ name: 'get order' }, { name: 'get-order' }] };

  assert.equal(
    refusalOf(body),
    'manifest-refused #/capabilities/1/name is "get-order", as capability 0 is called already',
  );
});

test('characters that cannot be seen are refused by code point, wherever they are', () => {
  const places: [unknown, string][] = [
    [formA({}, { name: 'a\u200bb' }), '#/name has U+200B at 1'],
    [formA({ description: 'pay \u202egnp' }), '#/capabilities/0/description has U+202E at 4'],
    [formA({ tags: { ok: '\u{e0041}' } }), '#/capabilities/0/tags/ok has U+E0041 at 0'],
    [
      formA({ input: { properties: { a: { title: '\ufeff' } } } }),
      '#/capabilities/0/input/properties/a/title has U+FEFF',
    ],
    [formA({}, { metadata: { 'a\u0000': 1 } }), '#/metadata has U+0000 at 1'],
    [formA({}, { 'x-note': '\u001b[31m' }), '#/x-note has U+001B at 0'],
  ];
  for (const [body, expected] of places) {
    assert.ok(refusalOf(body).startsWith(`manifest-refused ${expected}`), refusalOf(body));
  }
});

test('a description may have several lines, a name may not', () => {
  assert.equal(
    read(formA({ description: 'one\n\ttwo' })).manifest.capabilities[0]?.description,
    'one\n\ttwo',
  );
  assert.match(
    refusalOf(formA({}, { display_name: 'a\nb' })),
    /#\/display_name has U\+000A at 1, but must stand/,
  );
});

test('a schema that is not sound is refused where its author wrote it', () => {
  assert.match(
    refusalOf(formA({ input_schema: { order_no: { type: 'strin' } } })),
    /^manifest-refused #\/capabilities\/0\/input_schema\/order_no\/type must be one of/,
  );
  assert.match(
    refusalOf(formA({ output: { type: 'object', properties: { a: { pattern: '(?=x)' } } } })),
    /^manifest-refused #\/capabilities\/0\/output\/properties\/a\/pattern has look-around/,
  );
  assert.match(
    refusalOf(formA({ input: {}, input_schema: {} })),
    /^manifest-refused #\/capabilities\/0\/input_schema is given as "input" too/,
  );
});

test('the patterns of a whole manifest are bounded together', () => {
  const costly = (index: number) => ({
    name: `c${index}`,
    input: { pattern: `[a-z]{1,490}${index}` },
  });
  const body = (count: number) => ({
    name: 'a',
    capabilities: Array.from({ length: count }, (_, i) => costly(i)),
  });

  assert.equal(read(body(8)).manifest.capabilities.length, 8);
  assert.match(
    refusalOf(body(20)),
    /#\/capabilities\/8\/input has patterns of too many instructions/,
  );
});

test('base URLs are looked at by their text', () => {
  const unsound = [
    'ftp://a',
    'a:9001',
    '/path',
    'http://',
    'http:///x',
    'http:a',
    'http://u@a',
    'http://u:p@a',
    'http://@a',
    'http://a?x',
    'http://a#x',
    'http://a\\b',
    'http://a b',
    ' http://a',
    'javascript:alert(1)',
    'file:///etc/passwd',
  ];
  for (const base_url of unsound) {
    assert.match(
      refusalOf(formA({}, { network: { base_url } })),
      /^manifest-refused #\/network\/base_url/,
      base_url,
    );
    assert.match(
      refusalOf(formA({}, { instance: { base_url } })),
      /^manifest-refused #\/instance\/base_url/,
    );
  }
  const url = (base_url: string) =>
    read(formA({}, { network: { base_url } })).manifest.network.base_url;
  assert.equal(url('HTTP://Agent.Example:80/api//'), 'http://agent.example/api');
  assert.equal(url('https://[::1]:9001/'), 'https://[::1]:9001');
});

test('a health path is a path and nothing else', () => {
  for (const path of [
    'health',
    '//evil',
    '/a//b',
    '/a\\b',
    '/u@h',
    '/a\r\nX: y',
    '/../x',
    '/a/%2e%2e/x',
    '/.',
    '/a#b',
    '/健康',
    'http://x/h',
  ]) {
    assert.match(
      refusalOf(formA({}, { network: { health_path: path } })),
      /^manifest-refused #\/network\/health_path/,
      path,
    );
    const c = { agent_name: 'a', capabilities: [{ id: 'x' }], health_endpoint: path };
    assert.match(refusalOf(c), /^manifest-refused #\/health_endpoint/);
    const d = {
      connector: 'c',
      name: 'a',
      protocol: 'http',
      endpoint: 'internal://x',
      health_check: { type: 'p', path },
    };
    assert.match(refusalOf(d), /^manifest-refused #\/health_check\/path/);
  }
  assert.equal(
    read(formA({}, { network: { health_path: '/h?deep=1' } })).manifest.network.health_path,
    '/h?deep=1',
  );
});

test('a time limit that leaves the gateway no margin is refused with the numbers', () => {
  assert.equal(
    read(formA({ sla: { timeout_ms: 54_545 } })).manifest.capabilities[0]?.sla.timeout_ms,
    54_545,
  );
  assert.equal(
    refusalOf(formA({ sla: { timeout_ms: 54_546 } })),
    'timeout-order #/capabilities/0/sla/timeout_ms is 54546: the gateway would wait 60001 ms, and waits at most 60000 ms (call.timeout.max); longer work is a task',
  );
  const d = {
    connector: 'c',
    name: 'a',
    protocol: 'http',
    endpoint: 'internal://x',
    timeout_ms: 70_000,
  };
  assert.match(refusalOf(d), /^timeout-order #\/timeout_ms is 70000/);
});

test('a fault of another kind goes before the time limit, and both are told', () => {
  const { code, errors } = refusal(formA({ sla: { timeout_ms: 70_000 }, input: { type: 'x' } }));

  assert.equal(code, 'manifest-refused');
  assert.deepEqual(
    errors.map(({ pointer }) => pointer.split('/').at(-1)),
    ['type', 'timeout_ms'],
  );
});

test('metadata is bounded', () => {
  assert.match(
    refusalOf(formA({}, { metadata: { a: 'x'.repeat(16_400) } })),
    /^manifest-refused #\/metadata has \d+ bytes, at most 16384/,
  );
});

test('anything at all is refused in words', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      assert.throws(
        () => read(body),
        (error) => ReachError.is(error),
      );
    }),
  );
});

test('an agent is not called as an operation that stands where its own address would', () => {
  const why = 'is "changes", which no agent may be called: /v1/agents/changes is an operation';
  const capabilities = [{ name: 'x' }];

  for (const [body, at] of [
    [{ name: 'Changes', capabilities }, 'name'],
    [{ name: 'News', agent_id: 'changes', capabilities }, 'agent_id'],
    [{ agent_name: 'changes', capabilities: [{ id: 'x', name: 'x' }] }, 'agent_name'],
  ] as const) {
    assert.equal(refusalOf(body), `manifest-refused #/${at} ${why}`);
  }
  assert.equal(read({ name: 'changes-2', capabilities }).manifest.agent_id, 'changes-2');
});
