import { type Issue, validationFailed } from '@agent-reach/core';
import type { Fetch } from '@agent-reach/core/kernel';
import { isLanguage, LANGUAGES } from '../meaning/language.ts';
import type { Embedder } from './embedder.ts';
import { httpEmbedder } from './http.ts';
import { model2vecEmbedder } from './model2vec/model2vec.ts';
import type { EmbedderSettings } from './options.ts';
import { transformersEmbedder } from './transformers.ts';

/** The effects that embedders need. */
export interface EmbedderPorts {
  fetch: Fetch;
  readBytes: (path: string) => Promise<Uint8Array>;
  /** Where models from the hub are kept; undefined: nowhere. */
  cacheFolder: string | undefined;
}

/** The embedder that is set; undefined: none is. It asks and reads nothing yet. */
export function openEmbedder(
  settings: EmbedderSettings,
  ports: EmbedderPorts,
): Embedder | undefined {
  const { kind, url, model, key, batch: batchMax } = settings;
  switch (kind) {
    case 'none':
      return undefined;
    case 'openai':
    case 'ollama':
    case 'tei':
      return httpEmbedder({ dialect: kind, url, model, key, batchMax }, ports.fetch);
    case 'model2vec':
      return model2vecEmbedder({ folder: model, batchMax }, ports.readBytes);
    case 'transformers': {
      const { remote: isRemote, dtype, pooling } = settings;
      const { cacheFolder } = ports;
      return transformersEmbedder(
        { model, isRemote, cacheFolder, dtype, pooling, batchMax },
        ports,
      );
    }
  }
}

/** Refuses what could not work, before anything starts. `isNeeded`: intents are to be read by it alone. */
export function demandEmbedder(settings: EmbedderSettings, isNeeded: boolean): void {
  const { kind, url, model, languages } = settings;
  const faults: Issue[] = [];
  const missing = (key: string, why: string) => {
    faults.push({ pointer: `#/routing.embedder.${key}`, detail: `is not said, and ${why}` });
  };
  const isServer = kind === 'openai' || kind === 'ollama' || kind === 'tei';
  if (isServer && url === '') missing('url', `${kind} is a server`);
  if (kind !== 'none' && kind !== 'tei' && model === '') missing('model', `${kind} has many`);
  if (kind === 'none' && isNeeded) missing('kind', 'routing.semantic.mode=cosine compares vectors');
  if (languages.length === 0 || !languages.every(isLanguage)) {
    const detail = `must be some of ${LANGUAGES.join(', ')}, for which there are tests; is ${languages.join(', ') || 'empty'}`;
    faults.push({ pointer: '#/routing.embedder.languages', detail });
  }
  if (faults.length > 0) throw validationFailed('The embedder', faults);
}
