import { readFileSync } from 'node:fs';
import { json } from '../render/plain.ts';
import type { Use } from '../use.ts';
import type { World } from '../world.ts';

/** The version of this command line; the gateway's own is in `reach health`. */
export function versionOf(): string {
  const file = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}

/** `reach version`. Loads nothing else: scripts ask it first of all. */
export function showVersion(use: Use, { out }: World): void {
  const told = { version: versionOf(), node: process.version };
  out.write(
    use.on('json')
      ? `${json(told, out.isTerminal)}\n`
      : `reach ${told.version} (node ${told.node})\n`,
  );
}
