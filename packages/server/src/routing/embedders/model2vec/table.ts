import { ReachError } from '@agent-reach/core';
import type { Tensor } from './safetensors.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Vectors of texts, each the mean of what a table has for its tokens: no attention, and no order. */
export interface Table {
  readonly dims: number;
  vectorOf(text: string): Float64Array;
}

/**
 * A model2vec table. `embeddings`: the vectors; `mapping`: which of them a token has, where several
 * share one; `weights`: what a token counts. Throws `validation-failed` where they do not fit.
 */
export function tableOf(tensors: ReadonlyMap<string, Tensor>, tokenizer: Tokenizer): Table {
  const embeddings = tensors.get('embeddings') ?? tensors.get('embedding.weight');
  if (embeddings === undefined) throw unfit('it has no `embeddings`');
  const [rows = 0, dims = 0, more] = embeddings.shape;
  if (rows === 0 || dims === 0 || more !== undefined) throw unfit('its vectors are no table');
  const weights = listIn('weights', tensors, tokenizer);
  const mapping = listIn('mapping', tensors, tokenizer);
  if (mapping !== undefined) demandRows(mapping, rows);
  else if (tokenizer.size > rows) throw unfit(`${tokenizer.size} tokens share ${rows} vectors`);
  const { data } = embeddings;
  return {
    dims,
    vectorOf(text) {
      const sum = new Float64Array(dims);
      for (const token of tokenizer.tokens(text)) {
        const weight = weights?.[token] ?? 1;
        const start = (mapping?.[token] ?? token) * dims;
        for (let i = 0; i < dims; i++) sum[i] = (sum[i] ?? 0) + weight * (data[start + i] ?? 0);
      }
      return sum;
    },
  };
}

function demandRows(mapping: ArrayLike<number>, rows: number): void {
  for (let token = 0; token < mapping.length; token++) {
    const row = mapping[token] ?? -1;
    if (!(row >= 0 && row < rows)) throw unfit(`token ${token} has row ${row} of ${rows}`);
  }
}

/** One number a token; undefined: the table has none. */
function listIn(
  name: string,
  tensors: ReadonlyMap<string, Tensor>,
  { size }: Tokenizer,
): ArrayLike<number> | undefined {
  const tensor = tensors.get(name);
  if (tensor === undefined) return undefined;
  if (tensor.shape.length !== 1 || tensor.data.length < size) {
    throw unfit(`\`${name}\` has ${tensor.data.length} numbers for ${size} tokens`);
  }
  return tensor.data;
}

function unfit(why: string): ReachError {
  return new ReachError('validation-failed', `The model's table cannot be used: ${why}.`);
}
