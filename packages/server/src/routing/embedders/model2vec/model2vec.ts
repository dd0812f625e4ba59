import { join } from 'node:path';
import { ReachError } from '@agent-reach/core';
import { type Embedder, type Unembedded, vectorsFrom } from '../embedder.ts';
import { readSafetensors } from './safetensors.ts';
import { type Table, tableOf } from './table.ts';
import { tokenizerOf } from './tokenizer.ts';

/** A folder with `model.safetensors` and `tokenizer.json`. */
export interface Model2vec {
  folder: string;
  batchMax: number;
}

/**
 * A model2vec table in memory: about a tenth of a millisecond a text and no server. Read at the first
 * text, and again while that fails.
 */
export function model2vecEmbedder(
  { folder, batchMax }: Model2vec,
  readBytes: (path: string) => Promise<Uint8Array>,
): Embedder {
  let reading: Promise<Table> | undefined;
  const read = async (): Promise<Table> => {
    const [tensors, tokenizer] = await Promise.all([
      readBytes(join(folder, 'model.safetensors')),
      readBytes(join(folder, 'tokenizer.json')),
    ]);
    const described = JSON.parse(Buffer.from(tokenizer).toString('utf8')) as unknown;
    return tableOf(readSafetensors(tensors), tokenizerOf(described));
  };
  return {
    name: `model2vec:${folder.split(/[/\\]/).findLast((part) => part !== '') ?? ''}`,
    batchMax,
    async embed(texts) {
      let table: Table;
      try {
        table = await (reading ??= read());
      } catch (error) {
        reading = undefined;
        return unreadable(error);
      }
      const rows = texts.map((text) => table.vectorOf(text));
      // A text without any token has no direction, and is one that this model does not take.
      if (rows.some((row) => row.every((value) => value === 0))) return NO_TOKENS;
      return vectorsFrom(rows, texts.length);
    },
    async close() {
      reading = undefined;
    },
  };
}

const NO_TOKENS: Unembedded = {
  ok: false,
  fault: 'not-taken',
  detail: 'The model has no token of the text.',
};

function unreadable(error: unknown): Unembedded {
  const why = ReachError.is(error) ? error.message : `The model cannot be read: ${String(error)}.`;
  return { ok: false, fault: 'refused', detail: why };
}
