import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Calibration } from '@agent-reach/server/meaning';
import { calibrate } from './calibrate.ts';
import { dataFolder, loadSets } from './data.ts';
import { observeAll } from './observe.ts';

/**
 * Writes the calibration that ships: `REACH_ROUTING_DATA=… node bench/routing/fit.ts`. To be run again
 * whenever a leg, a feature or the analysis of text changes, and formatted (`npm run format`); the same
 * data gives the same file.
 */
const FILE = join(import.meta.dirname, '../../packages/server/src/routing/meaning/calibration.ts');
const EXAMPLES = [0, 5];

function main(): void {
  const folder = dataFolder();
  if (folder === undefined) return;
  const cases = observeAll(loadSets(folder), EXAMPLES);
  const calibration = calibrate(cases);
  writeFileSync(FILE, source(calibration));
  console.log(JSON.stringify({ ...calibration, right: undefined, among: undefined }));
}

function source(calibration: Calibration): string {
  const rounded = JSON.stringify(
    calibration,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(8)) : value),
    2,
  );
  return `import type { Calibration } from './calibrator.ts';

/** Written by bench/routing/fit.ts from labelled questions; not to be edited by hand. */
export const CALIBRATION: Calibration = ${rounded};
`;
}

main();
