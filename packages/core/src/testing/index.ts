export { ManualClock, settled } from './manual-clock.ts';
export { testRandom } from './seed.ts';
export { openWire, type Wire } from './wire.ts';
