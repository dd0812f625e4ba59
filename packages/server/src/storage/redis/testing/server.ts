import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why no server can be started here; undefined: one can. In CI that is a failure. */
export function whyNoServer(): string | undefined {
  const found = spawnSync('redis-server', ['--version'], { encoding: 'utf8' });
  if (found.status === 0) return undefined;
  const why = 'no redis-server on the path';
  if (process.env['CI'] === 'true') throw new Error(why);
  return why;
}

/** A server of a test's own, with a folder of its own. */
export interface OwnServer extends AsyncDisposable {
  readonly url: string;
  /** Ends it as a power cut ends a process, and starts it on what it left. */
  crash(): Promise<void>;
}

/** Starts a server with some settings: `appendonly`, `yes`, … */
export async function startServer(...settings: string[]): Promise<OwnServer> {
  const dir = mkdtempSync(join(tmpdir(), 'reach-redis-'));
  const port = await freePort();
  const start = () => startOn(port, dir, settings);
  let child = await start();
  const kill = async () => {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    async crash() {
      await kill();
      child = await start();
    },
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function startOn(port: number, dir: string, settings: readonly string[]) {
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  const child = spawn('redis-server', [...own, ...toFlags(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  for await (const bytes of child.stdout) {
    said += String(bytes);
    if (said.includes('Ready to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`redis-server ended: ${said}`);
  return child;
}

function toFlags(settings: readonly string[]): string[] {
  return settings.map((word, n) => (n % 2 === 0 ? `--${word}` : word));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}
