import type { Channel, Ear } from '../../storage/spi/shared.ts';

/** A line in memory: what one sends all hear, but for those whose line is cut. */
export class Bus {
  readonly #ears = new Map<Channel, Ear>();
  readonly #cut = new Set<Channel>();
  /** Everything that was sent. */
  readonly sent: string[] = [];

  /** The line of one process. */
  channel(): Channel {
    const own: Channel = {
      send: (text) => this.#send(own, text),
      listen: async (ear) => {
        this.#ears.set(own, ear);
        return { [Symbol.asyncDispose]: async () => void this.#ears.delete(own) };
      },
    };
    return own;
  }

  /** Neither hears nor is heard, and does not know it. */
  cut(channel: Channel): void {
    this.#cut.add(channel);
  }

  /** The line is there again, and knows that it was not. */
  mend(channel: Channel): void {
    this.#cut.delete(channel);
    this.#ears.get(channel)?.missed();
  }

  #send(from: Channel, text: string): void {
    if (this.#cut.has(from)) return;
    this.sent.push(text);
    // Never while it is being sent: no real line answers before its caller goes on.
    queueMicrotask(() => {
      for (const [channel, ear] of this.#ears) if (!this.#cut.has(channel)) ear.heard(text);
    });
  }
}
