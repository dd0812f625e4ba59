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

/** A Redis whose memory can be made scarce. */
export interface OwnRedis extends OwnServer {
  /** Leaves it so many bytes beyond what it holds now; without a number all that there is. */
  leave(bytes?: number): void;
}

/** Starts a Redis on a port and a folder of its own; `settings` as in its file: `appendonly yes`. */
export async function startRedis(settings: readonly string[]): Promise<OwnRedis> {
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
    leave(bytes) {
      const most = bytes === undefined ? 0 : usedBytes(port) + bytes;
      tell(port, ['config', 'set', 'maxmemory', String(most)]);
    },
    async [Symbol.asyncDispose]() {
      await program.end('SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

function usedBytes(port: number): number {
  const [, used] = /^used_memory:(\d+)/m.exec(tell(port, ['info', 'memory'])) ?? [];
  if (used === undefined) throw new Error('Redis does not say how much it holds.');
  return Number(used);
}

function tell(port: number, words: readonly string[]): string {
  const args = ['-h', '127.0.0.1', '-p', String(port), ...words];
  const { status, stdout, stderr } = spawnSync('redis-cli', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`redis-cli ${words.join(' ')}: ${stderr}`);
  return stdout;
}
