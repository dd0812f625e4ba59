import type { Embedder, Patience } from './embedders/embedder.ts';
import { embedMany } from './embedders/in-batches.ts';
import type { Passed } from './embedding.ts';
import type { Language } from './meaning/language.ts';
import { judgeTrial, PAIRS, type Tested } from './meaning/self-test.ts';
import type { Trust } from './meaning/sense.ts';
import { cosine } from './meaning/vectors.ts';

/** What a test of an embedder has found. */
export type Trial =
  | { is: 'failing'; why: string; waitMs: number }
  | { is: 'refused'; why: string }
  | (Omit<Passed, 'isSame'> & {
      /** By which another one under the same name is told. */
      probe: Float32Array;
      /** Languages that it was said to know and does not. */
      unknown: string[];
    });

/** Two runs of one model on one text are as good as equal. */
const SAME_MODEL = 0.98;

/** Tests an embedder in each of its languages, before anything of it counts. */
export async function tryEmbedder(
  languages: readonly Language[],
  shareMax: number,
  embedder: Embedder,
  patience: Patience,
): Promise<Trial> {
  const trust = new Map<Language, Trust>();
  const unknown: string[] = [];
  let probe: Float32Array | undefined;
  for (const language of languages) {
    const found = await tryLanguage(language, shareMax, embedder, patience);
    if ('is' in found) return found;
    if (probe !== undefined && found.probe !== undefined && probe.length !== found.probe.length) {
      const why = `Its vectors had ${probe.length} numbers, then ${found.probe.length}.`;
      return { is: 'failing', why, waitMs: 0 };
    }
    probe ??= found.probe;
    if ('trust' in found.tested) trust.set(language, found.tested.trust);
    else unknown.push(`${language}: ${found.tested.why}`);
  }
  if (trust.size === 0 || probe === undefined) {
    return { is: 'refused', why: `It does not know its languages (${unknown.join('; ')}).` };
  }
  return { is: 'passed', dims: probe.length, trust, probe, unknown };
}

/** Whether a vector of the same text is of the same model. */
export function isSameModel(before: Float32Array, now: Float32Array): boolean {
  return before.length === now.length && cosine(before, now) >= SAME_MODEL;
}

async function tryLanguage(
  language: Language,
  shareMax: number,
  embedder: Embedder,
  patience: Patience,
): Promise<
  { tested: Tested; probe: Float32Array | undefined } | Extract<Trial, { is: 'failing' }>
> {
  const pairs = PAIRS[language];
  const texts = [pairs.map(([query]) => query), pairs.map(([, passage]) => passage)] as const;
  const queries = await embedMany(texts[0], 'query', embedder, patience);
  const passages = queries.ok ? await embedMany(texts[1], 'passage', embedder, patience) : queries;
  if (!queries.ok || !passages.ok) {
    const fault = queries.ok ? passages : queries;
    const { detail: why, waitMs = 0 } = fault as Extract<typeof fault, { ok: false }>;
    return { is: 'failing', why, waitMs };
  }
  const known = [queries, passages].map(({ vectors }) =>
    vectors.filter((one) => one !== undefined),
  );
  const [asked = [], said = []] = known;
  const missing = 2 * pairs.length - asked.length - said.length;
  const probe = asked[0];
  if (missing > 0) {
    const why = `it does not take ${missing} of ${2 * pairs.length} texts`;
    return { tested: { right: 0, why }, probe };
  }
  return { tested: judgeTrial({ queries: asked, passages: said }, shareMax), probe };
}
