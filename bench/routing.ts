import { parseArgs } from 'node:util';
import { BUDGETS } from '@agent-reach/server/meaning';
import { load, machineFacts } from './machine.ts';
import { keepResults } from './results.ts';
import { dataFolder, loadSets } from './routing/data.ts';
import { embedderHere } from './routing/embedder.ts';
import { calibrationError, evaluate } from './routing/evaluate.ts';
import { measureAlone } from './routing/latency.ts';
import { observeAll } from './routing/observe.ts';
import { accuracyTable, latencyTable } from './routing/report.ts';
import { vectorTable } from './routing/vector-counts.ts';
import { compareVectors } from './routing/vectors.ts';

/**
 * How well intents are read on public sets: `REACH_ROUTING_DATA=folder node bench/routing.ts
 * [--budget=1] [--shipped] [--part=accuracy --part=vectors --part=latency] [--write]`. Skipped without the
 * folder; the part with vectors without `REACH_EMBEDDER_MODELS`, a folder of models, or a set embedder.
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
const SIZES = [500, 5_000, 50_000];

const NOTES = `Each set by a calibration that was fitted to sets of other origin alone, with thresholds from those as well: what a registry gets
that nobody has seen. **plain** is BM25 and character runs, half and half, with one threshold for the same budget and no questions
back. Top-1 and top-3 are of questions in scope; misrouted, asked and none of all. Every capability is taken for a read.`;

const TIMES = `p50 / p95 / p99, best of three rounds, no embedder. **By name** is an intent that names a capability. Memory is
what the process grew by.`;

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
  const embedder = options.part.includes('vectors') ? embedderHere() : undefined;
  if (embedder !== undefined) {
    const { report, cases, wordCases } = await compareVectors(sets, EXAMPLES, { embedder, budget });
    const title = `Without → with ${report.embedder} (its share by its own test: ${report.shares}), both by the calibration that ships.`;
    const own = `The questions that it has seen, first without and then with it, both by calibrations that were fitted to other sets.`;
    const means = [wordCases, cases].flatMap((some) => meansOf(evaluate(some, budget, false)));
    const [head = '', line = ''] = accuracyTable([]);
    parts.push(
      ['', title, '', ...vectorTable(report), '', own, '', head, line, ...means, ''].join('\n'),
    );
  }
  tell('routing', parts);
  if (options.part.includes('latency')) tell('routing-latency', latencyParts());
}

function latencyParts(): string[] {
  const before = load();
  const measured = SIZES.map((capabilities) => measureAlone(capabilities));
  const facts = `${machineFacts()}; load ${before} → ${load()}. ${measured[0]?.questions ?? 0} questions`;
  return [`${facts}; ${TIMES}`, ['', ...latencyTable(measured), ''].join('\n')];
}

/** Each section by itself: times can be measured anew without the accuracy, which takes longer. */
function tell(section: string, parts: readonly string[]): void {
  if (parts.length === 0) return;
  const report = parts.join('\n');
  console.log(report);
  if (options.write) keepResults(section, 'npm run bench -- routing --write', report);
}

/** The last rows of the table. */
function meansOf(outcomes: Parameters<typeof accuracyTable>[0]): string[] {
  return accuracyTable(outcomes).filter((row) => row.startsWith('| **mean'));
}

await main();
