import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ReachError } from '@agent-reach/core';
import type { Random } from '@agent-reach/core/kernel';
import { openVault, type Vault } from '../policy/clients/seal.ts';

/** Where the key may be. */
export interface VaultSources {
  /** The file that is named; empty: none. */
  kekFile: string;
  /** The folder of the embedded store; `:memory:`: it keeps nothing. */
  dataDir: string;
  isShared: boolean;
}

const KEK_BYTES = 32;
const FILE = 'secrets.kek';

/**
 * The vault of this gateway, opened when it is first needed: a gateway without clients needs no key.
 * The key is in the file that is named; the embedded store has one made beside it, for its owner's
 * eyes alone.
 */
export function vaultOf(sources: VaultSources, random: Random): () => Promise<Vault> {
  let opening: Promise<Vault> | undefined;
  return () => {
    opening ??= open(sources, random).catch((error: unknown) => {
      opening = undefined; // Whoever mends the file need not start again.
      throw error;
    });
    return opening;
  };
}

async function open({ kekFile, dataDir, isShared }: VaultSources, random: Random): Promise<Vault> {
  if (kekFile !== '') return openVault(await read(kekFile), random);
  if (isShared) {
    const detail =
      'The secrets of clients need a key that all gateways on this store share: name its file in secrets.kek.file.';
    throw new ReachError('validation-failed', detail);
  }
  if (dataDir === ':memory:') return openVault(random.bytes(KEK_BYTES), random);
  return openVault(await readOrMake(join(dataDir, FILE), random), random);
}

async function readOrMake(path: string, random: Random): Promise<Buffer> {
  const made = Buffer.from(random.bytes(KEK_BYTES)).toString('base64');
  try {
    await writeFile(path, `${made}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await chmod(path, 0o600);
  }
  return read(path);
}

async function read(path: string): Promise<Buffer> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    const detail = `secrets.kek.file: ${path} cannot be read.`;
    throw new ReachError('validation-failed', detail, {}, error);
  }
  const kek = Buffer.from(text, 'base64');
  if (kek.length === KEK_BYTES && kek.toString('base64') === text) return kek;
  const detail = `secrets.kek.file: ${path} must hold ${KEK_BYTES} bytes in base64, and nothing else.`;
  throw new ReachError('validation-failed', detail);
}
