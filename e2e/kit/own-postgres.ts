import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openFolder } from './folder.ts';
import type { OwnServer } from './own-server.ts';
import { keptPort } from './ports.ts';
import { Program } from './program.ts';
import type { Owner } from './small-disk.ts';

/** Debian keeps a folder a version, the newest last. */
const BIN = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? '';
const IS_ROOT = process.getuid?.() === 0;

/** Why no cluster can be made here; undefined: one can. */
export function whyNoCluster(): string | undefined {
  if (!existsSync(join(BIN, 'initdb'))) return 'no initdb in /usr/lib/postgresql/*/bin';
  if (IS_ROOT && idOf('-u') === undefined) return 'no user postgres to run the server as';
  return undefined;
}

/** Whose its files must be: it refuses to run as root. */
export function clusterOwner(): Owner | undefined {
  return IS_ROOT ? { uid: idOf('-u') ?? 0, gid: idOf('-g') ?? 0 } : undefined;
}

/**
 * Makes a cluster in a folder of its own and starts its server, on a port of its own. `tables`: where
 * the rows go, if not there; its log of writes stays with the cluster.
 */
export async function startPostgres(tables?: string): Promise<OwnServer> {
  const folder = await openFolder();
  const dir = join(folder.path, 'cluster');
  const port = await keptPort();
  const owner = clusterOwner();
  await mkdir(dir);
  if (owner !== undefined) {
    await chown(folder.path, owner.uid, owner.gid);
    await chown(dir, owner.uid, owner.gid);
  }
  const init = ['-D', dir, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await using making = asPostgres('initdb', init);
  const { code } = await making.exited;
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${making.complaints}`);

  const launch = async () => {
    const settings = ['-D', dir, '-p', String(port), '-k', dir, '-h', '127.0.0.1'];
    // What it tells goes where it can be waited for.
    const program = asPostgres('postgres', [...settings, '-c', 'logging_collector=off']);
    await program.complained('ready to accept connections');
    return program;
  };
  let program = await launch();
  if (tables !== undefined) {
    for (const statement of [
      `CREATE TABLESPACE elsewhere LOCATION '${tables}'`,
      'ALTER DATABASE postgres SET default_tablespace = elsewhere',
    ]) {
      const at = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-c', statement];
      await using asking = asPostgres('psql', at);
      const asked = await asking.exited;
      if (asked.code !== 0) throw new Error(`psql ended with ${asked.code}: ${asking.complaints}`);
    }
  }
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async crash(awayMs) {
      // Immediate shutdown: nothing is finished or written down, the log is replayed at the start.
      await program.end('SIGQUIT');
      await pause(awayMs);
      program = await launch();
    },
    async [Symbol.asyncDispose]() {
      await program.end('SIGQUIT');
      await folder[Symbol.asyncDispose]();
    },
  };
}

function asPostgres(name: string, args: readonly string[]): Program {
  const file = join(BIN, name);
  const around = { cwd: '/' };
  const user = clusterOwner();
  return new Program([file, ...args], user === undefined ? around : { ...around, user });
}

function idOf(which: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [which, 'postgres'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}
