import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * How many hops the gateway has written so far. A recorder whose store is too slow drops some, and
 * a call that is not recorded is cheaper than it ought to be: so they are counted.
 */
export function hopCounter(dataDir: string): () => number {
  const database = new DatabaseSync(join(dataDir, 'reach.db'), { readOnly: true });
  // The highest number, not the count: old hops are forgotten while new ones come.
  const highest = database.prepare('SELECT max(seq) AS hops FROM traces');
  return () => (highest.get() as { hops: number | null }).hops ?? 0;
}
