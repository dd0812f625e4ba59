import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { ConnectionFailed, failureOf, isBroken, isRace, Raced } from './failure.ts';

function answered(code: string): Error {
  return Object.assign(new Error('text of the engine'), { severity: 'ERROR', code });
}

test('a race is told from what will fail again', () => {
  for (const code of ['40001', '40P01', '23505']) assert.ok(isRace(answered(code)), code);
  for (const code of ['23514', '57014', '53100']) assert.ok(!isRace(answered(code)), code);
  assert.ok(isRace(new Raced('a queue went')));
});

test('a server that shuts down is a connection that broke; one that starts up never was one', () => {
  assert.ok(isBroken(new ConnectionFailed('reset')));
  for (const code of ['57P01', '08006']) assert.ok(isBroken(answered(code)), code);
  for (const code of ['57P03', '57014', '42P01']) assert.ok(!isBroken(answered(code)), code);
});

test('whoever asked is told what he can act on, and never the text of the engine', () => {
  const told = (error: unknown, hasCommitLeft = false) => {
    const { code, executed, message } = failureOf(error, hasCommitLeft);
    assert.doesNotMatch(message, /text of the engine/);
    return [code, executed];
  };

  assert.deepEqual(told(new ConnectionFailed('reset')), ['store-unavailable', 'no']);
  assert.deepEqual(told(new ConnectionFailed('reset'), true), ['store-unavailable', 'unknown']);
  assert.deepEqual(told(answered('23505'), true), ['store-unavailable', 'no']);
  assert.deepEqual(told(new Raced('a queue went')), ['store-unavailable', 'no']);
  assert.deepEqual(told(answered('57014'), true), ['store-unavailable', 'no']);
  assert.deepEqual(told(answered('53100'), true), ['storage-full', 'no']);
  assert.deepEqual(told(answered('23514')), ['internal', 'unknown']);
  assert.deepEqual(told(new RangeError('a limit of 1.5')), ['internal', 'unknown']);
  assert.deepEqual(told(new ReachError('storage-full', 'Full.')), ['storage-full', 'no']);
});
