import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { openFolder } from './kit/folder.ts';
import { Gateway, reachProgram } from './kit/gateway.ts';
import { keptPort } from './kit/ports.ts';
import { Program } from './kit/program.ts';

const isThere = spawnSync('redis-server', ['--version']).status === 0;
const skip = isThere || process.env['CI'] === 'true' ? false : 'redis-server is not installed';

test('a gateway waits for a store that starts after it', { skip }, async () => {
  await using folder = await openFolder();
  const port = await keptPort();
  const asked = Promise.withResolvers<void>();
  const starting = Gateway.start({
    env: { REACH_REDIS_ADDR: `127.0.0.1:${port}` },
    heard: (complaint) => complaint.includes('is waited for') && asked.resolve(),
  });
  await Promise.race([asked.promise, starting]);

  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder.path, '--save', ''];
  await using redis = new Program(['redis-server', ...args]);

  await using gateway = await starting;
  const { body } = await gateway.get('/health');
  assert.equal((body as { storage: string }).storage, 'redis');
  assert.equal(redis.hasEnded, false);
});

test('a gateway whose store does not come ends with a failure that says so', async () => {
  const addresses = { REACH_REDIS_ADDR: '127.0.0.1', REACH_DB_DSN: 'postgres://root@127.0.0.1' };
  for (const [name, host] of Object.entries(addresses)) {
    const env = { [name]: `${host}:${await keptPort()}`, REACH_STORAGE_WAIT: '4s' };
    await using folder = await openFolder();
    await using program = reachProgram(['serve'], { cwd: folder.path, env });

    const { code } = await program.exited;

    assert.equal(code, 1, name);
    assert.match(program.complaints, /is waited for.*reach: store-unavailable/s);
  }
});
