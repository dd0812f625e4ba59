import { OPERATIONS } from '@agent-reach/core';
import type { Clock } from '@agent-reach/core/kernel';
import type { Dispatcher } from 'undici';
import { exchange } from './exchange.ts';

/** What a look at a gateway shows: it takes work, it says that it does not, it says nothing. */
export type Seen = 'ready' | 'refusing' | 'silent';

/** A gateway that cannot say within this time whether it takes work is as good as gone. */
const LOOK_MS = 1_000;

/** Asks a gateway whether it takes work. Never rejects. */
export async function look(url: URL, dispatcher: Dispatcher, clock: Clock): Promise<Seen> {
  const isOver = new AbortController();
  using _ = clock.timer(LOOK_MS, () => isOver.abort());
  const { method, path } = OPERATIONS['system.readyz'];
  try {
    const { status } = await exchange(dispatcher, {
      origin: url.origin,
      method,
      path: pathUnder(url, path),
      headers: { accept: 'application/json' },
      signal: isOver.signal,
    });
    return status === 200 ? 'ready' : 'refusing';
  } catch {
    return 'silent';
  }
}

/** The path of an operation at a gateway that does not stand at the root of its host. */
export function pathUnder({ pathname }: URL, path: string): string {
  return pathname.replace(/\/$/, '') + path;
}
