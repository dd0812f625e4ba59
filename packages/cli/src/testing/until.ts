import { settled } from '@agent-reach/core/testing';

/** Turns of the event loop before a condition is given up: seconds, on any machine. */
const TURNS_MAX = 200_000;

/** Lets the event loop turn until `isTrue`: real sockets follow no clock. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  for (let turn = 0; turn < TURNS_MAX; turn++) {
    if (isTrue()) return;
    await settled();
  }
  throw new Error(`never: ${what}`);
}
