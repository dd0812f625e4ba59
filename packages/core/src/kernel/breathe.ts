/**
 * Lets whatever else waits have its turn. For long work that is done in pieces: nobody else is
 * served while a piece lasts, so one should take a few milliseconds at most.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
