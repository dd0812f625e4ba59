import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What a commit of some pages costs without us: writes of 16 KiB, each with its sync, a second. */
export function syncsPerSecond(dir: string, seconds: number): number {
  const file = openSync(join(dir, 'sync'), 'w');
  const pages = Buffer.alloc(16_384, 1);
  const end = performance.now() + seconds * 1_000;
  let syncs = 0;
  for (; performance.now() < end; syncs++) {
    writeSync(file, pages, 0, pages.length, (syncs % 256) * pages.length);
    fdatasyncSync(file);
  }
  closeSync(file);
  return syncs / seconds;
}
