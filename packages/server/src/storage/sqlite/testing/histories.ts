import { after } from 'node:test';
import { Worker } from 'node:worker_threads';

type Found = string | undefined;

/**
 * Tells histories on two threads: a store in memory waits for nothing, so only a second thread uses
 * the second core; and node's runner watches every promise of its own thread, which costs half of
 * what there is to do.
 */
export function tellOnThreads(): (seed: number) => Promise<Found> {
  const threads: Teller[] = [];
  after(() => Promise.all(threads.map((thread) => thread.stop())));
  let count = 0;
  return (seed) => {
    const thread = (threads[count++ % 2] ??= startTeller());
    return thread.tell(seed);
  };
}

interface Teller {
  tell(seed: number): Promise<Found>;
  stop(): Promise<unknown>;
}

function startTeller(): Teller {
  // Without the parent's own flags: `--test` is not meant for it.
  const worker = new Worker(new URL('./histories-thread.ts', import.meta.url), { execArgv: [] });
  const asked: PromiseWithResolvers<Found>[] = [];
  worker.on('message', (found: Found) => asked.shift()?.resolve(found));
  worker.on('error', (error) => {
    for (const { reject } of asked.splice(0)) reject(error);
  });
  return {
    tell(seed) {
      const answer = Promise.withResolvers<Found>();
      asked.push(answer);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
      worker.postMessage(seed);
      return answer.promise;
    },
    stop: () => worker.terminate(),
  };
}
