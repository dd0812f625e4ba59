import { parseArgs } from 'node:util';
import { BUDGETS } from '@agent-reach/server/meaning';
import { load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import { dataFolder, loadSets } from './routing/data.ts';
import { calibrationError, evaluate } from './routing/evaluate.ts';
import { measure } from './routing/latency.ts';
import { observeAll } from './routing/observe.ts';
import { accuracyTable, latencyLine } from './routing/report.ts';
import { vectorTable } from './routing/vector-counts.ts';
import { compareVectors, modelFolder } from './routing/vectors.ts';

/**
 * How well intents are read on public sets: `REACH_ROUTING_DATA=folder node bench/routing.ts
 * [--budget=1] [--shipped] [--part=accuracy --part=vectors --part=latency] [--write]`. Skipped without the
 * folder; the part with vectors without `REACH_EMBEDDER_MODELS`, a folder of models.
 */
const { values: options } = parseArgs({
  options: {
    budget: { type: 'string', default: '1' },
    shipped: { type: 'boolean', default: false },
    part: { type: 'string', multiple: true, default: ['accuracy', 'vectors', 'latency'] },
    write: { type: 'boolean', default: false },
  },
});
const EXAMPLES = [0, 5];
const CAPABILITIES = 5_000;

const NOTES = `Each set by a calibration that was fitted to sets of other origin alone, with thresholds from those as well: what a registry gets
that nobody has seen. **plain** is BM25 and character runs, half and half, with one threshold for the same budget and no questions
back. Top-1 and top-3 are of questions in scope; misrouted, asked and none of all. Every capability is taken for a read.`;

async function main(): Promise<void> {
  const folder = dataFolder();
  if (folder === undefined) return;
  const budget = BUDGETS.find((one) => one === options.budget);
  if (budget === undefined) throw new RangeError(`--budget is one of ${BUDGETS.join(', ')}.`);
  const sets = loadSets(folder);
  const parts: string[] = [];
  if (options.part.includes('accuracy')) {
    const cases = observeAll(sets, EXAMPLES);
    const error = (100 * calibrationError(cases)).toFixed(1);
    const rows = accuracyTable(evaluate(cases, budget, options.shipped));
    const by = options.shipped ? 'Judged by the calibration that ships.' : NOTES;
    parts.push(
      `Budget of misroutes: ${budget} %. ${by}`,
      ['', ...rows, ''].join('\n'),
      `Probabilities are off by ${error} points on the mean.`,
    );
  }
  const model = options.part.includes('vectors') ? modelFolder() : undefined;
  if (model !== undefined) {
    const compared = await compareVectors(sets, EXAMPLES, { folder: model, budget });
    const { embedder, shares } = compared;
    const title = `Without → with ${embedder} (its share by its own test: ${shares}), both by the calibration that ships.`;
    parts.push(['', title, '', ...vectorTable(compared), ''].join('\n'));
  }
  if (options.part.includes('latency')) {
    const before = load();
    const line = latencyLine(measure(sets, CAPABILITIES));
    parts.push(`${machineFacts()}; load ${before} → ${load()}. ${line}`);
  }
  const report = parts.join('\n');
  console.log(report);
  if (options.write) keepResults('routing', 'npm run bench -- routing --write', report);
}

await main();
