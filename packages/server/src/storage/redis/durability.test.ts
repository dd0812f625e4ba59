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
function judged(facts: Partial<ServerFacts>, allowEviction = false) {
  const { log, told } = warnings();
  return { powerSafe: judge({ ...SAFE, ...facts }, allowEviction, log), told: told.join() };
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

test('one that loses more is taken as its owner set it up, and what to set is said', () => {
  const lossy: [Partial<ServerFacts>, RegExp][] = [
    [{ isLogged: false }, /since its last snapshot is lost.*appendonly yes/],
    [{ syncs: 'no' }, /half minute.*appendfsync everysec or always/],
  ];
  for (const [facts, message] of lossy) {
    const { powerSafe, told } = judged(facts);
    assert.equal(powerSafe, false);
    assert.match(told, message);
  }
});

test('one that evicts keys is refused, unless that is allowed in words', () => {
  const evicting: Partial<ServerFacts> = { evictionPolicy: 'allkeys-lru' };
  const message = /allkeys-lru.*maxmemory-policy noeviction/;

  assert.throws(() => judged(evicting), { code: 'store-unavailable', message });
  assert.equal(judged(evicting, true).powerSafe, false);
  assert.match(judged(evicting, true).told, message);
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
