/** A thread that tells histories to stores in memory: it is sent seeds, and answers each in its turn. */
import { parentPort } from 'node:worker_threads';
import { tellClosely } from '../../contract/tasks-tell.ts';
import { inMemory } from './memory.ts';

let last = Promise.resolve();
parentPort?.on('message', (seed: number) => {
  last = last.then(async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    parentPort?.postMessage(await tellClosely(inMemory, seed));
  });
});
