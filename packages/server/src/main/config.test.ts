import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ErrorCode } from '@agent-reach/core';
import { loadConfig, variableOf } from './config.ts';
import { driverOf } from './storage-options.ts';
import { allOptions } from './options.ts';
import { failsWith } from './testing/house.ts';

let cwd: string;
before(() => {
  cwd = mkdtempSync(join(tmpdir(), 'reach-config-'));
});
after(() => rmSync(cwd, { recursive: true }));

function load(from: {
  file?: string;
  env?: Record<string, string>;
  flags?: Record<string, unknown>;
}) {
  writeFileSync(join(cwd, 'reach.yaml'), from.file ?? '');
  return loadConfig({ cwd, env: from.env ?? {}, flags: from.flags ?? {} });
}

function shown(config: ReturnType<typeof load>, key: string) {
  return config.shown.find((option) => option.key === key);
}

function refuses(code: ErrorCode, pattern: RegExp, from: Parameters<typeof load>[0]): void {
  assert.throws(
    () => load(from),
    failsWith(code, (error) => assert.match(error.message, pattern)),
  );
}

test('a later origin wins, and each value is shown with where it comes from', () => {
  const key = 'probe.interval';
  const file = 'probe: {interval: 7}';
  const env = { REACH_PROBE_INTERVAL: '8s' };
  const flags = { [key]: '9500ms' };

  assert.deepEqual(shown(load({}), key), { key, value: 5_000, origin: 'default' });
  assert.deepEqual(shown(load({ file }), key), { key, value: 7_000, origin: 'file' });
  assert.deepEqual(shown(load({ file, env }), key), { key, value: 8_000, origin: 'environment' });
  assert.deepEqual(shown(load({ file, env, flags }), key), { key, value: 9_500, origin: 'flag' });
});

test('nested and dotted keys of the file say the same', () => {
  assert.equal(load({ file: 'probe.interval: 7' }).settings.registry.probeIntervalMs, 7_000);
  assert.equal(load({ file: 'probe:\n  interval: 7' }).settings.registry.probeIntervalMs, 7_000);
});

test('the names of the seeds work', () => {
  const env = {
    REACH_PROBE_TIMEOUT: '1',
    REACH_STORAGE_DRIVER: 'sqlite',
    REACH_DATA_DIR: '/x',
    REACH_ROUTE_CACHE_TTL: '20',
  };
  const { settings } = load({ env });

  assert.equal(settings.registry.probeTimeoutMs, 1_000);
  assert.equal(settings.storage.driver, 'sqlite');
  assert.equal(settings.storage.dataDir, '/x');
  assert.equal(settings.routing.decisionTtlMs, 20_000);
});

test('the driver is the one that the addresses call for, unless one is named', () => {
  const REDIS = { REACH_REDIS_ADDR: 'redis:6379' };
  const DB = { REACH_DB_DSN: 'postgres://reach:reach@db:5432/reach' };
  const driver = (env: Record<string, string>) => driverOf(load({ env }).settings.storage);

  assert.equal(driver({}), 'sqlite');
  assert.equal(driver(REDIS), 'redis');
  assert.equal(driver(DB), 'postgres');
  assert.equal(driver({ ...REDIS, ...DB }), 'mixed');
  assert.equal(driver({ ...REDIS, REACH_STORAGE_DRIVER: 'redis' }), 'redis');
  assert.equal(load({ env: REDIS }).settings.storage.redisAddr, 'redis://redis:6379');
});

test('a driver without its address, and an address that nobody would use, are refused with the ways out', () => {
  const REDIS = { REACH_REDIS_ADDR: 'redis:6379' };
  const DB = { REACH_DB_DSN: 'postgres://db/reach' };

  for (const [env, message] of [
    [{ REACH_STORAGE_DRIVER: 'redis' }, /redis\.addr \(REACH_REDIS_ADDR\) is not given/],
    [{ REACH_STORAGE_DRIVER: 'mixed', ...REDIS }, /db\.dsn \(REACH_DB_DSN\) is not given/],
    [{ REACH_STORAGE_DRIVER: 'redis', ...REDIS, ...DB }, /db\.dsn.*=mixed.*take db\.dsn away/],
    [{ REACH_STORAGE_DRIVER: 'postgres', ...REDIS, ...DB }, /redis\.addr.*=mixed/],
    [{ REACH_STORAGE_DRIVER: 'sqlite', ...DB }, /db\.dsn.*=auto/],
    [{ REACH_REDIS_ADDR: 'http://redis' }, /redis\.addr must be host:port/],
    [{ REACH_DB_DSN: 'mysql://db/reach' }, /db\.dsn must be postgres:/],
  ] as const) {
    refuses('validation-failed', message, { env });
  }
});

test('no password of a store is shown', () => {
  const env = {
    REACH_REDIS_ADDR: 'redis://:hidden@redis:6379',
    REACH_DB_DSN: 'postgres://reach:hidden@db:5432/reach?sslpassword=hidden',
  };

  const said = JSON.stringify(load({ env }).shown);

  assert.match(said, /redis:6379/);
  assert.match(said, /reach:\*\*\*@db:5432/);
  assert.doesNotMatch(said, /hidden/);
  refuses(
    'validation-failed',
    /^(?!.*hidden).*db\.dsn must be postgres:.*; what is said is not\b/s,
    {
      env: { REACH_DB_DSN: 'mysql://reach:hidden@db/reach' },
    },
  );
});

test('an address that lost its @ is refused by saying so, and is not shown', () => {
  for (const env of [
    { REACH_DB_DSN: 'postgres://reach:hidden:5432/reach' },
    { REACH_DB_DSN: 'reach:hidden:5432/reach' },
  ]) {
    refuses('validation-failed', /^(?!.*hidden)REACH_DB_DSN.* no @ between password and host/s, {
      env,
    });
  }
});

test('an unknown key of file or flags is refused with what is near', () => {
  refuses('validation-failed', /probe\.intervall.*probe\.interval/, {
    file: 'probe.intervall: 5',
  });
  refuses('validation-failed', /no option/, { flags: { nonsense: 1 } });
});

test('an unknown variable is only warned of: orchestrators set some of their own', () => {
  const { warnings } = load({ env: { REACH_PORT: 'tcp://10.0.0.1:80', REACH_ENDPOINT: 'x' } });

  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? '', /REACH_PORT/);
});

test('a value of the wrong form is refused by origin, key, form and value', () => {
  refuses('validation-failed', /REACH_PROBE_INTERVAL.*probe\.interval must be a duration.*"soon"/, {
    env: { REACH_PROBE_INTERVAL: 'soon' },
  });
  refuses('validation-failed', /250 to 3600000 ms/, { flags: { 'probe.interval': '249ms' } });
  refuses('validation-failed', /one of auto, sqlite, redis, postgres, mixed/, {
    env: { REACH_STORAGE_DRIVER: 'etcd' },
  });
});

test('a file that is no YAML, or named and absent, is refused by its path', () => {
  refuses('validation-failed', /reach\.yaml is not valid YAML/, { file: 'a: [' });
  refuses('not-found', /absent\.yaml/, { env: { REACH_CONFIG: 'absent.yaml' } });
});

test('a file that was made to hurt is refused, and none of it holds', () => {
  const laughs = Array.from({ length: 12 }, (_, n) => {
    const next = Array.from({ length: 9 }, () => `*a${n - 1}`).join(', ');
    return `a${n}: &a${n} ${n === 0 ? '[ha]' : `[${next}]`}`;
  });
  refuses('validation-failed', /not valid YAML.*alias/i, { file: laughs.join('\n') });
  refuses('validation-failed', /__proto__/, { file: '__proto__: {auth.mode: open}' });
  refuses('validation-failed', /constructor/, { file: 'constructor: {prototype: {x: 1}}' });
  refuses('validation-failed', /not valid YAML.*unique/i, {
    file: 'log.level: info\nlog.level: debug',
  });
  refuses('validation-failed', /auth\.mode must be/, { file: 'auth.mode: [open]' });
  refuses('validation-failed', /auth\.mode must be/, { file: 'auth: {mode: null}' });
  assert.equal(({} as Record<string, unknown>)['auth.mode'], undefined);
});

test('an address other than loopback is refused unless who asks is asked, or open mode is said', () => {
  refuses('validation-failed', /auth\.mode=required/, { flags: { 'listen.host': '0.0.0.0' } });
  refuses('validation-failed', /0\.0\.0\.0/, { flags: { 'listen.host': '127.0.0.1,0.0.0.0' } });
  load({ flags: { 'listen.host': '0.0.0.0', 'auth.mode': 'required' } });
  load({ flags: { 'listen.host': '0.0.0.0', 'auth.mode': 'open' } });
  for (const host of ['127.0.0.1', '::1', 'localhost', '127.8.8.8']) {
    load({ flags: { 'listen.host': host } });
  }
});

test('gateways that share a store and ask who one is need a key for secrets in words', () => {
  const shared = { 'auth.mode': 'required', 'redis.addr': '127.0.0.1:6379' };

  refuses('validation-failed', /secrets\.kek\.file/, { flags: shared });
  load({ flags: { ...shared, 'secrets.kek.file': '/run/kek' } });
  load({ flags: { ...shared, 'auth.mode': 'loopback' } });
  load({ flags: { 'auth.mode': 'required' } });
});

test('a gateway without any listener, and a probe longer than its interval, are refused', () => {
  refuses('validation-failed', /listen/, {
    flags: { 'listen.business.port': 'off', 'listen.agents.port': 'off' },
  });
  refuses('timeout-order', /probe\.timeout/, { env: { REACH_PROBE_TIMEOUT: '6' } });
});

test('every option has a key and a variable of its own, a default of its form, and a price', () => {
  const keys = allOptions().map(({ option }) => option.key);

  assert.equal(new Set(keys).size, keys.length);
  assert.equal(new Set(keys.map(variableOf)).size, keys.length);
  for (const { option } of allOptions()) {
    assert.ok(option.doc.length > 20, option.key);
    const raw =
      typeof option.default === 'number' && /duration/.test(option.form)
        ? `${option.default}ms`
        : option.default;
    assert.deepEqual(option.read(raw), option.default, option.key);
  }
});
