import type { World } from './world.ts';

/** How long a command goes on. */
export interface Going extends Disposable {
  /** Aborted when it is asked to stop. */
  signal: AbortSignal;
  abort(): void;
}

/** A command that goes on until it is stopped: the process lives as long, pauses and all. */
export function untilStopped(world: World): Going {
  const stop = new AbortController();
  const cleanup = new DisposableStack();
  cleanup.use(world.hold());
  cleanup.use(world.onStop(() => stop.abort()));
  return {
    signal: stop.signal,
    abort: () => stop.abort(),
    [Symbol.dispose]: () => cleanup.dispose(),
  };
}
