/** Waits for `work` or for the signal, whichever is first; whether it was the work. */
export async function orAborted(work: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const aborted = Promise.withResolvers<boolean>();
  const onAbort = () => aborted.resolve(false);
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([work.then(() => true), aborted.promise]);
  } finally {
    // A signal that outlives many waits must not collect their listeners.
    signal.removeEventListener('abort', onAbort);
  }
}
