import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultsOf, type Fetch } from '@agent-reach/core/kernel';
import { EMBEDDER_OPTIONS, type Embedder, openEmbedder } from '@agent-reach/server/meaning';

const MODEL = 'm2v-bge-base-en-64d-vq128';

/**
 * The embedder that `REACH_ROUTING_EMBEDDER_…` set, as for a gateway; else the small table in the folder
 * that `REACH_EMBEDDER_MODELS` names; undefined, with the reason told, when there is neither.
 */
export function embedderHere(): Embedder | undefined {
  const said = Object.entries(EMBEDDER_OPTIONS).flatMap(([name, option]) => {
    const raw = process.env[`REACH_${option.key.toUpperCase().replaceAll('.', '_')}`];
    return raw === undefined ? [] : [[name, option.read(raw)]];
  });
  const settings = { ...defaultsOf(EMBEDDER_OPTIONS), ...Object.fromEntries(said) };
  const ports = { fetch, readBytes: (path: string) => readFile(path), cacheFolder: undefined };
  const embedder = openEmbedder(settings, ports);
  if (embedder !== undefined) return embedder;
  const folder = process.env['REACH_EMBEDDER_MODELS'];
  const model = join(folder ?? '', MODEL);
  if (folder !== undefined && existsSync(model)) {
    return openEmbedder({ ...settings, kind: 'model2vec', model, batch: 64 }, ports);
  }
  console.log(
    `Vectors skipped: REACH_EMBEDDER_MODELS names no folder with ${MODEL}, and REACH_ROUTING_EMBEDDER_KIND nothing.`,
  );
  return undefined;
}

/** A bench asks what its user names: nothing is guarded. */
const fetch: Fetch = Object.assign(
  async ({ method, url, headers, body, timeoutMs }: Parameters<Fetch>[0]) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await globalThis.fetch(url, { method, headers, body: String(body), signal });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: bytes };
  },
  { judge: () => Promise.reject(new Error('nothing is judged')) },
);
