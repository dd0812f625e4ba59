/** Longer than anything honest takes on a busy machine of two cores. */
const BOUND_MS = 30_000;
const POLL_MS = 10;

/** A wait that was longer than its bound. */
class NeverError extends Error {
  override readonly name = 'NeverError';
}

/** Asks until the answer is true, and gives it. For states that nobody announces. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  boundMs = BOUND_MS,
): Promise<NonNullable<T>> {
  const endsAt = performance.now() + boundMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (performance.now() > endsAt) throw new NeverError(`Not within ${boundMs} ms: ${what}`);
    await pause(POLL_MS);
  }
}

/** Waits for `work`, no longer than the bound. `why` adds to the complaint what is known then. */
export async function within<T>(
  what: string,
  work: Promise<T>,
  why: () => string = () => '',
  boundMs = BOUND_MS,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new NeverError(`Not within ${boundMs} ms: ${what}\n${why()}`));
  }, boundMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Between two looks, and for moments that chance chooses; never in place of a condition. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
