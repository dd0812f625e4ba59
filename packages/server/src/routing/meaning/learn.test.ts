import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLES_MAX, type ExamplesPolicy } from '@agent-reach/core';
import { LearnedBook } from '../learned-book.ts';
import { countOf, counting, learn, type Lesson, LESSONS_MAX, masked } from './learn.ts';

const AT = '2026-01-01T00:00:00.000Z';

function lesson(text: string, by: string, over: Partial<Lesson> = {}): Lesson {
  return { text, capability: 'order.status', options: ['order.status', 'b'], by, at: AT, ...over };
}

function after(...lessons: Lesson[]): ExamplesPolicy {
  return lessons.reduce<ExamplesPolicy>((doc, one) => {
    const learned = learn(doc, one);
    return 'why' in learned ? doc : learned.doc;
  }, {});
}

const rowsOf = (doc: ExamplesPolicy) => doc.capabilities?.['order.status'] ?? [];

test('numbers and addresses are left out of what is kept', () => {
  assert.equal(masked('看下ORD202501180001到哪个环节了'), '看下 到哪个环节了');
  assert.equal(masked('mail it to a.b@example.com, order 20250118'), 'mail it to , order');
  assert.deepEqual(learn({}, lesson('20250118 a@b.cc', 'a')), { why: 'empty' });
  assert.deepEqual(learn({}, lesson('😀', 'a')), { why: 'empty' });
});

test('one caller, however often, is one; a second who says alike makes it count', () => {
  const once = after(lesson('我的单子到哪了', 'a'), lesson('我的单子到哪了', 'a'));
  assert.deepEqual(learn(once, lesson('我的单子到哪了?', 'a')), { why: 'known' });
  assert.equal(rowsOf(once).length, 1);
  assert.deepEqual(counting(rowsOf(once)), []);

  const alike = after(lesson('我的单子到哪了', 'a'), lesson('我的单子到哪里了', 'b'));
  assert.equal(counting(rowsOf(alike)).length, 2);

  const unlike = after(lesson('我的单子到哪了', 'a'), lesson('has it been sent', 'b'));
  assert.deepEqual(counting(rowsOf(unlike)), []);
});

test('what an operator is sure of counts alone', () => {
  assert.equal(counting([{ text: 'x', by: ['ops'], at: AT, sure: true }]).length, 1);
});

test('a capability keeps twenty: of the two most alike the older one goes', () => {
  const words =
    'red green blue amber olive coral ivory khaki lemon mauve peach plum rose ruby sand teal wine zinc aqua jade';
  const lessons = words.split(' ').map((word) => lesson(`paint it ${word} ${word} now`, 'a'));
  assert.equal(lessons.length, EXAMPLES_MAX);
  const doc = after(...lessons, lesson('paint it amber amber noww', 'a'));

  const texts = rowsOf(doc).map(({ text }) => text);
  assert.equal(texts.length, EXAMPLES_MAX);
  assert.ok(texts.includes('paint it amber amber noww'));
  assert.ok(!texts.includes('paint it amber amber now'));
});

test('a document that is full takes no new utterance, but a second caller of a known one', () => {
  const capabilities = Object.fromEntries(
    Array.from({ length: LESSONS_MAX }, (_, i) => [
      `c${i}`,
      [{ text: `t${i}`, by: ['a'], at: AT }],
    ]),
  );
  const full: ExamplesPolicy = { capabilities };
  assert.equal(countOf(full), LESSONS_MAX);

  assert.deepEqual(learn(full, lesson('something new', 'b')), { why: 'full' });
  const again = learn(full, lesson('t', 'b', { capability: 'c1', text: 't1' }));
  assert.ok('doc' in again);
  assert.deepEqual('doc' in again && again.doc.capabilities?.['c1']?.[0]?.by, ['a', 'b']);
});

test('a name such as constructor is one like any other', () => {
  const doc = after(lesson('make it', 'a', { capability: 'constructor' }));

  assert.equal(doc.capabilities?.['constructor']?.length, 1);
});

test('a refusal of two callers holds for all but the same words, and for nothing else', () => {
  const none = { capability: undefined, options: ['a', 'b'] };
  const doc = after(lesson('play some jazz', 'a', none), lesson('play some jazz', 'b', none));
  const book = new LearnedBook();
  book.take('t', 1, doc);

  assert.deepEqual([...book.refusedFor('t', 'Play some jazz!')], ['a', 'b']);
  assert.equal(book.refusedFor('t', 'play me a song').size, 0);
  assert.equal(book.refusedFor('other', 'play some jazz').size, 0);
});

test('the book tells of those whose examples changed, and forgets nothing for an older document', () => {
  const book = new LearnedBook();
  const told: string[] = [];
  book.changed.on(({ capability }) => told.push(capability));
  const doc = after(lesson('where is it', 'a'), lesson('where is it', 'b'));

  book.take('t', 2, doc);
  book.take('t', 3, doc);
  book.take('t', 1, {});
  assert.deepEqual(told, ['order.status']);
  assert.deepEqual(book.examplesOf('t', 'order.status'), ['where is it']);

  book.take('t', 4, {});
  assert.deepEqual(told, ['order.status', 'order.status']);
  assert.deepEqual(book.examplesOf('t', 'order.status'), []);
});
