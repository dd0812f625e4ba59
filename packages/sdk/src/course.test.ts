import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FetchFailure, type FetchFailureKind } from '@agent-reach/core/kernel';
import { Course, type CourseOptions, Unanswered } from './course.ts';
import type { Endpoint } from './endpoints.ts';

function endpoint(name: string, failures = 0): Endpoint {
  return { url: new URL(`http://${name}`), failures, failedAt: 0, avoidedUntil: 0 };
}

const [a, b, c] = [endpoint('a'), endpoint('b'), endpoint('c')];

function course(inTurn: readonly Endpoint[], options: Partial<CourseOptions> = {}): Course {
  return new Course(inTurn, { mayRepeat: false, isRepeat: false, ...options });
}

const unsent = () => new FetchFailure('connect', false, 'refused');
const broken = () => new FetchFailure('reset', true, 'reset');
const reply = (status: number) => ({ status, headers: {}, text: '' });

/** What the work throws, which must be that nobody answered. */
function unanswered(work: () => unknown): Unanswered {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof Unanswered, String(error));
    return error;
  }
  assert.fail('it should have thrown');
}

/** Whom the course asks when each of them fails like this. */
function asked(way: Course, failure: () => FetchFailure): string[] {
  const names: string[] = [];
  for (let at = way.next(); at !== undefined; at = way.next()) {
    names.push(at.url.hostname);
    try {
      way.failed(at, failure());
    } catch {
      return [...names, 'thrown'];
    }
  }
  return names;
}

test('what was never sent goes to each endpoint once, whatever it is', () => {
  assert.deepEqual(asked(course([a, b, c]), unsent), ['a', 'b', 'c']);
  assert.deepEqual(asked(course([a]), unsent), ['a']);
});

test('what was sent and may not be repeated ends with the first break', () => {
  assert.deepEqual(asked(course([a, b]), broken), ['a', 'thrown']);
});

test('what may be repeated is sent at most twice to an endpoint, the second time after all others', () => {
  assert.deepEqual(asked(course([a, b, c], { mayRepeat: true }), broken).join(''), 'abcabc');
  assert.deepEqual(asked(course([a], { mayRepeat: true }), broken), ['a', 'a']);
});

for (const kind of ['aborted', 'too-large', 'bad-url'] satisfies FetchFailureKind[]) {
  test(`${kind} is the same at every gateway, and ends it`, () => {
    const failure = () => new FetchFailure(kind, false, 'no');
    assert.deepEqual(asked(course([a, b], { mayRepeat: true }), failure), ['a', 'thrown']);
  });
}

test('that nobody was reached is told as not sent, with a reason for each', () => {
  const way = course([a, b]);
  way.failed(a, unsent());
  way.failed(b, unsent());

  const failure = unanswered(() => way.end());

  assert.equal(failure.sent, false);
  assert.deepEqual(
    failure.tries.map(({ endpoint: url }) => url),
    ['http://a/', 'http://b/'],
  );
});

test('one break makes the whole of it unknown, whatever came after', () => {
  const way = course([a, b], { mayRepeat: true });
  way.failed(a, broken());
  way.failed(b, unsent());
  way.failed(a, unsent());

  assert.equal(unanswered(() => way.end()).sent, true);
  const again = course([a], { isRepeat: true });
  again.failed(a, unsent());
  assert.equal(unanswered(() => again.end()).sent, true);
});

test('after a refusal those that are well are asked, and those that failed are not', () => {
  const [ill, well] = [endpoint('ill', 1), endpoint('well')];
  const way = course([a, well, ill]);
  way.next();
  way.refused(reply(503));

  assert.equal(way.next(), well);
  way.refused(reply(503));
  assert.equal(way.next(), undefined);
  assert.deepEqual(way.end(), { ...reply(503), isRepeat: false });
});

test('an answer says whether it may be about a second request', () => {
  const way = course([a, b], { mayRepeat: true });
  assert.equal(way.answered(reply(200)).isRepeat, false);
  way.failed(a, broken());
  assert.equal(way.answered(reply(200)).isRepeat, true);
});
