/**
 * An agent on the SDK that does the work of the fault laboratory: it takes the time it is told,
 * notes each run in its own book, and dies or hangs where the work says so.
 *
 *     labourer.ts --book file [--name labourer] [--places 4] [--prefetch 0] [--drain 10000] [--port 0]
 *
 * With a port it has an address, and does the work that is pushed.
 */
import { randomUUID } from 'node:crypto';
import { Agent, silentLog, type Task, type TaskContext } from '@agent-reach/sdk';
import { NoteBook } from '../faultlab/notes.ts';
import { type RunNote, TYPES, type Work } from '../faultlab/work.ts';
import { flag, say } from './stage.ts';

const book = new NoteBook<RunNote>(flag('book') ?? '');

async function labour({ id, payload }: Task<Work>, ctx: TaskContext) {
  const { ms, key, seq, dies, hangs, bytes = 0 } = payload;
  const run = randomUUID();
  const about = {
    task: id,
    attempt: ctx.attempt,
    run,
    ...(key === undefined ? {} : { key }),
    ...(seq === undefined ? {} : { seq }),
  };
  book.write({ word: 'start', ...about });
  if (dies === true) process.kill(process.pid, 'SIGKILL');
  const isWhole = await rest(hangs === true ? 2 ** 31 - 1 : ms, ctx.signal);
  book.write({ word: isWhole ? 'finish' : 'abort', ...about });
  ctx.signal.throwIfAborted();
  return { run, filler: 'x'.repeat(bytes) };
}

/** Resolves with false when it was cut short. */
function rest(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    const abort = () => {
      clearTimeout(timer);
      resolve(false);
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  });
}

const port = flag('port');

const agent = new Agent({
  name: flag('name') ?? (port === undefined ? 'labourer' : 'pushed'),
  maxConcurrency: Number(flag('places') ?? 4),
  prefetch: Number(flag('prefetch') ?? 0),
  drainMs: Number(flag('drain') ?? 10_000),
  log: silentLog,
  ...(port === undefined ? {} : { port: Number(port) }),
});
if (port === undefined) {
  agent
    .handle(TYPES.work, labour, { description: 'Works.', effect: 'read' })
    .handle(TYPES.quick, labour, {
      description: 'Works, and says so once.',
      effect: 'read',
      ack: 'on-complete',
    })
    .handle(TYPES.pay, labour, {
      description: 'Works, and changes the world.',
      effect: 'write',
      idempotency: 'key',
      sensitive: false, // Its name sounds so.
    });
} else {
  agent.handle(TYPES.pushed, labour, { description: 'Works on call.', effect: 'read' });
}

await agent.start();
say('ready', { id: agent.id, pid: process.pid });
