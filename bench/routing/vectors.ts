import {
  type Budget,
  embedMany,
  type Embedder,
  interpret,
  LANGUAGES,
  languageOf,
  masked,
  readIntent,
  type Reading,
  type Sense,
  type Sensed,
  together,
  tryEmbedder,
} from '@agent-reach/server/meaning';
import { catalogueOf, type Labelled, type RoutingSet } from './data.ts';
import { type Case, observe } from './observe.ts';
import { type Compared, type Counts, count, noCounts, type VectorReport } from './vector-counts.ts';

const PATIENCE = { timeoutMs: 60_000, signal: new AbortController().signal };
const SHARE_MAX = 0.5;
/** Of a set in another language hardly a question is left. */
const QUESTIONS_MIN = 50;

/** What an embedder made of sets, with and without it. */
export interface Embedded {
  report: VectorReport;
  /** The questions that it has seen, ranked with it: a calibration of its own is fitted to them. */
  cases: readonly Case[];
  /** The same questions, ranked without. */
  wordCases: readonly Case[];
}

/** Reads all questions without and with vectors, by the calibration that ships. */
export async function compareVectors(
  sets: readonly RoutingSet[],
  examples: readonly number[],
  { embedder, budget }: { embedder: Embedder; budget: Budget },
): Promise<Embedded> {
  const trial = await tryEmbedder(LANGUAGES, SHARE_MAX, embedder, PATIENCE);
  if (trial.is !== 'passed') throw new Error(`The embedder gets no weight: ${trial.why}`);
  const compared: Compared[] = [];
  const cases: Case[] = [];
  const wordCases: Case[] = [];
  for (const set of sets) {
    for (const n of set.examples.size === 0 ? [0] : examples) {
      const prepared = await prepare(set, n, { embedder, trial });
      compared.push(compare(set, n, prepared, budget));
      const used = [...prepared.senses].filter((row): row is [Labelled, Sensed] => {
        return row[1].is === 'used';
      });
      if (used.length < QUESTIONS_MIN) continue;
      cases.push(observe(set, n, prepared, new Map(used)));
      const unseen = new Map(used.map(([labelled]) => [labelled, undefined]));
      wordCases.push(observe(set, n, prepared, unseen));
    }
  }
  const trusted = [...trial.trust].map(([name, { share }]) => `${name} ${share.toFixed(2)}`);
  const shares = [...trusted, ...trial.unknown.map((why) => `none for ${why}`)].join(', ');
  return { report: { embedder: embedder.name, shares, compared }, cases, wordCases };
}

interface By {
  embedder: Embedder;
  trial: Extract<Awaited<ReturnType<typeof tryEmbedder>>, { is: 'passed' }>;
}

/** A catalogue with its vectors, and what the embedder makes of each question. */
async function prepare(set: RoutingSet, examples: number, by: By) {
  const made = catalogueOf(set, examples);
  const { catalogue } = made;
  const { vectors } = catalogue;
  vectors.begin(by.embedder.name, by.trial.dims);
  for (const document of vectors.waiting) {
    const texts = catalogue.passagesOf(document).map((text) => (isTrusted(text, by) ? text : ''));
    vectors.set(document, together(await vectorsOf(texts, by.embedder)));
  }
  const senses = new Map<Labelled, Sense>();
  for (const labelled of set.questions) senses.set(labelled, await senseOf(labelled, by));
  return { ...made, senses };
}

function compare(
  set: RoutingSet,
  examples: number,
  { catalogue, idOf, senses }: Awaited<ReturnType<typeof prepare>>,
  budget: Budget,
): Compared {
  const outcome = { without: noCounts(), with: noCounts() };
  for (const labelled of set.questions) {
    const allowed = labelled.candidates && new Set(labelled.candidates);
    const question = {
      intent: labelled.text,
      params: labelled.payload ?? {},
      admits: (name: string) =>
        allowed === undefined || allowed.has(idOf(name)) ? ('in' as const) : ('out' as const),
    };
    const tell = (reading: Reading, counts: Counts) => count(labelled, reading, idOf, counts);
    tell(interpret(question, catalogue, { budget }), outcome.without);
    const sense = senses.get(labelled);
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
  const model = `${embedder.name}/${trial.dims}`;
  return { is: 'used', make: embedder.name, model, language, vector, trust };
}

function isTrusted(text: string, { trial }: By): boolean {
  return trial.trust.has(languageOf(text));
}
