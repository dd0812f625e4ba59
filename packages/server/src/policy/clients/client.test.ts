import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ClientDoc,
  type KeyDoc,
  nextKid,
  RETIRING_MS,
  stateOf,
  withKey,
  withoutKey,
  withUse,
} from './client.ts';

const NOON = 1_800_000_000_000;
const BARE: ClientDoc = { kind: 'service', createdAt: NOON, keysMade: 0, keys: [] };

function made(client: ClientDoc, at = NOON): ClientDoc {
  const key: KeyDoc = { kid: nextKid(client), type: 'hmac', kept: '', createdAt: at };
  return withKey(client, key);
}

const states = ({ keys }: ClientDoc, now: number) =>
  keys.map((key) => `${key.kid} ${stateOf(key, now)}`);

test('a key that retires holds for a day to the millisecond', () => {
  const first = withUse(made(BARE), 'k1', NOON);
  const both = withUse(made(first, NOON + 5), 'k2', NOON + 10);

  assert.deepEqual(states(both, NOON + 9 + RETIRING_MS), ['k1 retiring', 'k2 active']);
  assert.deepEqual(states(both, NOON + 10 + RETIRING_MS), ['k1 revoked', 'k2 active']);
});

test('a key is first used once: the second time changes nothing', () => {
  const used = withUse(made(BARE), 'k1', NOON);

  assert.equal(withUse(used, 'k1', NOON + 1), used);
  assert.equal(withUse(used, 'k7', NOON + 1), used);
});

test('a late first use of a key that gave way revives nothing', () => {
  const first = withUse(made(BARE), 'k1', NOON);
  const third = made(made(first));

  assert.equal(withUse(third, 'k2', NOON), third);
  assert.deepEqual(states(third, NOON), ['k2 revoked', 'k1 active', 'k3 pending']);
});

test('revoking shortens the life of a key that retires, and never makes one longer', () => {
  const both = withUse(made(withUse(made(BARE), 'k1', NOON)), 'k2', NOON);
  const gone = withoutKey(both, 'k1', NOON + 1);

  assert.deepEqual(states(gone, NOON + 1), ['k1 revoked', 'k2 active']);
  assert.equal(withoutKey(gone, 'k1', NOON + 2), gone);
  assert.throws(() => withoutKey(gone, 'k3', NOON), /no key k3/);
});

test('ended keys are kept, a few, and no kid is given twice', () => {
  let client = BARE;
  for (let n = 1; n <= 20; n++) {
    client = made(client);
    client = withoutKey(client, `k${n}`, NOON);
  }

  assert.equal(client.keys.length, 7);
  assert.equal(nextKid(client), 'k21');
});
