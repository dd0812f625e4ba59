import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Calibration } from '@agent-reach/server/meaning';
import { calibrate } from './calibrate.ts';
import { dataFolder, loadSets, type RoutingSet } from './data.ts';
import { embedderHere } from './embedder.ts';
import { observeAll } from './observe.ts';
import { compareVectors } from './vectors.ts';

/**
 * Writes the calibration that ships: `REACH_ROUTING_DATA=… node bench/routing/fit.ts`. To be run again
 * whenever a leg, a feature or the analysis of text changes, and formatted (`npm run format`); the same
 * data gives the same file. With `--vectors=file` it writes one for the embedder that is set into that file
 * instead, for `routing.semantic.calibration`.
 */
const { values: options } = parseArgs({ options: { vectors: { type: 'string' } } });
const FILE = join(import.meta.dirname, '../../packages/server/src/routing/meaning/calibration.ts');
const EXAMPLES = [0, 5];

async function main(): Promise<void> {
  const folder = dataFolder();
  if (folder === undefined) return;
  const { vectors: file } = options;
  if (file !== undefined) return fitVectors(loadSets(folder), file);
  const cases = observeAll(loadSets(folder), EXAMPLES);
  const calibration = calibrate(cases);
  writeFileSync(FILE, source(calibration));
  console.log(JSON.stringify({ ...calibration, right: undefined, among: undefined }));
}

/** A calibration of words and the vectors of one embedder, for `routing.semantic.calibration`. */
async function fitVectors(sets: readonly RoutingSet[], file: string): Promise<void> {
  const embedder = embedderHere();
  if (embedder === undefined) return;
  const { cases } = await compareVectors(sets, EXAMPLES, { embedder, budget: '1' });
  const calibration = calibrate(cases);
  writeFileSync(file, rounded(calibration));
  console.log(`${file}: ${calibration.fingerprint}, ${calibration.fitted.questions} questions.`);
}

function rounded(calibration: Calibration): string {
  return JSON.stringify(
    calibration,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(8)) : value),
    2,
  );
}

function source(calibration: Calibration): string {
  return `import type { Calibration } from './calibrator.ts';

/** Written by bench/routing/fit.ts from labelled questions; not to be edited by hand. */
export const CALIBRATION: Calibration = ${rounded(calibration)};
`;
}

await main();
