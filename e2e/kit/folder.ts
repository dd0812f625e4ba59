import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own, gone when it is disposed. */
export interface Folder extends AsyncDisposable {
  path: string;
}

/** Makes a folder for one test. */
export async function openFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'reach-e2e-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
