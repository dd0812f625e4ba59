export { ManualClock, settled } from './manual-clock.ts';
export { testRandom } from './seed.ts';
