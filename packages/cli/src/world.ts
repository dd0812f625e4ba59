import type { Clock } from '@agent-reach/core/kernel';

/** Where text goes. */
export interface Sink {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Of a terminal, in columns. */
  readonly width: number;
}

/** Everything that a command may touch outside of itself, so that a test can run one whole. */
export interface World {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The answer, and nothing else. */
  out: Sink;
  /** Everything else. */
  err: Sink;
  /** Standard input to its end. */
  readInput(): Promise<string>;
  /** Default: the machine's own. */
  clock?: Clock;
  /** Told at each request to stop (SIGINT, SIGTERM) until disposed. */
  onStop(listener: () => void): Disposable;
  /** Keeps the process alive until disposed, while nothing else does: a pause between questions. */
  hold(): Disposable;
  /** Ends the process at once. */
  exit(code: number): void;
}
