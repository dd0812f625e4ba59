import { Worker } from 'node:worker_threads';
import type { Log } from '@agent-reach/core/kernel';
import type { DatabaseOptions } from './database.ts';
import type { Request } from './operations.ts';
import { failureOf, type Outcome } from './outcome.ts';

/** A connection on a thread of its own. Requests are served in the order they were sent. */
export interface Thread {
  /** Never rejects: if the thread is gone, that is the outcome of each request. */
  ask(requests: Request[]): Promise<Outcome[]>;
  /** Serves what was asked, then ends. */
  close(): Promise<void>;
}

/**
 * Opens a connection on a new thread. What is asked before it is ready waits there.
 *
 * A thread that dies is not started again: nothing here can end it but a machine out of memory or
 * a fault of this program, and both want a restart that somebody notices.
 */
export function startThread(options: DatabaseOptions, log: Log): Thread {
  // Beside this file, whether it runs as source or as compiled JavaScript.
  const entry = new URL(import.meta.url.replace(/thread(\.[jt]s)$/, 'thread-main$1'));
  // Without the parent's own flags: `--test` or `--inspect` are not meant for it.
  const worker = new Worker(entry, { workerData: options, execArgv: [] });
  const waiting: { size: number; answer: (outcomes: Outcome[]) => void }[] = [];
  let isGone = false;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
  const post = (message: Request[] | null) => worker.postMessage(message);

  worker.on('message', (outcomes: Outcome[]) => waiting.shift()?.answer(outcomes));
  worker.on('error', (error) => {
    log.error({ err: error }, 'A thread of the store failed; restart the gateway.');
  });
  const exited = new Promise<void>((resolve) => {
    worker.on('exit', () => {
      isGone = true;
      for (const { size, answer } of waiting.splice(0)) answer(allGone(size));
      resolve();
    });
  });

  const ask = (requests: Request[]) =>
    new Promise<Outcome[]>((answer) => {
      if (isGone) {
        answer(allGone(requests.length));
        return;
      }
      post(requests);
      waiting.push({ size: requests.length, answer });
    });

  return {
    ask: (requests) => ask(requests).catch((error: unknown) => askEach(ask, requests, error)),
    async close() {
      if (!isGone) post(null);
      await exited;
    },
  };
}

/** Something in the requests cannot be copied to another thread: find which, and let the rest go. */
async function askEach(
  ask: Thread['ask'],
  requests: Request[],
  error: unknown,
): Promise<Outcome[]> {
  const [only, ...more] = requests;
  if (only === undefined || more.length === 0) return [{ failed: failureOf(error) }];
  const each = requests.map((request) =>
    ask([request]).catch((own: unknown): Outcome[] => [{ failed: failureOf(own) }]),
  );
  return (await Promise.all(each)).flat();
}

function allGone(size: number): Outcome[] {
  const failed = {
    code: 'store-unavailable',
    detail: 'The store has stopped.',
    cause: '',
  } as const;
  return Array.from({ length: size }, () => ({ failed }));
}
