import { constants } from 'node:os';
import type { Clock } from '@agent-reach/core/kernel';

/** What a process gives up before it ends. */
interface Stoppable {
  stop(): Promise<void>;
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/**
 * Ctrl-C under npm arrives twice, from the terminal and from npm. Only a second signal that comes
 * later than that is somebody who does not want to wait.
 */
const SAME_SIGNAL_MS = 500;

const running = new Set<Stoppable>();
let firstAt: number | undefined;
let clock: Clock;

/**
 * Stops `service` on SIGTERM and SIGINT, together with all others given here, and then ends the
 * process with code 0. A second signal ends it at once. Dispose when the service has stopped by
 * itself; without services the signals mean again what they meant before.
 */
export function stopOnSignal(service: Stoppable, on: Clock): Disposable {
  clock = on;
  if (running.size === 0) for (const signal of SIGNALS) process.on(signal, onSignal);
  running.add(service);
  return {
    [Symbol.dispose]() {
      running.delete(service);
      // While the process is ending the handlers stay, or a second signal would break what is left.
      if (running.size > 0 || firstAt !== undefined) return;
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}

function onSignal(signal: NodeJS.Signals): void {
  const now = clock.monotonic();
  if (firstAt === undefined) {
    firstAt = now;
    void Promise.allSettled([...running].map((service) => service.stop())).then(() =>
      process.exit(0),
    );
  } else if (now - firstAt > SAME_SIGNAL_MS) process.exit(128 + constants.signals[signal]);
}
