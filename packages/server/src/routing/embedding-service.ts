import { createHash } from 'node:crypto';
import { breathe, loop, type MonotonicMs, type Service } from '@agent-reach/core/kernel';
import { LRUCache } from 'lru-cache';
import { thousandth } from '../registry/score-view.ts';
import type { Embedder } from './embedders/embedder.ts';
import { embedMany } from './embedders/in-batches.ts';
import type { Embedding } from './embedding.ts';
import type { Calibration } from './meaning/calibrator.ts';
import type { Catalogue } from './meaning/catalogue.ts';
import { fingerprintOf } from './meaning/features.ts';
import { languageOf } from './meaning/language.ts';
import { PAIRS } from './meaning/self-test.ts';
import { together } from './meaning/vectors.ts';
import type { Meanings } from './meanings.ts';
import { isSameModel, tryEmbedder } from './try-embedder.ts';

/** What the service works with. */
export interface EmbeddingServicePorts {
  embedding: Embedding;
  meanings: Meanings;
  /** Fitted for one embedder; undefined: there is none of somebody's own. */
  calibration: Calibration | undefined;
  /** Names and descriptions alone: what a bare cosine is compared with. */
  isBare: boolean;
}

const LOOK_MS = 250;
/** Nobody waits for it, and the first text of some servers loads a model. */
const PATIENCE_MS = 60_000;
const RETRY_MS = { least: 1_000, most: 60_000 };
/** One that was refused is another one only after somebody has changed it. */
const REFUSED_AGAIN_MS = 600_000;
/** How soon it is seen that another model answers under the same name. */
const RECHECK_MS = 300_000;
const BYTES_A_NUMBER = 4;

/**
 * Tests the embedder before it counts, makes vectors of what is registered behind everybody's back,
 * and looks now and then whether it is still the same one.
 */
export function embeddingService(ports: EmbeddingServicePorts): Service {
  const { clock, log, embedder } = ports.embedding.ports;
  const worker = new Worker(ports);
  const rounds = loop({
    clock,
    pauseMs: () => LOOK_MS,
    round: (signal) => worker.round(signal),
    onError: (error) => log.error({ err: error }, 'what was registered could not be embedded'),
  });
  return {
    start: () => rounds.start(),
    async stop() {
      await rounds.stop();
      await embedder.close();
    },
  };
}

class Worker {
  readonly #ports: EmbeddingServicePorts;
  /** The embedder under its breaker. */
  readonly #embedder: Embedder;
  /** By the digest of a text; a description that comes again is not embedded again. */
  readonly #texts: LRUCache<string, Float32Array>;
  #make = '';
  #probe: Float32Array | undefined;
  #nextAt: MonotonicMs = Number.NEGATIVE_INFINITY;
  #recheckAt: MonotonicMs = 0;
  #failures = 0;
  #told = '';
  #isFullTold = false;

  constructor(ports: EmbeddingServicePorts) {
    this.#ports = ports;
    const { embedding } = ports;
    const { embedder, options } = embedding.ports;
    this.#embedder = {
      name: embedder.name,
      batchMax: embedder.batchMax,
      embed: (texts, kind, patience) => embedding.ask(texts, kind, patience),
      close: () => embedder.close(),
    };
    this.#texts = new LRUCache({
      maxSize: options.memoryMb * 2 ** 20,
      sizeCalculation: (vector) => vector.length * BYTES_A_NUMBER,
    });
  }

  async round(stopped: AbortSignal): Promise<void> {
    const { embedding } = this.#ports;
    const { clock } = embedding.ports;
    if (clock.monotonic() < this.#nextAt) return;
    if (embedding.state.is !== 'ready') return this.#test(stopped);
    if (clock.monotonic() >= this.#recheckAt) await this.#recheck(stopped);
    await this.#fill(stopped);
  }

  async #test(stopped: AbortSignal): Promise<void> {
    const { embedding } = this.#ports;
    const { options } = embedding.ports;
    const found = await this.#patiently(stopped, (patience) =>
      tryEmbedder(embedding.languages, options.share, this.#embedder, patience),
    );
    if (stopped.aborted) return;
    switch (found.is) {
      case 'failing':
        embedding.tested({ is: found.is, why: found.why });
        this.#retryIn(found.waitMs);
        return this.#tell('warn', { why: found.why }, 'the embedder could not be tested');
      case 'refused':
        embedding.tested(found);
        this.#nextAt = this.#now() + REFUSED_AGAIN_MS;
        return this.#tell('warn', { why: found.why }, 'the embedder gets no weight');
      case 'passed': {
        const { dims, trust, probe, unknown } = found;
        const isSame = this.#probe !== undefined && isSameModel(this.#probe, probe);
        this.#probe = probe;
        this.#failures = 0;
        this.#recheckAt = this.#now() + RECHECK_MS;
        embedding.tested({ is: 'passed', dims, trust, isSame });
        const shares = Object.fromEntries(
          [...trust].map(([name, { share }]) => [name, thousandth(share)]),
        );
        this.#tell('info', { dims, shares }, 'the embedder was tested and counts');
        this.#tellOfCalibration();
        if (unknown.length > 0) this.#tell('warn', { unknown }, 'the embedder lacks a language');
      }
    }
  }

  /** Probabilities of another embedder are not used in silence. */
  #tellOfCalibration(): void {
    const { calibration, embedding } = this.#ports;
    const { state } = embedding;
    if (calibration === undefined || state.is !== 'ready') return;
    const legs = fingerprintOf(state.model);
    const { fingerprint } = calibration;
    if (fingerprint === legs) return;
    const message = 'the calibration is of another embedder, and the one that ships is used';
    this.#tell('warn', { fingerprint, legs }, message);
  }

  /** Another model under the same name makes other vectors: all begins anew. */
  async #recheck(stopped: AbortSignal): Promise<void> {
    const { embedding } = this.#ports;
    const [language = 'en'] = embedding.languages;
    const [text = ''] = PAIRS[language][0] ?? [];
    const answer = await this.#patiently(stopped, (patience) =>
      this.#embedder.embed([text], 'query', patience),
    );
    if (!answer.ok) return;
    this.#recheckAt = this.#now() + RECHECK_MS;
    const [now] = answer.vectors;
    if (now === undefined || this.#probe === undefined || isSameModel(this.#probe, now)) return;
    this.#tell('warn', {}, 'another model answers under the name of the embedder');
    embedding.forget();
  }

  async #fill(stopped: AbortSignal): Promise<void> {
    for (const catalogue of this.#ports.meanings.catalogues()) {
      const { state } = this.#ports.embedding;
      if (state.is !== 'ready') return;
      this.#begin(state.make);
      if (catalogue.vectors.make !== state.make) catalogue.vectors.begin(state.make, state.dims);
      while (catalogue.vectors.waiting.size > 0 && !stopped.aborted) {
        if (!(await this.#fillSome(catalogue, stopped))) return;
        await breathe();
      }
    }
  }

  /** Embeds some that wait; false: not now. */
  async #fillSome(catalogue: Catalogue, stopped: AbortSignal): Promise<boolean> {
    const documents = [...catalogue.vectors.waiting.values().take(this.#embedder.batchMax)];
    const said = documents.map((document) => ({
      document,
      texts: this.#textsOf(catalogue, document),
    }));
    const all = new Set(said.flatMap((one) => one.texts));
    const texts = [...all].filter((text) => text !== '' && !this.#texts.has(keyOf(text)));
    // Looked up before anything is awaited: what is in use may leave the cache meanwhile.
    const known = new Map([...all].map((text) => [text, this.#texts.get(keyOf(text))]));
    const made = await this.#patiently(stopped, (patience) =>
      embedMany(texts, 'passage', this.#embedder, patience),
    );
    if (!made.ok) {
      this.#retryIn(made.waitMs ?? 0);
      return false;
    }
    this.#failures = 0;
    const fresh = new Map(texts.map((text, i) => [text, made.vectors[i]]));
    for (const [text, vector] of fresh) if (vector) this.#texts.set(keyOf(text), vector);
    for (const { document, texts: own } of said) {
      // Meanwhile it may have gone, and another one come in its place.
      if (this.#textsOf(catalogue, document).join('\n') !== own.join('\n')) continue;
      const vectorOf = (text: string) => fresh.get(text) ?? known.get(text);
      catalogue.vectors.set(document, this.#hasRoom() ? together(own.map(vectorOf)) : undefined);
    }
    return true;
  }

  /** What is embedded of a document; empty: a text in a language that the embedder is not trusted in. */
  #textsOf(catalogue: Catalogue, document: number): string[] {
    const { state } = this.#ports.embedding;
    const [said = '', ...examples] = catalogue.passagesOf(document);
    const texts = this.#ports.isBare ? [said] : [said, ...examples];
    const isKnown = (text: string) => state.is === 'ready' && state.trust.has(languageOf(text));
    return texts.map((text) => (isKnown(text) ? text : ''));
  }

  #hasRoom(): boolean {
    const { embedding, meanings } = this.#ports;
    const { memoryMb } = embedding.ports.options;
    const dims = embedding.state.is === 'ready' ? embedding.state.dims : 0;
    let count = 0;
    for (const { vectors } of meanings.catalogues()) count += vectors.size;
    const hasRoom = (count + 1) * dims * BYTES_A_NUMBER <= memoryMb * 2 ** 20;
    if (!hasRoom && !this.#isFullTold) {
      this.#isFullTold = true;
      this.#tell('warn', { memoryMb, count }, 'no room for more vectors (routing.embedder.memory)');
    }
    return hasRoom;
  }

  #begin(make: string): void {
    if (make === this.#make) return;
    this.#make = make;
    this.#texts.clear();
  }

  async #patiently<T>(
    stopped: AbortSignal,
    work: (patience: { timeoutMs: number; signal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const { clock } = this.#ports.embedding.ports;
    const late = new AbortController();
    const timer = clock.timer(PATIENCE_MS, () => late.abort());
    try {
      const signal = AbortSignal.any([stopped, late.signal]);
      return await work({ timeoutMs: PATIENCE_MS, signal });
    } finally {
      timer[Symbol.dispose]();
    }
  }

  #retryIn(waitMs: number): void {
    const backoff = RETRY_MS.least * 2 ** Math.min(this.#failures, 10);
    this.#failures += 1;
    this.#nextAt = this.#now() + Math.max(waitMs, Math.min(RETRY_MS.most, backoff));
  }

  #now(): MonotonicMs {
    return this.#ports.embedding.ports.clock.monotonic();
  }

  /** Once: what goes on being so is not told again. */
  #tell(level: 'info' | 'warn', facts: Record<string, unknown>, message: string): void {
    const { log, embedder } = this.#ports.embedding.ports;
    const line = JSON.stringify([message, facts]);
    if (line === this.#told) return;
    this.#told = line;
    log[level]({ embedder: embedder.name, ...facts }, message);
  }
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
