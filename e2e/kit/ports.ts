import { once } from 'node:events';
import { createServer } from 'node:net';
import { seededRandom } from '@agent-reach/core/kernel';

/** Below the range from which systems give ports away by themselves. */
const FIRST = 20_000;
const COUNT = 10_000;
const TRIES_MAX = 50;

// Another file's process draws from the same range at the same time.
const random = seededRandom(process.pid);

/**
 * A free port that stays free while nobody listens: what is killed and started again finds its
 * place again. A port that the system gave (0) may be somebody's outgoing connection by then.
 */
export async function keptPort(): Promise<number> {
  for (let n = 0; n < TRIES_MAX; n++) {
    const port = FIRST + random.below(COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port after ${TRIES_MAX} tries.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
