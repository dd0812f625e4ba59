import type { Clock } from './clock.ts';

/** Something that runs. Stop twice is fine, stop before start is fine; stop returns when nothing runs. */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Several services as one: started in order, stopped in reverse. If one fails to start, those
 * before it are stopped again and the failure is thrown. If one fails to stop, the others are
 * stopped all the same, then the failure is thrown.
 *
 * Starts and stops take turns, however they are asked: a stop that comes in the middle of a start
 * waits for it, a second stop returns when the first one does.
 */
export function inOrder(services: readonly Service[]): Service {
  const running: Service[] = [];
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work);
    turn = done.catch(() => {}); // Whoever asked is told; the next in turn is not concerned.
    return done;
  };
  return {
    start: () => inTurn(() => startAll(services, running)),
    stop: () => inTurn(() => stopAll(running)),
  };
}

/** Starts those that do not run yet. */
async function startAll(services: readonly Service[], running: Service[]): Promise<void> {
  try {
    for (const service of services.slice(running.length)) {
      await service.start();
      running.push(service);
    }
  } catch (error) {
    // The failure to start is the cause and is what is told, even if a stop fails as well.
    await stopAll(running).catch(() => {});
    throw error;
  }
}

async function stopAll(running: Service[]): Promise<void> {
  const failures: unknown[] = [];
  for (let service = running.pop(); service !== undefined; service = running.pop()) {
    try {
      await service.stop();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'Not everything stopped cleanly.');
}

/** What a repeating piece of work needs from the house. */
export interface LoopOptions {
  clock: Clock;
  /** The pause after each round, asked anew each time (jitter). */
  pauseMs: () => number;
  round: (signal: AbortSignal) => Promise<void>;
  /** A round that throws does not end the loop; it is told here. */
  onError: (error: unknown) => void;
}

/**
 * Work that repeats until stopped, the first time after a pause. Rounds never overlap, not even
 * when the loop is stopped and started again; every `stop()` waits for the running one.
 */
export function loop(options: LoopOptions): Service {
  let run: { abort: AbortController; done: Promise<void> } | undefined;
  return {
    async start() {
      if (run !== undefined && !run.abort.signal.aborted) return;
      const abort = new AbortController();
      const before = run?.done ?? Promise.resolve();
      run = { abort, done: before.then(() => repeat(options, abort.signal)) };
    },
    async stop() {
      const current = run;
      current?.abort.abort();
      await current?.done;
    },
  };
}

async function repeat(options: LoopOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const pauseMs = options.pauseMs();
    try {
      await options.clock.sleep(pauseMs, signal);
    } catch {
      return; // Stopped while pausing.
    }
    try {
      await options.round(signal);
    } catch (error) {
      // A round that gives up because it was told to has not failed.
      if (!signal.aborted || error !== signal.reason) options.onError(error);
    }
  }
}
