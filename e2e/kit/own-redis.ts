import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { openFolder } from './folder.ts';
import type { OwnServer } from './own-server.ts';
import { keptPort } from './ports.ts';
import { Program } from './program.ts';

/** Why none can be started here; undefined: one can. */
export function whyNoRedis(): string | undefined {
  const { status } = spawnSync('redis-server', ['--version']);
  return status === 0 ? undefined : 'no redis-server on the path';
}

/** Starts a Redis on a port and a folder of its own; `settings` as in its file: `appendonly yes`. */
export async function startRedis(settings: readonly string[]): Promise<OwnServer> {
  const folder = await openFolder();
  const port = await keptPort();
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path, '--save', ''];
  const flags = settings.flatMap((line) => {
    const [name, ...words] = line.split(' ');
    return [`--${name}`, ...words];
  });
  const launch = async () => {
    const program = new Program(['redis-server', ...own, ...flags]);
    await program.line('that it is ready', (line) => line.includes('Ready to accept') || undefined);
    return program;
  };
  let program = await launch();
  return {
    url: `redis://127.0.0.1:${port}`,
    async crash(awayMs) {
      await program.end('SIGKILL');
      await pause(awayMs);
      program = await launch();
    },
    async [Symbol.asyncDispose]() {
      await program.end('SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}
