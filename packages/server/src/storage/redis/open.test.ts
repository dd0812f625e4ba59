import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, systemClock, systemRandom } from '@agent-reach/core/kernel';
import { openRedis } from './open.ts';

const HOUSE = { clock: systemClock, random: systemRandom(), log: silentLog };

test('an address that is none of Redis is refused, and its password is not repeated', async () => {
  for (const url of ['127.0.0.1:6379', 'http://:secret@localhost', ':secret@']) {
    await assert.rejects(openRedis({ ...HOUSE, url }), (error: Error) => {
      assert.match(error.message, /not redis:\/\/host/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  }
});

test('a prefix that would break the hash tag is refused', async () => {
  for (const prefix of ['', 'a{b}', 'a b', 'x'.repeat(65)]) {
    await assert.rejects(openRedis({ ...HOUSE, url: 'redis://localhost', prefix }), RangeError);
  }
});
