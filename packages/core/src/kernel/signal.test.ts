import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Signal } from './signal.ts';

function signal() {
  const errors: unknown[] = [];
  return { errors, signal: new Signal<string>((error) => errors.push(error)) };
}

test('listeners hear news at once and in the order they came', () => {
  const { signal: news } = signal();
  const heard: string[] = [];
  news.on((word) => heard.push(`first ${word}`));
  news.on((word) => heard.push(`second ${word}`));

  news.emit('a');

  assert.deepEqual(heard, ['first a', 'second a']);
});

test('news without a listener is lost in peace', () => {
  const { signal: news, errors } = signal();

  news.emit('a');

  assert.deepEqual(errors, []);
});

test('a disposed listener hears nothing more, and may be disposed twice', () => {
  const { signal: news } = signal();
  const heard: string[] = [];
  const handle = news.on((word) => heard.push(word));
  news.emit('a');

  handle[Symbol.dispose]();
  handle[Symbol.dispose]();
  news.emit('b');

  assert.deepEqual(heard, ['a']);
});

test('a function that listens twice hears twice and leaves once a handle', () => {
  const { signal: news } = signal();
  const heard: string[] = [];
  const listener = (word: string) => void heard.push(word);
  const first = news.on(listener);
  news.on(listener);
  news.emit('a');

  first[Symbol.dispose]();
  news.emit('b');

  assert.deepEqual(heard, ['a', 'a', 'b']);
});

test('a listener that throws stops neither its neighbours nor the sender', () => {
  const { signal: news, errors } = signal();
  const heard: string[] = [];
  const fault = new Error('broken');
  news.on(() => {
    throw fault;
  });
  news.on((word) => heard.push(word));

  news.emit('a');

  assert.deepEqual(heard, ['a']);
  assert.deepEqual(errors, [fault]);
});

test('a listener that goes while news is told is not told', () => {
  const { signal: news } = signal();
  const heard: string[] = [];
  news.on(() => second[Symbol.dispose]());
  const second = news.on((word) => heard.push(word));

  news.emit('a');

  assert.deepEqual(heard, []);
});

test('a listener that adds listeners does not make the news go on for ever', () => {
  const { signal: news } = signal();
  let told = 0;
  const multiply = () => {
    told++;
    news.on(multiply);
  };
  news.on(multiply);

  news.emit('a');
  assert.equal(told, 1);
  news.emit('b');
  assert.equal(told, 3);
});
