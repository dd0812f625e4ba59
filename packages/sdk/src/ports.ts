import { type Clock, type Random, systemClock, systemRandom } from '@agent-reach/core/kernel';

/** Time and chance, so that a test can own both. */
export interface Ports {
  clock: Clock;
  random: Random;
}

/** The machine's own clock and chance. */
export const systemPorts: Ports = { clock: systemClock, random: systemRandom() };
