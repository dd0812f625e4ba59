import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from './settings.ts';

const MAKING = { url: 'postgres://127.0.0.1/test', schema: 'reach', timeoutMs: 2_000 };

test('a session is set up once, and a transaction says what differs for it', () => {
  const { connection, openings } = settingsOf({ ...MAKING, isPooled: false });

  assert.equal(connection.connectionString, MAKING.url);
  assert.match(connection.options ?? '', /-c search_path=reach .*-c statement_timeout=2000/);
  assert.deepEqual(openings.move, ['BEGIN ISOLATION LEVEL READ COMMITTED']);
  assert.equal(openings.company[1], "SELECT set_config('lock_timeout', '500', true)");
  assert.match(openings.search[1] ?? '', /set_config\('enable_sort', 'on', true\)/);
});

test('behind a pooler nothing is left in a session', () => {
  const { connection, openings } = settingsOf({ ...MAKING, isPooled: true });

  assert.deepEqual(connection, { connectionString: MAKING.url });
  for (const [purpose, opening] of Object.entries(openings)) {
    assert.match(opening.join(), /set_config\('search_path', 'reach', true\)/, purpose);
  }
});

test('ours are said behind the session options of an address, which stay', () => {
  const url = `${MAKING.url}?options=-c%20lock_timeout%3D1234&sslmode=verify-full`;

  const { connection } = settingsOf({ ...MAKING, url, isPooled: false });

  assert.match(connection.options ?? '', /^-c lock_timeout=1234 -c search_path=reach /);
  assert.equal(connection.connectionString, `${MAKING.url}?sslmode=verify-full`);
});
