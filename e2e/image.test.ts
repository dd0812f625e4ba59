import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { createClient } from '@redis/client';
import { until } from './kit/bounds.ts';
import { DEPLOY, dockerfile, imageEnv } from './kit/deployment.ts';
import { fileWide } from './kit/file-wide.ts';
import { openFolder } from './kit/folder.ts';
import { keptPort } from './kit/ports.ts';
import { Program } from './kit/program.ts';
import { dataOf, get, post } from './kit/wire.ts';

/** The image's steps, run by hand: no daemon is asked for, and none is there in CI. */
const ROOT = join(DEPLOY, '..');
const REDIS = process.env['REACH_REDIS_ADDR'] ?? '127.0.0.1:6379';
const DSN = process.env['REACH_POSTGRES_DSN'] ?? 'postgres://root@127.0.0.1:5432/test';
const MARK = `image_${process.pid}`;

const run = promisify(execFile);
let app: string;

before(async () => {
  const folder = fileWide.use(await openFolder());
  app = join(folder.path, 'app');
  for (const { word, rest } of dockerfile()) {
    if (word === 'COPY' && !rest.startsWith('--from')) copy(rest.split(' '));
    if (word === 'RUN' && rest.startsWith('npm ')) {
      const [npm = '', ...args] = rest.split(' ');
      await run(npm, [...args, '--prefer-offline'], { cwd: app });
    }
  }
});

function copy(paths: readonly string[]): void {
  for (const path of paths.slice(0, -1)) {
    const to = join(app, path);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(ROOT, path), to, {
      recursive: true,
      filter: (file) => !file.slice(ROOT.length).includes('node_modules'),
    });
  }
}

/** A gateway as its container runs it, at ports of its own. */
async function gateway(env: Record<string, string>) {
  const [business, agents] = [await keptPort(), await keptPort()];
  const ports = {
    REACH_LISTEN_BUSINESS_PORT: String(business),
    REACH_LISTEN_AGENTS_PORT: String(agents),
  };
  const folder = fileWide.use(await openFolder());
  const all = { ...imageEnv(), REACH_DATA_DIR: join(folder.path, 'data'), ...env, ...ports };
  const reach = join(app, 'packages/cli/bin/reach.mjs');
  const around = { cwd: folder.path, env: all };
  const program = fileWide.use(new Program([process.execPath, reach, 'serve', '--json'], around));
  await program.line('where it listens', (line) => line.includes('listeners') || undefined);
  return { program, env: all, url: `http://127.0.0.1:${business}` };
}

/** Ends well: the container is healthy. */
function isHealthy(env: Record<string, string>): Promise<boolean> {
  const check = [join(app, 'deploy/healthcheck.mjs')];
  return run(process.execPath, check, { env: { ...process.env, ...env } }).then(
    () => true,
    () => false,
  );
}

async function whyNoStores(): Promise<string | false> {
  const redis = createClient({ url: `redis://${REDIS}`, socket: { reconnectStrategy: false } });
  redis.on('error', () => {}); // `connect` says so.
  const pg = new Client({ connectionString: DSN, connectionTimeoutMillis: 5_000 });
  try {
    await redis.connect();
    await pg.connect();
    return false;
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    return String(error);
  } finally {
    redis.destroy();
    await pg.end().catch(() => {});
  }
}

/** Takes away what this file left in the stores that all tests share. */
async function clean(): Promise<void> {
  const redis = createClient({ url: `redis://${REDIS}` });
  await redis.connect();
  for await (const keys of redis.scanIterator({ MATCH: `{${MARK}}:*`, COUNT: 1_000 })) {
    if (keys.length > 0) await redis.del(keys);
  }
  redis.destroy();
  const pg = new Client({ connectionString: DSN });
  await pg.connect();
  await pg.query(`DROP SCHEMA IF EXISTS ${MARK} CASCADE`);
  await pg.end();
}

const AGENT = {
  name: 'worker',
  capabilities: [{ name: 'look', description: 'Looks.', effect: 'read' }],
  instance: { pull: true, instance_id: 'worker-1' },
};

test('the image runs by itself on a file, is healthy, and stops when it is told to', async () => {
  const one = await gateway({});

  const { body } = await get(`${one.url}/health`);
  assert.equal((body as { storage: string }).storage, 'sqlite');
  assert.equal(await isHealthy(one.env), true);

  assert.deepEqual(await one.program.end('SIGTERM'), { code: 0, signal: null });
  assert.equal(await isHealthy(one.env), false);
});

const skip = await whyNoStores();

test('the printed files’ gateways stand on Redis, or on both, and find each other', {
  skip,
}, async (t) => {
  t.after(clean);
  const redis = { REACH_REDIS_ADDR: REDIS, REACH_REDIS_PREFIX: MARK };
  const both = { ...redis, REACH_DB_DSN: DSN, REACH_DB_SCHEMA: MARK };

  const alone = await gateway({
    ...redis,
    REACH_STORAGE_DRIVER: 'redis',
    REACH_PROBE_INTERVAL: '5',
  });
  const { body: shown } = await get(`${alone.url}/health`);
  assert.equal((shown as { storage: string }).storage, 'redis');
  await alone.program.end('SIGTERM');

  const one = await gateway({ ...both, REACH_NODE_NAME: 'reach-server-1' });
  const two = await gateway({ ...both, REACH_NODE_NAME: 'reach-server-2' });
  for (const [node, { url, env }] of Object.entries({
    'reach-server-1': one,
    'reach-server-2': two,
  })) {
    const { body } = await get(`${url}/health`);
    const { node: said, storage } = body as { node: string; storage: string };
    assert.deepEqual([said, storage], [node, 'mixed']);
    assert.equal(await isHealthy(env), true);
  }

  await post(`${one.url}/v1/agents`, AGENT);
  await until('the other gateway knows the agent', async () => {
    const { agents } = dataOf('agents.list', await get(`${two.url}/v1/agents`));
    return agents.length === 1;
  });
  for (const { program } of [one, two]) {
    assert.deepEqual(await program.end('SIGTERM'), { code: 0, signal: null });
  }
});
