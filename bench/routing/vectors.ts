import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Budget,
  embedMany,
  type Embedder,
  interpret,
  LANGUAGES,
  languageOf,
  masked,
  model2vecEmbedder,
  readIntent,
  type Reading,
  type Sense,
  together,
  tryEmbedder,
} from '@agent-reach/server/meaning';
import { catalogueOf, type Labelled, type RoutingSet } from './data.ts';
import { type Compared, type Counts, count, noCounts, type VectorReport } from './vector-counts.ts';

const PATIENCE = { timeoutMs: 60_000, signal: new AbortController().signal };
const MODEL = 'm2v-bge-base-en-64d-vq128';
const SHARE_MAX = 0.5;

/** The table that `REACH_EMBEDDER_MODELS` holds; undefined, with the reason told, when there is none. */
export function modelFolder(): string | undefined {
  const folder = process.env['REACH_EMBEDDER_MODELS'];
  const model = join(folder ?? '', MODEL);
  if (folder !== undefined && existsSync(model)) return model;
  console.log(`Skipped: REACH_EMBEDDER_MODELS names no folder with ${MODEL}.`);
  return undefined;
}

/** Reads all questions without and with vectors, by the calibration that ships. */
export async function compareVectors(
  sets: readonly RoutingSet[],
  examples: readonly number[],
  { folder, budget }: { folder: string; budget: Budget },
): Promise<VectorReport> {
  const embedder = model2vecEmbedder({ folder, batchMax: 64 }, (path) => readFile(path));
  const trial = await tryEmbedder(LANGUAGES, SHARE_MAX, embedder, PATIENCE);
  if (trial.is !== 'passed') throw new Error(`The embedder gets no weight: ${trial.why}`);
  const compared: Compared[] = [];
  for (const set of sets) {
    for (const n of set.examples.size === 0 ? [0] : examples) {
      compared.push(await compare(set, n, { embedder, trial, budget }));
    }
  }
  const trusted = [...trial.trust].map(([name, { share }]) => `${name} ${share.toFixed(2)}`);
  const shares = [...trusted, ...trial.unknown.map((why) => `none for ${why}`)].join(', ');
  return { embedder: embedder.name, shares, compared };
}

interface By {
  embedder: Embedder;
  trial: Extract<Awaited<ReturnType<typeof tryEmbedder>>, { is: 'passed' }>;
  budget: Budget;
}

async function compare(set: RoutingSet, examples: number, by: By): Promise<Compared> {
  const { catalogue, idOf } = catalogueOf(set, examples);
  const { vectors } = catalogue;
  vectors.begin(by.embedder.name, by.trial.dims);
  for (const document of vectors.waiting) {
    const texts = catalogue.passagesOf(document).map((text) => (isTrusted(text, by) ? text : ''));
    vectors.set(document, together(await vectorsOf(texts, by.embedder)));
  }
  const outcome = { without: noCounts(), with: noCounts() };
  for (const labelled of set.questions) {
    const allowed = labelled.candidates && new Set(labelled.candidates);
    const question = {
      intent: labelled.text,
      params: labelled.payload ?? {},
      admits: (name: string) =>
        allowed === undefined || allowed.has(idOf(name)) ? ('in' as const) : ('out' as const),
    };
    const sense = await senseOf(labelled, by);
    const { budget } = by;
    const tell = (reading: Reading, counts: Counts) => count(labelled, reading, idOf, counts);
    tell(interpret(question, catalogue, { budget }), outcome.without);
    tell(readIntent(question, catalogue, { budget, sense, cosineFrom: undefined }), outcome.with);
  }
  return { set: set.name, examples, ...outcome };
}

async function vectorsOf(
  texts: readonly string[],
  embedder: Embedder,
): Promise<(Float32Array | undefined)[]> {
  const made = await embedMany(texts, 'passage', embedder, PATIENCE);
  if (!made.ok) throw new Error(made.detail);
  return made.vectors;
}

async function senseOf({ text }: Labelled, { embedder, trial }: By): Promise<Sense> {
  const asked = masked(text);
  const language = languageOf(asked);
  const trust = trial.trust.get(language);
  const [vector] = trust === undefined ? [] : await vectorsOf([asked], embedder);
  if (trust === undefined || vector === undefined) {
    return { is: 'unknown-language', detail: language };
  }
  return { is: 'used', make: embedder.name, language, vector, trust };
}

function isTrusted(text: string, { trial }: By): boolean {
  return trial.trust.has(languageOf(text));
}
