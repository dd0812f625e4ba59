import { basename, dirname, resolve } from 'node:path';
import type { Fetch } from '@agent-reach/core/kernel';
import { type Embedder, type Unembedded, vectorsFrom } from './embedder.ts';
import { hubFetch } from './hub-fetch.ts';

/** A sentence encoder that runs in this process. */
export interface Transformers {
  /** A folder; with `isRemote` the name of a model in the hub. */
  model: string;
  isRemote: boolean;
  /** Where files from the hub are kept; undefined: nowhere. */
  cacheFolder: string | undefined;
  /** Which of a model's files: `q8` is `onnx/model_quantized.onnx`. */
  dtype: string;
  pooling: 'mean' | 'cls';
  batchMax: number;
}

const LIBRARY = '@huggingface/transformers';

/** What is used of the library, which is installed by those alone who want it. */
interface Library {
  env: {
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    localModelPath: string;
    useFSCache: boolean;
    cacheDir: string | null;
    fetch: unknown;
  };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: string; device: 'cpu' },
  ): Promise<Extractor>;
}

interface Extractor {
  (
    texts: string[],
    options: { pooling: string; normalize: boolean },
  ): Promise<{ dims: number[]; data: ArrayLike<number> }>;
  dispose?(): Promise<unknown>;
}

/**
 * An encoder by `@huggingface/transformers`, loaded at the first text. What it fetches from the hub
 * goes the gateway's own way out. One in a process: the library has one set of settings.
 */
export function transformersEmbedder(
  about: Transformers,
  ports: { fetch: Fetch; load?: () => Promise<unknown> },
): Embedder {
  let opening: Promise<Extractor> | undefined;
  return {
    name: `transformers:${about.isRemote ? about.model : basename(about.model)}@${about.dtype}`,
    batchMax: about.batchMax,
    async embed(texts) {
      try {
        const extract = await (opening ??= open(about, ports));
        const { dims, data } = await extract([...texts], {
          pooling: about.pooling,
          normalize: true,
        });
        return vectorsFrom(rowsOf(dims, data), texts.length);
      } catch (error) {
        opening = undefined;
        return failed(error);
      }
    },
    async close() {
      const extract = await opening?.catch(() => undefined);
      opening = undefined;
      await extract?.dispose?.();
    },
  };
}

/** An optional peer of half a gigabyte, which is not there where this is compiled. */
function loadLibrary(): Promise<unknown> {
  // oxlint-disable-next-line import/no-dynamic-require -- A literal would be looked for at once.
  return import(LIBRARY) as Promise<unknown>;
}

async function open(
  { model, isRemote, cacheFolder, dtype }: Transformers,
  { fetch, load = loadLibrary }: { fetch: Fetch; load?: () => Promise<unknown> },
): Promise<Extractor> {
  const library = (await load()) as Library;
  const { env } = library;
  env.allowRemoteModels = isRemote;
  env.allowLocalModels = !isRemote;
  env.fetch = hubFetch(fetch);
  env.useFSCache = isRemote && cacheFolder !== undefined;
  if (cacheFolder !== undefined) env.cacheDir = cacheFolder;
  if (!isRemote) env.localModelPath = `${dirname(resolve(model))}/`;
  return library.pipeline('feature-extraction', isRemote ? model : basename(resolve(model)), {
    dtype,
    device: 'cpu',
  });
}

function rowsOf(dims: readonly number[], data: ArrayLike<number>): Float64Array[] {
  const [count = 0, width = 0] = dims;
  return Array.from({ length: count }, (_, row) =>
    Float64Array.from({ length: width }, (__, i) => data[row * width + i] ?? Number.NaN),
  );
}

function failed(error: unknown): Unembedded {
  const { code, message } = error as Error & { code?: string };
  if (code === 'ERR_MODULE_NOT_FOUND' && message.includes(LIBRARY)) {
    return {
      ok: false,
      fault: 'refused',
      detail: `The library is not installed: npm install ${LIBRARY}.`,
    };
  }
  return { ok: false, fault: 'unreachable', detail: `The model failed: ${firstLine(message)}` };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 300) ?? '';
}
