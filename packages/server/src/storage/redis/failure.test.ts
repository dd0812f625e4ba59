import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReachError } from '@agent-reach/core';
import { failureOf } from './failure.ts';

test('what the server refuses is told by its code, never by its text', () => {
  const told: Record<string, string> = {
    "OOM command not allowed when used memory > 'maxmemory'.": 'storage-full',
    'MISCONF Errors writing to the AOF file: No space left on device': 'storage-full',
    'MISCONF Redis is configured to save RDB snapshots': 'store-unavailable',
    'READONLY You can not write against a read only replica.': 'store-unavailable',
    'MOVED 3999 127.0.0.1:6381': 'store-unavailable',
    'ERR user_script:12: attempt to index a nil value': 'internal',
    'percent is 0 to 100': 'internal',
  };
  for (const [text, code] of Object.entries(told)) {
    const failure = failureOf(new Error(text));
    assert.equal(failure.code, code, text);
    assert.ok(!failure.message.includes(text.slice(text.indexOf(' '))), failure.message);
    assert.equal((failure.cause as Error).message, text);
  }
});

test('what is told already is not told anew', () => {
  const known = new ReachError('store-unavailable', 'Redis did not answer.');

  assert.equal(failureOf(known), known);
});
