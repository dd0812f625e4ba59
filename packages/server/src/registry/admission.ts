import { ReachError } from '@agent-reach/core';
import type { Clock, Random } from '@agent-reach/core/kernel';
import { admit, type AdmissionState, NOBODY_CAME } from './admission-machine.ts';

/** So many seconds' worth may come at once: a team that starts together is no storm. */
const BURST_SECONDS = 2;

/** Takes registrations at the pace that this process can bear, whoever sends them. */
export class Admission {
  readonly #ports: { clock: Pick<Clock, 'monotonic'>; random: Random };
  readonly #perSecond: number;
  #state: AdmissionState = NOBODY_CAME;

  /** @param perSecond 0: no bound. */
  constructor(ports: { clock: Pick<Clock, 'monotonic'>; random: Random }, perSecond: number) {
    this.#ports = ports;
    this.#perSecond = perSecond;
  }

  /** Throws `rate-limited` where too many came before. */
  demand(): void {
    if (this.#perSecond === 0) return;
    const { clock, random } = this.#ports;
    const rule = { perSecond: this.#perSecond, burst: this.#perSecond * BURST_SECONDS };
    const moment = { now: clock.monotonic(), chance: () => random.next() };
    const { state, againMs } = admit(this.#state, rule, moment);
    this.#state = state;
    if (againMs === undefined) return;
    throw new ReachError(
      'rate-limited',
      `More than ${this.#perSecond} registrations a second come to this gateway; come again later.`,
      { limit: this.#perSecond, retry_after_ms: Math.ceil(againMs) },
    );
  }
}
