import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorCode, Executed, ReachError } from '@agent-reach/core';
import type { FetchResponse } from '@agent-reach/core/kernel';
import { readAnswer } from './read-answer.ts';
import { attempt, response } from './testing/attempt.ts';

const PROBLEM = { 'content-type': 'application/problem+json' };

function errorOf(answer: FetchResponse): ReachError {
  const outcome = readAnswer(answer, attempt());
  assert.ok(!outcome.ok, 'was taken for a result');
  assert.equal(outcome.status, answer.status);
  return outcome.error;
}

for (const status of [200, 201, 203]) {
  test(`${status} with JSON is a result`, () => {
    assert.deepEqual(readAnswer(response(status, { a: [1, null] }), attempt()), {
      ok: true,
      status,
      result: { a: [1, null] },
    });
  });
}

for (const status of [200, 204]) {
  test(`${status} without a body is the result null, whatever type it claims`, () => {
    const empty = { ...response(status), headers: {} };

    assert.deepEqual(readAnswer(empty, attempt()), { ok: true, status, result: null });
  });
}

/** What a bare status means: the code, and what is known of the execution. */
const meanings: [status: number, code: ErrorCode, executed: Executed][] = [
  [202, 'bad-response', 'unknown'],
  [205, 'bad-response', 'unknown'],
  [206, 'bad-response', 'unknown'],
  [301, 'bad-response', 'unknown'],
  [302, 'bad-response', 'unknown'],
  [304, 'bad-response', 'unknown'],
  [307, 'bad-response', 'unknown'],
  [400, 'agent-rejected', 'yes'],
  [401, 'agent-rejected', 'no'],
  [403, 'agent-rejected', 'no'],
  [404, 'agent-rejected', 'yes'],
  [405, 'agent-rejected', 'yes'],
  [408, 'agent-rejected', 'yes'],
  [409, 'agent-rejected', 'yes'],
  [418, 'agent-rejected', 'yes'],
  [421, 'stale-address', 'no'],
  [422, 'agent-rejected', 'yes'],
  [429, 'agent-busy', 'no'],
  [499, 'agent-rejected', 'yes'],
  [500, 'agent-error', 'unknown'],
  [501, 'agent-error', 'unknown'],
  [502, 'agent-error', 'unknown'],
  [503, 'agent-busy', 'unknown'],
  [504, 'deadline-exceeded', 'unknown'],
  [599, 'agent-error', 'unknown'],
];

for (const [status, code, executed] of meanings) {
  test(`a bare ${status} means ${code}, executed ${executed}`, () => {
    const error = errorOf(response(status));

    assert.equal(error.code, code);
    assert.equal(error.executed, executed);
    assert.equal(error.facts.agent, 'orders');
    assert.equal(error.facts.capability, 'query_order_status');
    assert.ok(error.message.includes('orders'), error.message);
    if (code !== 'bad-response') assert.equal(error.facts.downstream?.status, status);
  });
}

/** How far a problem document is believed when it speaks of the execution. */
const claims: [status: number, says: Executed, believed: Executed][] = [
  [400, 'no', 'yes'],
  [400, 'unknown', 'unknown'],
  [400, 'yes', 'yes'],
  [401, 'yes', 'no'],
  [403, 'unknown', 'no'],
  [409, 'no', 'yes'],
  [409, 'unknown', 'unknown'],
  [422, 'no', 'yes'],
  [421, 'yes', 'no'],
  [429, 'yes', 'no'],
  [500, 'no', 'unknown'],
  [500, 'unknown', 'unknown'],
  [500, 'yes', 'yes'],
  [502, 'no', 'unknown'],
  [504, 'no', 'unknown'],
  [503, 'no', 'no'],
  [503, 'unknown', 'unknown'],
  [503, 'yes', 'yes'],
];

for (const [status, says, believed] of claims) {
  test(`a ${status} that says executed ${says} is taken as ${believed}`, () => {
    const error = errorOf(response(status, { code: 'x', executed: says }, PROBLEM));

    assert.equal(error.executed, believed);
  });
}

test('a claim of another form is not heard', () => {
  for (const executed of ['NO', true, null, 0, ['no'], { no: 1 }]) {
    assert.equal(errorOf(response(503, { executed }, PROBLEM)).executed, 'unknown');
  }
});

test('a 503 is repeatable only where it is marked', () => {
  assert.equal(errorOf(response(503)).retryable, false);
  assert.equal(errorOf(response(503, { executed: 'no' }, PROBLEM)).retryable, true);
});

test('a 503 of an agent that is leaving says so', () => {
  const error = errorOf(response(503, { code: 'draining', executed: 'no' }, PROBLEM));

  assert.equal(error.code, 'draining');
});

test('no other word of an agent becomes a code of ours', () => {
  for (const code of ['internal', 'capability-not-found', '__proto__']) {
    assert.equal(errorOf(response(503, { code }, PROBLEM)).code, 'agent-busy');
    assert.equal(errorOf(response(400, { code }, PROBLEM)).code, 'agent-rejected');
    assert.equal(errorOf(response(500, { code }, PROBLEM)).code, 'agent-error');
  }
});

test('how long an agent asks to wait is passed on in seconds, up to an hour', () => {
  const wait = (status: number, value: string) =>
    errorOf(response(status, undefined, { 'retry-after': value })).facts.retry_after_ms;

  assert.equal(wait(503, '2'), 2_000);
  assert.equal(wait(429, '0'), 0);
  assert.equal(wait(503, '3600'), 3_600_000);
  assert.equal(wait(503, '3601'), 3_600_000);
  assert.equal(wait(503, '999999999'), 3_600_000);
  for (const other of ['', '-1', '1.5', 'soon', '9999999999', 'Wed, 21 Oct 2026 07:28:00 GMT']) {
    assert.equal(wait(503, other), undefined, other);
  }
  assert.equal(wait(500, '2'), undefined, 'nobody promised that a failure passes');
});

test('what an agent says is shown to the caller scrubbed, cut and as the agent’s own words', () => {
  const detail = `No order\r\n\u001b[31mA1\u202e\u200b\ufeff ${'x'.repeat(1_000)}`;
  const error = errorOf(response(422, { code: 'no\norder', detail }, PROBLEM));

  assert.match(error.message, /^orders refused with 422: No order {3}\[31mA1/);
  assert.doesNotMatch(error.message, /[\u0000-\u001f\u202e\u200b\ufeff]/);
  assert.ok(error.message.length < 260);
  assert.equal(error.facts.downstream?.code, 'no order');
  assert.ok((error.facts.downstream?.detail?.length ?? 999) <= 201);
});

test('foreign text is not cut to half a character', () => {
  for (const pad of ['', 'x']) {
    const detail = pad + '😀'.repeat(300);

    assert.ok(errorOf(response(500, { detail }, PROBLEM)).message.isWellFormed());
  }
});

test('a problem without words, or with words of another form, leaves the status to speak', () => {
  for (const body of ['', '{', '[]', 'null', '7', '{"detail":5,"code":{}}']) {
    const error = errorOf(response(400, body, PROBLEM));

    assert.equal(error.message, 'orders refused with 400.');
    assert.deepEqual(error.facts.downstream, { status: 400 });
  }
});

test('an error page is not read as words of the agent', () => {
  const page = response(500, '<h1>secret stack</h1>', { 'content-type': 'text/html' });

  assert.equal(errorOf(page).message, 'orders failed with 500.');
});

const unreadable: [what: string, answer: FetchResponse, why: RegExp][] = [
  ['HTML', response(200, '<p>', { 'content-type': 'text/html' }), /content type text\/html\.$/],
  ['no type', response(200, '{}', { 'content-type': '' }), /content type \(none\)\.$/],
  ['two types', response(200, '{}', { 'content-type': 'application/json, text/html' }), /type/],
  ['a type that only looks like JSON', response(200, '{}', { 'content-type': 'x/json' }), /type/],
  ['a problem as a result', response(200, '{}', PROBLEM), /a problem document with status 200\.$/],
  ['broken JSON', response(200, '{"a":'), /line 1/],
  ['a duplicate key', response(200, '{"a":1,"a":2}'), /#\/a is a duplicate key\.$/],
  ['__proto__', response(200, '{"__proto__":{}}'), /never allowed/],
  ['a number that loses digits', response(200, '{"n":9007199254740993}'), /2\^53/],
  ['a NUL', response(200, '{"s":"\\u0000"}'), /U\+0000/],
  ['half a surrogate pair', response(200, '{"s":"\\ud83d"}'), /surrogate/],
  ['nesting of 65', response(200, `${'['.repeat(65)}${']'.repeat(65)}`), /deeper than 64/],
  ['no UTF-8', { ...response(200), body: Buffer.from([0x22, 0xff, 0x22]) }, /UTF-8/],
];

for (const [what, answer, why] of unreadable) {
  test(`${what} in a 200 is a bad response, and what ran is unknown`, () => {
    const error = errorOf(answer);

    assert.equal(error.code, 'bad-response');
    assert.equal(error.executed, 'unknown');
    assert.match(error.message, why);
    assert.doesNotMatch(error.message, /\.\.$/);
  });
}

test('nesting of 64 is still a result', () => {
  const text = `${'['.repeat(64)}${']'.repeat(64)}`;

  assert.equal(readAnswer(response(200, text), attempt()).ok, true);
});

test('JSON of a kind and with a parameter is JSON', () => {
  for (const type of [
    'application/json; charset=utf-8',
    'application/vnd.shop+json',
    'APPLICATION/JSON',
  ]) {
    assert.equal(
      readAnswer(response(200, '{}', { 'content-type': type }), attempt()).ok,
      true,
      type,
    );
  }
});

test('a type that tries to write into a terminal is shown clean', () => {
  const answer = response(200, 'x', { 'content-type': `text/\u001b[2J${'y'.repeat(500)}` });
  const { message } = errorOf(answer);

  assert.doesNotMatch(message, /\u001b/);
  assert.ok(message.length < 300);
});
