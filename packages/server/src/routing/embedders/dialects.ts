/** How one kind of server is asked for vectors over HTTP. */
export interface Dialect {
  /** Where under the address that an operator gives. */
  path(given: string): string;
  body(texts: readonly string[], model: string): unknown;
  /** The rows of an answer, in the order of the texts; a text says what is wrong with it. */
  rows(answer: unknown): readonly unknown[] | string;
}

/** The servers that are understood. */
export const DIALECTS = {
  /** OpenAI and all that speak alike: vLLM, LocalAI, DashScope, Ollama and TEI as well. */
  openai: {
    path(given) {
      if (given.endsWith('/embeddings')) return given;
      return given.endsWith('/v1') ? `${given}/embeddings` : `${given}/v1/embeddings`;
    },
    body: (input, model) => ({ model, input, encoding_format: 'float' }),
    rows: openaiRows,
  },
  ollama: {
    path: (given) => (given.endsWith('/api/embed') ? given : `${given}/api/embed`),
    // What is longer than the model reads is cut: a description says the most at its beginning.
    body: (input, model) => ({ model, input, truncate: true }),
    rows(answer) {
      const rows = fieldOf(answer, 'embeddings');
      return Array.isArray(rows) ? rows : 'no `embeddings`';
    },
  },
  /** Text Embeddings Inference. */
  tei: {
    path: (given) => (given.endsWith('/embed') ? given : `${given}/embed`),
    body: (inputs) => ({ inputs, normalize: true, truncate: true }),
    rows: (answer) => (Array.isArray(answer) ? answer : 'no list of vectors'),
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

/** Rows come in any order and say which text each is for. */
function openaiRows(answer: unknown): readonly unknown[] | string {
  const data = fieldOf(answer, 'data');
  if (!Array.isArray(data)) return 'no `data`';
  const rows: unknown[] = Array.from({ length: data.length });
  const seen = new Set<unknown>();
  for (const [place, entry] of (data as unknown[]).entries()) {
    const index = fieldOf(entry, 'index') ?? place;
    const isPlace = typeof index === 'number' && Number.isInteger(index);
    if (!isPlace || index < 0 || index >= data.length || seen.has(index)) {
      return 'an `index` that is none of its texts, or twice the same';
    }
    seen.add(index);
    rows[index] = fieldOf(entry, 'embedding');
  }
  return rows;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}
