import { spawnSync } from 'node:child_process';
import { chown, mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFolder } from './folder.ts';

/** A file system of its own, of which a file that can be removed takes what should be missing. */
export interface SmallDisk extends AsyncDisposable {
  path: string;
  /** Leaves room for so many bytes; without a number all that there is. */
  leave(bytes?: number): Promise<void>;
}

/** Whose the folder is that it is mounted at. */
export interface Owner {
  uid: number;
  gid: number;
}

/** Why there can be none here; undefined: there can. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== 'linux') return 'tmpfs is known to Linux alone';
  return process.getuid?.() === 0 ? undefined : 'only root may mount a small disk';
}

export async function openSmallDisk(bytes: number, owner?: Owner): Promise<SmallDisk> {
  const folder = await openFolder();
  const path = join(folder.path, 'disk');
  const filler = join(path, 'filler');
  await mkdir(path);
  mustRun('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path]);
  if (owner !== undefined) {
    await chown(folder.path, owner.uid, owner.gid);
    await chown(path, owner.uid, owner.gid);
  }
  return {
    path,
    async leave(room) {
      await rm(filler, { force: true });
      if (room === undefined) return;
      const { bavail, bsize } = await statfs(path);
      await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - room)));
    },
    async [Symbol.asyncDispose]() {
      mustRun('umount', ['--lazy', path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

function mustRun(command: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
}
