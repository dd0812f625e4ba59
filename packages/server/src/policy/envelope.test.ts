import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CallRequest,
  CallRequest as CallSchema,
  issuesOf,
  ReachError,
} from '@agent-reach/core';
import { readEnvelope, single, tagMap } from './envelope.ts';

const CALL: CallRequest = { capability: 'query' };

const read = (over: CallRequest = {}, headers: Record<string, string | string[]> = {}) => {
  const request = { ...CALL, ...over };
  // A test must not prove anything about a request that the door refuses.
  assert.deepEqual(issuesOf(CallSchema, request), []);
  return readEnvelope(request, headers);
};

function refuses(work: () => unknown, pointer: string, detail?: RegExp): void {
  assert.throws(work, (error) => {
    assert.ok(ReachError.is(error), String(error));
    assert.equal(error.code, 'validation-failed');
    assert.equal(error.facts.errors?.[0]?.pointer, pointer);
    if (detail !== undefined) assert.match(error.facts.errors?.[0]?.detail ?? '', detail);
    return true;
  });
}

test('the least request asks for a capability with no parameters', () => {
  assert.deepEqual(read(), {
    capability: 'query',
    intent: undefined,
    tags: {},
    strictTags: false,
    strategy: undefined,
    prefer: undefined,
    agent: undefined,
    version: undefined,
    params: {},
    requestId: undefined,
    idempotencyKey: undefined,
    confirmationCode: undefined,
    patienceMs: undefined,
    askedMs: undefined,
    onBehalfOf: undefined,
    userStamp: undefined,
    sourceId: undefined,
    fallback: [],
  });
});

test('action is another name of capability, and payload of params', () => {
  const envelope = readEnvelope({ action: 'crm.read', payload: { id: 1 } }, {});

  assert.equal(envelope.capability, 'crm.read');
  assert.deepEqual(envelope.params, { id: 1 });
});

test('two names of one thing may agree but not differ', () => {
  assert.equal(read({ action: 'query' }).capability, 'query');
  refuses(() => read({ action: 'other' }), '#/capability', /says query, but action says other/);
  refuses(() => read({ params: {}, payload: {} }), '#/payload');
  refuses(() => read({ params: null, payload: {} }), '#/payload');
});

test('a request must say what it wants: capability, action, intent or tags', () => {
  refuses(() => readEnvelope({}, {}), '#/capability');
  refuses(() => readEnvelope({ agent: 'shop' }, {}), '#/capability');
  refuses(() => readEnvelope({ tags: {} }, {}), '#/capability');
  refuses(() => readEnvelope({ tags: [] }, {}), '#/capability');
  assert.equal(readEnvelope({ intent: 'where is my order' }, {}).intent, 'where is my order');
  assert.deepEqual(readEnvelope({ tags: ['vip'] }, {}).tags, { vip: '' });
});

test('parameters are taken as they are, null as none', () => {
  for (const params of [{}, { a: null }, [], 0, false, '']) {
    assert.deepEqual(read({ params }).params, params);
  }
  assert.deepEqual(read({ params: null }).params, {});
});

test('a list of tags is a map of empty values, names of prototypes included', () => {
  assert.deepEqual(tagMap(undefined), {});
  assert.deepEqual(tagMap({ region: 'cn' }), { region: 'cn' });
  const map = tagMap(['__proto__', 'constructor', 'vip', 'vip']);
  assert.deepEqual(Object.keys(map).toSorted(), ['__proto__', 'constructor', 'vip']);
  assert.equal(Object.getPrototypeOf(map), Object.prototype);
  assert.equal(Object.hasOwn(map, 'toString'), false);
});

test('a map of tags is copied: what is given up later is not given up in the request', () => {
  const tags = { region: 'cn' };

  assert.notEqual(tagMap(tags), tags);
});

test('patience is the least of all that is said of it', () => {
  assert.equal(read({ timeout: 2 }).patienceMs, 2_000);
  assert.equal(read({ timeout: '1500ms' }).patienceMs, 1_500);
  assert.equal(read({ timeout_ms: 700 }).patienceMs, 700);
  assert.equal(read({ context: { deadline_ms: 600 } }).patienceMs, 600);
  assert.equal(read({}, { 'reach-deadline-ms': '500' }).patienceMs, 500);
  const all = { timeout: 2, timeout_ms: 700, context: { deadline_ms: 600 } };
  assert.equal(read(all, { 'reach-deadline-ms': '900' }).patienceMs, 600);
  assert.equal(read(all, { 'reach-deadline-ms': '1' }).patienceMs, 1);
});

test('a timeout in words has its bounds and comes back whole and short', () => {
  assert.equal(read({ timeout: '1ms' }).patienceMs, 1);
  assert.equal(read({ timeout: '60s' }).patienceMs, 60_000);
  assert.equal(read({ timeout: '1m' }).patienceMs, 60_000);
  assert.equal(read({ timeout: 1.005 }).patienceMs, 1_005);
  for (const timeout of ['0ms', '60001ms', '61s', 'soon', '-1s', '', '1e1s', 0.0001]) {
    refuses(() => read({ timeout }), '#/timeout', /must be 1ms to 60s/);
  }
  const long = 'x'.repeat(100_000);
  assert.throws(
    () => read({ timeout: long }),
    (error: Error) => error.message.length < 200,
  );
});

test('a deadline header is whole milliseconds; what is more than an hour is an hour', () => {
  const ms = (value: string) => read({}, { 'reach-deadline-ms': value }).patienceMs;

  assert.equal(ms('1'), 1);
  assert.equal(ms('3600000'), 3_600_000);
  assert.equal(ms('3600001'), 3_600_000);
  assert.equal(ms('9999999999'), 3_600_000);
  for (const value of ['0', '-1', '1.5', '1e3', ' 5', '', 'soon', '0x10', '1'.repeat(16)]) {
    refuses(() => ms(value), '#/headers/reach-deadline-ms');
  }
});

test('a key is read from its header, as a structured-field string or bare', () => {
  const key = (value: string) => read({}, { 'idempotency-key': value }).idempotencyKey;

  assert.equal(key('"k-1"'), 'k-1');
  assert.equal(key('k-1'), 'k-1');
  assert.equal(key('k'.repeat(255)), 'k'.repeat(255));
  const bad = ['', '""', '"k', 'k"', 'a b', 'a\\b', '"a\\"b"', 'é', '"k";p=1', 'k'.repeat(256)];
  for (const value of [...bad, 'a\u0000', 'a\n']) {
    refuses(() => key(value), '#/headers/idempotency-key');
  }
});

test('the key of the header must be the key of the body', () => {
  const headers = { 'idempotency-key': '"k1"' };

  assert.equal(read({ idempotency_key: 'k1' }, headers).idempotencyKey, 'k1');
  refuses(
    () => read({ idempotency_key: 'k2' }, headers),
    '#/idempotency_key',
    /says k2, but header idempotency-key says k1/,
  );
});

test('a header that may come once is refused when it comes twice', () => {
  assert.equal(single({}, 'x'), undefined);
  assert.equal(single({ x: 'a' }, 'x'), 'a');
  assert.equal(single({ x: '' }, 'x'), '');
  refuses(() => single({ x: 'a, b' }, 'x'), '#/headers/x');
  refuses(() => single({ x: ['a', 'b'] }, 'x'), '#/headers/x');
  for (const name of ['idempotency-key', 'reach-deadline-ms']) {
    refuses(() => read({}, { [name]: '5, 6' }), `#/headers/${name}`);
  }
});

test('what rides along comes from the context alone: no header of a client can say it', () => {
  const context = { on_behalf_of: 'alice', user_stamp: 'u', source_id: 's' };
  const envelope = read({ context }, { 'reach-on-behalf-of': 'mallory' });

  assert.equal(envelope.onBehalfOf, 'alice');
  assert.equal(envelope.userStamp, 'u');
  assert.equal(envelope.sourceId, 's');
  assert.equal(read({}, { 'reach-on-behalf-of': 'mallory' }).onBehalfOf, undefined);
});

test('a strategy needs what it decides by, and no name that it would not look at', () => {
  const at = '#/strategy';
  assert.equal(read({ strategy: 'exact' }).strategy, 'exact');
  assert.equal(readEnvelope({ strategy: 'semantic', intent: 'x' }, {}).strategy, 'semantic');
  assert.equal(readEnvelope({ strategy: 'tags', tags: ['eu'] }, {}).strategy, 'tags');

  refuses(() => readEnvelope({ strategy: 'exact', intent: 'x' }, {}), at, /needs a capability/);
  refuses(() => readEnvelope({ strategy: 'tags', intent: 'x' }, {}), at, /needs tags/);
  refuses(() => readEnvelope({ strategy: 'semantic', tags: ['eu'] }, {}), at, /needs an intent/);
  refuses(() => read({ strategy: 'semantic', intent: 'x' }), at, /looks at no name/);
  refuses(() => read({ strategy: 'tags', tags: ['eu'] }), at, /looks at no name/);
});
