import type { RunNote } from './work.ts';

/** How long after a moment anything was begun; nothing if nothing was. */
export function firstStartMs(runs: readonly RunNote[], fromUs: number): number[] {
  const later = runs.filter(({ word, at }) => word === 'start' && at > fromUs);
  const first = later.toSorted((a, b) => a.at - b.at)[0];
  return first === undefined ? [] : [(first.at - fromUs) / 1_000];
}

/** When each task was begun, the first time first. */
export function startsByTask(runs: readonly RunNote[]): Map<string, RunNote[]> {
  return Map.groupBy(
    runs.filter(({ word }) => word === 'start').toSorted((a, b) => a.at - b.at),
    ({ task }) => task,
  );
}
