import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { processUs } from './processor-time.ts';

/** A Redis to measure on. */
export interface RedisServer extends AsyncDisposable {
  url: string;
  version: string;
  /** How firmly it keeps what it was told: `no AOF`, or what `appendfsync` says. */
  appendfsync: string;
  what: string;
  serverUs: () => Promise<number>;
}

/** The Redis that runs already, with whatever it keeps; undefined where none does. */
export async function runningRedis(url: string): Promise<RedisServer | undefined> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {}); // `connect` says so.
  try {
    await client.connect();
  } catch {
    return undefined;
  }
  const { pid, version, isAof } = await factsOf(client);
  await client.quit();
  return {
    url,
    version,
    appendfsync: isAof ? 'AOF' : 'no AOF',
    what: isAof ? 'with an append-only file' : 'in memory: a power cut takes everything',
    serverUs: async () => processUs(pid),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A Redis of our own with an append-only file; undefined where the program is not installed. */
export async function ownRedis(
  dir: string,
  appendfsync: 'everysec' | 'always',
): Promise<RedisServer | undefined> {
  const folder = mkdtempSync(join(dir, 'redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--dir', folder, '--save', '', '--bind', '127.0.0.1'];
  const aof = ['--appendonly', 'yes', '--appendfsync', appendfsync];
  const child = spawn('redis-server', [...args, ...aof], { stdio: 'ignore' });
  const failed = once(child, 'error').then(() => true);
  const started = once(child, 'spawn').then(() => false);
  if (await Promise.race([failed, started])) return undefined;
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 50 });
  client.on('error', () => {}); // It listens in a moment.
  const { version } = await factsOf(client);
  await client.quit();
  return {
    url,
    version,
    appendfsync: `AOF ${appendfsync}`,
    what: appendfsync === 'always' ? 'synced before each answer' : 'synced once a second',
    serverUs: async () => processUs(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      // It may still be writing its last file.
      for (let tries = 0; tries < 3; tries++) {
        rmSync(folder, { recursive: true, force: true });
        await pause(20);
      }
    },
  };
}

async function factsOf(client: Redis): Promise<{ pid: number; version: string; isAof: boolean }> {
  const info = await client.info();
  const fact = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
  return {
    pid: Number(fact('process_id')),
    version: fact('redis_version'),
    isAof: fact('aof_enabled') === '1',
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
