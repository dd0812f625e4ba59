import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { Endpoints } from './endpoints.ts';

const ABC = 'http://a, http://b,http://c';

/** Chance that begins at the first endpoint and waits for as long as may be. */
const plainChance: Random = { ...seededRandom(1), below: () => 0, next: () => 1 };

function open(given: string | readonly string[] = ABC, random = plainChance) {
  const clock = new ManualClock();
  const endpoints = new Endpoints(given, { clock, random });
  const names = () => endpoints.inTurn().map(({ url }) => url.hostname);
  const of = (name: string) =>
    endpoints.inTurn().find(({ url }) => url.hostname === name) ?? assert.fail(name);
  const fail = (name: string) => endpoints.noteFailure(of(name), clock.monotonic());
  const heal = (name: string) => endpoints.noteAnswer(of(name), clock.monotonic());
  return { clock, endpoints, names, of, fail, heal };
}

test('commas and lists mean the same, and who is named twice counts once', () => {
  assert.deepEqual(open().names(), ['a', 'b', 'c']);
  assert.deepEqual(open(['http://a,http://b', 'http://c', 'http://a/']).names(), ['a', 'b', 'c']);
});

test('what is no http URL is refused by name, an empty one too', () => {
  assert.throws(() => open('http://a,'), /The endpoint "" is not/);
  assert.throws(() => open(['http://a', 'a:8080']), /The endpoint "a:8080" is not/);
  assert.throws(() => open([]), /at least one endpoint/);
});

test('many clients begin at each of the endpoints about as often', () => {
  const random = seededRandom(20_260_101);
  const counts = new Map<string, number>();
  for (let i = 0; i < 3_000; i++) {
    const first = open(ABC, random).names()[0] ?? '';
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  assert.deepEqual([...counts.keys()].toSorted(), ['a', 'b', 'c']);
  for (const count of counts.values()) assert.ok(count > 900, String(count));
});

test('one that failed comes last until it answers, and then has its place again', () => {
  const { names, fail, heal } = open();

  fail('a');
  assert.deepEqual(names(), ['b', 'c', 'a']);
  fail('b');
  assert.deepEqual(names(), ['c', 'a', 'b'], 'of those that failed, the first to be looked at');
  heal('b');
  assert.deepEqual(names(), ['b', 'c', 'a']);
  heal('a');
  assert.deepEqual(names(), ['a', 'b', 'c']);
});

test('it is left alone for a time that doubles up to 10 s, and begins anew after an answer', async () => {
  const { clock, endpoints, fail, heal } = open();
  const waits: number[] = [];
  for (let i = 0; i < 7; i++) {
    fail('a');
    let waited = 0;
    while (endpoints.due().length === 0) {
      await clock.advance(250);
      waited += 250;
    }
    waits.push(waited);
  }
  assert.deepEqual(waits, [500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);

  heal('a');
  assert.deepEqual(endpoints.due(), []);
  fail('a');
  await clock.advance(499);
  assert.deepEqual(endpoints.due(), []);
  await clock.advance(1);
  assert.equal(endpoints.due().length, 1);
});

test('requests that break together are one failure; a late word about before changes nothing', async () => {
  const { clock, endpoints, of } = open();
  const a = of('a');
  const before = clock.monotonic();
  await clock.advance(10);

  for (let i = 0; i < 50; i++) endpoints.noteFailure(a, before);
  assert.equal(a.failures, 1);
  endpoints.noteAnswer(a, before);
  assert.equal(a.failures, 1, 'an answer to what was asked before it failed');
  endpoints.noteFailure(a, clock.monotonic());
  assert.equal(a.failures, 2);
});

test('the only endpoint is never avoided', () => {
  const { endpoints, of, fail } = open('http://a');
  fail('a');
  assert.equal(of('a').failures, 0);
  assert.deepEqual(endpoints.due(), []);
});
