import { type Clock, type Log, loop, type Service } from '@agent-reach/core/kernel';

/** How often the store is asked: a good quartz drifts by 2 ms in that time. */
const ASK_MS = 30_000;
/** Of several answers the quickest is the truest. */
const ASKED_AT_ONCE = 3;
/** What two machines that keep their time differ by; more is told. */
const APART_MS = 2_000;

/**
 * Wall time as the shared store counts it, so that gateways whose clocks differ agree about leases,
 * deadlines and the life of a call token. Between two questions it runs with this machine's monotonic
 * clock: setting the wall clock changes nothing. Its error is half of what an answer takes.
 *
 * Resolves when the store was asked for the first time; throws what the store throws then.
 */
export async function storeClock(
  time: () => Promise<number>,
  { clock, log }: { clock: Clock; log: Log },
): Promise<{ clock: Clock; service: Service }> {
  let anchor = { store: clock.now(), monotonic: clock.monotonic() };
  const ask = async () => {
    let quickest = Number.POSITIVE_INFINITY;
    for (let n = 0; n < ASKED_AT_ONCE; n++) {
      const asked = clock.monotonic();
      const store = await time();
      const answered = clock.monotonic();
      if (answered - asked >= quickest) continue;
      quickest = answered - asked;
      anchor = { store: store + quickest / 2, monotonic: answered };
    }
  };
  const now = () => Math.round(anchor.store + clock.monotonic() - anchor.monotonic);

  await ask();
  const apartMs = now() - clock.now();
  if (Math.abs(apartMs) > APART_MS) {
    log.warn({ apartMs }, 'the clocks of this machine and of the store differ; the store’s counts');
  }
  const service = loop({
    clock,
    pauseMs: () => ASK_MS,
    round: ask,
    onError: (error) => log.warn({ error: String(error) }, 'the store did not say what time it is'),
  });
  const kept: Clock = {
    now,
    monotonic: () => clock.monotonic(),
    timer: (delayMs, wake) => clock.timer(delayMs, wake),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
  return { clock: kept, service };
}
