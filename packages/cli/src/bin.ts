import { text } from 'node:stream/consumers';
import { MessageChannel } from 'node:worker_threads';
import { main } from './main.ts';
import type { Sink, World } from './world.ts';

const WIDTH_WHEN_UNKNOWN = 80;

/** Runs the command line of this process. The exit code waits for the streams to be written. */
export async function bin(): Promise<void> {
  // Nothing is left to do then. Node would take itself apart first, signal handlers before all else,
  // and for the 50 ms that this takes a second SIGTERM would make a kill out of a good end.
  process.once('beforeExit', () => process.exit());
  process.exitCode = await main(process.argv.slice(2), processWorld());
}

function processWorld(): World {
  return {
    env: process.env,
    cwd: process.cwd(),
    out: sinkOf(process.stdout),
    err: sinkOf(process.stderr),
    readInput: () => text(process.stdin),
    onStop(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return {
        [Symbol.dispose]: () => void process.off('SIGINT', listener).off('SIGTERM', listener),
      };
    },
    hold: holdProcess,
    exit: (code) => process.exit(code),
  };
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  let isClosed = false;
  // `reach agents list | head -1` closes the pipe when it has seen enough. That is no failure; what
  // else would be written has no reader.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    isClosed = true;
  });
  return {
    write(text) {
      if (!isClosed) stream.write(text);
    },
    get isTerminal() {
      return stream.isTTY;
    },
    get width() {
      return stream.columns || WIDTH_WHEN_UNKNOWN;
    },
  };
}

/** The clock's timers hold no process; a port that listens does. */
function holdProcess(): Disposable {
  const { port1 } = new MessageChannel();
  port1.ref();
  return { [Symbol.dispose]: () => port1.close() };
}
