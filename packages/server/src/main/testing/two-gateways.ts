import { Bus } from '../../peers/testing/bus.ts';
import { openShared } from './house.ts';

/** Two gateways on one store; all they know of each other goes over one line. */
export async function twoGateways(flags: Record<string, unknown> = {}) {
  const bus = new Bus();
  const one = await openShared(bus, flags);
  const two = await one.beside();
  return {
    bus,
    one,
    two,
    clock: one.clock,
    async [Symbol.asyncDispose]() {
      await two[Symbol.asyncDispose]();
      await one[Symbol.asyncDispose]();
    },
  };
}
