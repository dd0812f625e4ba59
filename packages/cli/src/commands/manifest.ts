import { ReachError } from '@agent-reach/core';
import { EXIT } from '../failure.ts';
import { readSource } from '../input.ts';
import { type Check, checklist } from '../render/checklist.ts';
import type { Page } from '../render/page.ts';
import { plain } from '../render/plain.ts';
import type { Session } from '../session.ts';
import type { Use } from '../use.ts';
import type { World } from '../world.ts';

/** `reach manifest check`: the joining checklist, with the gateway's own rules and without it. */
export async function checkManifest(use: Use, session: Session): Promise<number> {
  const source = use.required(0);
  const manifest = await readManifestFrom(source, session.world);
  const server = await import('@agent-reach/server');
  const items = server.checklist(manifest);
  const joins = items.every(({ verdict }) => verdict !== 'failed');
  session.answer({ joins, items }, (page) => {
    return checklist(items, page) + verdictOf(source, items, page);
  });
  return joins ? EXIT.ok : EXIT.failed;
}

function verdictOf(source: string, items: readonly Check[], page: Page): string {
  const count = (wanted: Check['verdict']) => items.filter((one) => one.verdict === wanted).length;
  const failed = count('failed');
  const verdict =
    failed === 0 ? page.paint('green', 'may join') : page.paint('red', 'may not join');
  const name = source === '-' ? 'The manifest' : plain(source);
  return `${name} ${verdict}: ${count('passed')} passed, ${count('warning')} warnings, ${failed} failed\n`;
}

/** A manifest from a file or `-`, read by the gateway's own reader: a file means the same in both. */
export async function readManifestFrom(source: string, world: World): Promise<unknown> {
  const text = await readSource(source, world);
  const { readManifest } = await import('@agent-reach/server');
  try {
    return readManifest(text, source);
  } catch (error) {
    if (!ReachError.is(error)) throw error;
    throw new ReachError(error.code, `${source}: ${error.message}`, error.facts, error);
  }
}
