import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, judge, type ServerFacts } from './durability.ts';
import { warnings } from './testing/words.ts';

const SAFE: ServerFacts = {
  version: '7.2.4',
  evictionPolicy: 'noeviction',
  isLogged: true,
  syncs: 'always',
};

/** What is judged of a server that differs from a safe one, and what is said of it. */
function judged(facts: Partial<ServerFacts>, allowVolatile = false) {
  const { log, told } = warnings();
  return { powerSafe: judge({ ...SAFE, ...facts }, allowVolatile, log), told: told.join() };
}

test('a server that logs and syncs everything is taken without a word', () => {
  assert.deepEqual(judged({}), { powerSafe: true, told: '' });
});

test('one that syncs every second may lose a second, and that is said', () => {
  for (const syncs of ['everysec', undefined] as const) {
    const { powerSafe, told } = judged({ syncs });
    assert.equal(powerSafe, false);
    assert.match(told, /last second/);
  }
});

test('each way to lose what was answered is refused and says what to set', () => {
  const refused: [Partial<ServerFacts>, RegExp][] = [
    [{ evictionPolicy: 'allkeys-lru' }, /maxmemory-policy noeviction/],
    [{ isLogged: false }, /appendonly yes/],
    [{ syncs: 'no' }, /appendfsync everysec or always/],
  ];
  for (const [facts, message] of refused) {
    assert.throws(() => judged(facts), { code: 'store-unavailable', message });
    assert.equal(judged(facts, true).powerSafe, false);
    assert.match(judged(facts, true).told, message);
  }
});

test('one that knows no flags of scripts is refused, whatever is allowed', () => {
  const message = /6\.2\.14; 7\.0 or newer/;
  assert.throws(() => judged({ version: '6.2.14' }, true), { code: 'store-unavailable', message });
});

test('the facts are read from what the server says of itself', () => {
  const info =
    '# Server\r\nredis_version:7.0.15\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n';

  assert.deepEqual(factsOf(info, 'everysec'), {
    version: '7.0.15',
    evictionPolicy: 'noeviction',
    isLogged: true,
    syncs: 'everysec',
  });
});
