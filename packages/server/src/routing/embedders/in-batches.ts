import type { Embedder, Patience, TextKind, Unembedded } from './embedder.ts';

/** Vectors of many texts; undefined: this text was not taken. */
type Many = { ok: true; vectors: (Float32Array | undefined)[] } | Unembedded;

/**
 * Embeds any number of texts, one request after the other. A batch that is not taken is halved until
 * it is, so that one text which nobody takes is left out alone.
 */
export async function embedMany(
  texts: readonly string[],
  kind: TextKind,
  embedder: Embedder,
  patience: Patience,
): Promise<Many> {
  const vectors: (Float32Array | undefined)[] = [];
  for (let from = 0; from < texts.length; from += embedder.batchMax) {
    const some = await halving(
      texts.slice(from, from + embedder.batchMax),
      kind,
      embedder,
      patience,
    );
    if (!some.ok) return some;
    vectors.push(...some.vectors);
  }
  return { ok: true, vectors };
}

async function halving(
  texts: readonly string[],
  kind: TextKind,
  embedder: Embedder,
  patience: Patience,
): Promise<Many> {
  const answer = await embedder.embed(texts, kind, patience);
  if (answer.ok) return { ok: true, vectors: [...answer.vectors] };
  if (answer.fault !== 'not-taken') return answer;
  if (texts.length === 1) return { ok: true, vectors: [undefined] };
  const middle = Math.ceil(texts.length / 2);
  const first = await halving(texts.slice(0, middle), kind, embedder, patience);
  if (!first.ok) return first;
  const rest = await halving(texts.slice(middle), kind, embedder, patience);
  return rest.ok ? { ok: true, vectors: [...first.vectors, ...rest.vectors] } : rest;
}
