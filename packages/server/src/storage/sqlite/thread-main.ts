import { parentPort, workerData } from 'node:worker_threads';
import { commit } from './commit.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { perform, type Request } from './operations.ts';
import { outcomeOf } from './outcome.ts';

// The whole of a thread: a connection, and a message for each message. `thread.ts` is its other side.
const port = parentPort;
if (port === null) throw new Error('thread-main.ts is the entry of a worker thread');

const options = workerData as DatabaseOptions;
const db = new Database(options);

port.on('message', (requests: Request[] | null) => {
  if (requests === null) {
    db.close();
    port.close();
    return;
  }
  port.postMessage(
    options.writes
      ? commit(db, requests)
      : requests.map((request) => outcomeOf(() => perform(db, request))),
  );
});
