import { type Clock, type Log, loop, type Service } from '@agent-reach/core/kernel';
import type { Storage } from '../storage/spi/storage.ts';
import { SYSTEM, TOKEN_KEY } from './token-key.ts';

const LOOK_MS = 1_000;
/** One look may have met a connection that broke; two in a row meet a store that is away. */
const FAILURES = 2;

/**
 * Looks whether a shared store answers. A gateway that is cut off from it refuses everything, and says
 * so to whoever spreads requests over gateways. The embedded store is in this process.
 */
export class StoreWatch implements Service {
  readonly #loop: Service;
  #failures = 0;

  constructor({ storage, clock, log }: { storage: Storage; clock: Clock; log: Log }) {
    const look = async () => {
      await storage.rules.get({ tenant: SYSTEM, name: TOKEN_KEY });
      await storage.tasks.get({ tenant: SYSTEM, taskId: TOKEN_KEY });
      if (this.isFailing) log.warn({}, 'the store answers again');
      this.#failures = 0;
    };
    this.#loop = loop({
      clock,
      pauseMs: () => LOOK_MS,
      round: async () => {
        if (storage.capabilities.sharedByProcesses) await look();
      },
      onError: (error) => {
        this.#failures += 1;
        if (this.#failures === FAILURES) log.error({ err: error }, 'the store does not answer');
      },
    });
  }

  get isFailing(): boolean {
    return this.#failures >= FAILURES;
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
