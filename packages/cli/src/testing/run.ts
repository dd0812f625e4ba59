import { ManualClock } from '@agent-reach/core/testing';
import { main } from '../main.ts';
import type { Sink, World } from '../world.ts';

/** What a run may find. */
export interface Surroundings {
  env?: Record<string, string>;
  cwd?: string;
  /** Standard input. */
  input?: string;
  /** Columns of the terminal; without it the output goes into a pipe. */
  width?: number;
  /** Gets what a request to stop would call. */
  onStop?: (listener: () => void) => void;
  /** Default: one that nobody moves. */
  clock?: ManualClock;
  /** Told instead of ending the process. */
  onExit?: (code: number) => void;
}

/** What a run left behind. */
export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs one command line in this process. Time stands at 2026-01-01T00:00:00Z. */
export async function run(args: readonly string[], around: Surroundings = {}): Promise<Ran> {
  return begin(args, around).ended;
}

/** A run that goes on until it is stopped. */
export interface Running {
  /** What was printed so far. */
  out(): string;
  err(): string;
  /** Asks it to stop, as Ctrl-C does. */
  stop(): void;
  ended: Promise<Ran>;
}

/** Begins to run one command line. */
export function begin(args: readonly string[], around: Surroundings = {}): Running {
  const out = collect(around.width);
  const err = collect(around.width);
  const listeners = new Set<() => void>();
  const world: World = {
    env: around.env ?? {},
    cwd: around.cwd ?? import.meta.dirname,
    out,
    err,
    readInput: () => Promise.resolve(around.input ?? ''),
    clock: around.clock ?? new ManualClock(),
    onStop(listener) {
      around.onStop?.(listener);
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    hold: () => ({ [Symbol.dispose]: () => {} }),
    exit: (code) => around.onExit?.(code),
  };
  const ended = main(args, world).then((code) => ({ code, out: out.text(), err: err.text() }));
  return {
    out: () => out.text(),
    err: () => err.text(),
    stop() {
      for (const listener of listeners) listener();
    },
    ended,
  };
}

function collect(width: number | undefined): Sink & { text(): string } {
  let text = '';
  return {
    write(more) {
      text += more;
    },
    isTerminal: width !== undefined,
    width: width ?? 0,
    text: () => text,
  };
}
