/** What several processes that work on one store need besides its moves. */
export interface Shared {
  /** The engine's own clock, in epoch ms: what moves with `now: 'store'` are timed by. */
  time(): Promise<number>;
  readonly channel: Channel;
}

/** Texts of more bytes are not sent: PostgreSQL takes 8,000. */
export const TEXT_BYTES_MAX = 7_900;

/**
 * How processes that share a store tell each other what has changed. Hints: a text may be lost while
 * the engine or the way to it is away, and whoever listens repairs that by looking for himself.
 */
export interface Channel {
  /**
   * Tells all who listen, this process too, in the order of sending. Waits for nothing and never
   * throws: what cannot be told now is dropped. At most `TEXT_BYTES_MAX` bytes.
   */
  send(text: string): void;
  /**
   * Listens until disposed. Resolves when it hears, or when it is clear that it cannot yet; it goes
   * on trying. Throws nothing.
   */
  listen(ear: Ear): Promise<AsyncDisposable>;
}

/** Who listens. */
export interface Ear {
  heard(text: string): void;
  /** It hears again, after a time in which something may have been missed. */
  missed(): void;
}
