/** What a room lets others hear: typed, one kind of news a signal, no string bus. */
export interface Listenable<T> {
  /** Calls `listener` for each piece of news until the returned handle is disposed. */
  on(listener: (news: T) => void): Disposable;
}

/**
 * A typed signal. Listeners run at once, in the order they came; one that comes or goes while
 * news is told is told from the next news on, or no more. One that throws breaks neither its
 * neighbours nor the sender: its error goes to `onError`.
 */
export class Signal<T> implements Listenable<T> {
  readonly #listeners = new Set<(news: T) => void>();
  readonly #onError: (error: unknown) => void;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  on(listener: (news: T) => void): Disposable {
    // Wrapped, so that the same function may listen twice and leave once.
    const own = (news: T) => listener(news);
    this.#listeners.add(own);
    return { [Symbol.dispose]: () => void this.#listeners.delete(own) };
  }

  emit(news: T): void {
    // A copy: a listener that adds another one must not be able to make this go on for ever.
    for (const listener of Array.from(this.#listeners)) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(news);
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}
