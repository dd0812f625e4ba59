import type { Clock, Log, MonotonicMs, Random } from '@agent-reach/core/kernel';
import { LRUCache } from 'lru-cache';
import {
  type Breaker,
  blockedMs,
  enter,
  leave,
  newBreaker,
  type Pass,
} from '../resilience/breaker-machine.ts';
import type { Embedded, Embedder, Fault, Patience, TextKind } from './embedders/embedder.ts';
import type { EmbedderSettings } from './embedders/options.ts';
import { isLanguage, type Language, languageOf } from './meaning/language.ts';
import { masked } from './meaning/learn.ts';
import type { Sense, Trust, Unsensed } from './meaning/sense.ts';

/** What is known of an embedder. */
export type EmbeddingState =
  /** Nothing yet. */
  | { is: 'checking' }
  /** It could not be tested. */
  | { is: 'failing'; why: string }
  /** It was tested, and cannot tell apart what means different things. */
  | { is: 'refused'; why: string }
  | {
      is: 'ready';
      /** Kind, model and length of its vectors. */
      model: string;
      /** And which of those that this process has met under that name. */
      make: string;
      dims: number;
      trust: ReadonlyMap<Language, Trust>;
    };

/** What an embedding works with. */
export interface EmbeddingPorts {
  embedder: Embedder;
  options: EmbedderSettings;
  clock: Clock;
  random: Random;
  log: Log;
}

/** Intents that are heard again within minutes; 16 MB of the longest vectors. */
const QUERIES_MAX = 1_000;
/** More at once would stand in line behind each other and be late together. */
const ASKED_AT_ONCE_MAX = 16;
const BREAKER_RULES = {
  consecutive: 3,
  samplesMin: 20,
  failurePercent: 50,
  slowPercent: 101,
  openMs: 5_000,
  openMaxMs: 120_000,
};

/**
 * The embedder as decisions see it: whether it may be asked, and what it makes of an intent within its
 * time. Whatever it does, a decision is made.
 */
export class Embedding {
  readonly ports: EmbeddingPorts;
  #state: EmbeddingState = { is: 'checking' };
  #breaker: Breaker;
  #tests = 0;
  /** It asked to be left alone until then. */
  #restUntil: MonotonicMs = Number.NEGATIVE_INFINITY;
  readonly #queries = new LRUCache<string, Float32Array>({ max: QUERIES_MAX });
  readonly #asking = new Map<string, Promise<Asked>>();

  constructor(ports: EmbeddingPorts) {
    this.ports = ports;
    this.#breaker = newBreaker(ports.clock.monotonic());
  }

  get state(): EmbeddingState {
    return this.#state;
  }

  /** Languages that it is said to know. */
  get languages(): Language[] {
    return this.ports.options.languages.filter(isLanguage);
  }

  /** Takes in what a test has found. Another embedder than before begins anew. */
  tested(found: Exclude<EmbeddingState, { is: 'checking' | 'ready' }> | Passed): void {
    this.#queries.clear();
    this.#state = found.is === 'passed' ? this.#readyBy(found) : found;
  }

  /** Another one answers under its name: nothing that it was trusted for holds. */
  forget(): void {
    this.#queries.clear();
    this.#state = { is: 'checking' };
  }

  /** What it makes of an intent, or why it makes nothing of it; within the time that is set. */
  async sense(intent: string): Promise<Sense> {
    const state = this.#state;
    if (state.is !== 'ready') return { is: state.is, detail: whyNot(state) };
    const text = masked(intent);
    const language = languageOf(text);
    const trust = state.trust.get(language);
    if (trust === undefined || text === '') {
      return { is: 'unknown-language', detail: `It is not trusted in ${language}.` };
    }
    const asked = await this.#vectorOf(text, state.dims);
    if (!asked.ok) return asked.why;
    const { make, model } = state;
    return { is: 'used', make, model, language, vector: asked.vector, trust };
  }

  /**
   * Asks the embedder under its breaker, if that lets it through. Settles when the signal says so,
   * whether the embedder keeps to it or not.
   */
  async ask(texts: readonly string[], kind: TextKind, patience: Patience): Promise<Embedded> {
    const { clock, embedder } = this.ports;
    const at = clock.monotonic();
    const restMs = Math.max(blockedMs(this.#breaker, at), this.#restUntil - at);
    const pass = restMs > 0 ? undefined : this.#enter(patience.timeoutMs);
    if (pass === undefined) return { ok: false, fault: 'busy', detail: RESTS, waitMs: restMs };
    const asked = embedder.embed(this.#prefixed(texts, kind), kind, patience);
    const answer = await Promise.race([asked.catch(broken), whenOver(patience)]);
    this.#leave(pass, answer);
    return answer;
  }

  async #vectorOf(text: string, dims: number): Promise<Asked> {
    const known = this.#queries.get(text);
    if (known !== undefined) return { ok: true, vector: known };
    const running = this.#asking.get(text);
    if (running !== undefined) return running;
    if (this.#asking.size >= ASKED_AT_ONCE_MAX) {
      return unsensed('busy', `${ASKED_AT_ONCE_MAX} intents wait for it already.`);
    }
    const asked = this.#askFor(text, dims).finally(() => this.#asking.delete(text));
    this.#asking.set(text, asked);
    return asked;
  }

  async #askFor(text: string, dims: number): Promise<Asked> {
    const { options, clock } = this.ports;
    const { timeoutMs } = options;
    const abort = new AbortController();
    const timer = clock.timer(timeoutMs, () => abort.abort());
    const answer = await this.ask([text], 'query', { timeoutMs, signal: abort.signal });
    timer[Symbol.dispose]();
    if (!answer.ok) return unsensed(UNSENSED[answer.fault], answer.detail);
    const [vector] = answer.vectors;
    if (vector?.length !== dims) {
      this.forget();
      return unsensed('failing', `Its vectors had ${dims} numbers and have ${vector?.length}.`);
    }
    this.#queries.set(text, vector);
    return { ok: true, vector };
  }

  #readyBy({ dims, trust, isSame }: Passed): EmbeddingState {
    if (!isSame) this.#tests += 1;
    const model = `${this.ports.embedder.name}/${dims}`;
    return { is: 'ready', model, make: `${model}#${this.#tests}`, dims, trust };
  }

  #enter(leaseMs: number): Pass | undefined {
    const { clock } = this.ports;
    const { breaker, pass } = enter(this.#breaker, { at: clock.monotonic(), leaseMs });
    this.#breaker = breaker;
    return pass;
  }

  #leave(pass: Pass, answer: Embedded): void {
    const { clock, random, log, embedder } = this.ports;
    const before = this.#breaker.state.is;
    const verdict = answer.ok || answer.fault === 'not-taken' ? 'success' : 'failure';
    const result = { verdict, isSlow: false, at: clock.monotonic() } as const;
    const chance = () => random.next();
    const ports = { rules: BREAKER_RULES, chance, mayOpen: () => true };
    this.#breaker = leave(this.#breaker, pass, result, ports);
    if (!answer.ok) this.#restUntil = Math.max(this.#restUntil, result.at + (answer.waitMs ?? 0));
    const after = this.#breaker.state.is;
    if (before === 'closed' && after === 'open' && !answer.ok) {
      log.warn(
        { embedder: embedder.name, why: answer.detail },
        'the embedder fails and is left alone for a moment; intents are read by their words',
      );
    } else if (before === 'half-open' && after === 'closed') {
      log.info({ embedder: embedder.name }, 'the embedder answers again');
    }
  }

  #prefixed(texts: readonly string[], kind: TextKind): readonly string[] {
    const { queryPrefix, passagePrefix } = this.ports.options;
    const prefix = kind === 'query' ? queryPrefix : passagePrefix;
    return prefix === '' ? texts : texts.map((text) => `${prefix}${text}`);
  }
}

/** That an embedder knows one of its languages at least. */
export interface Passed {
  is: 'passed';
  dims: number;
  trust: ReadonlyMap<Language, Trust>;
  /** It answers as the one before: what it made stays good. */
  isSame: boolean;
}

type Asked = { ok: true; vector: Float32Array } | { ok: false; why: Unsensed };

function unsensed(is: Unsensed['is'], detail: string): Asked {
  return { ok: false, why: { is, detail } };
}

const UNSENSED: Record<Fault, Unsensed['is']> = {
  late: 'late',
  busy: 'busy',
  unreachable: 'failing',
  refused: 'failing',
  nonsense: 'failing',
  'not-taken': 'unknown-language',
};

function whyNot(state: Exclude<EmbeddingState, { is: 'ready' }>): string {
  return state.is === 'checking' ? 'It is being tested.' : state.why;
}

const RESTS = 'It failed, or asked for a pause, and is left alone for a moment.';

/** Embedders do not throw; one that does has failed like any other. */
function broken(error: unknown): Embedded {
  return { ok: false, fault: 'unreachable', detail: `The embedder broke: ${String(error)}.` };
}

function whenOver({ timeoutMs, signal }: Patience): Promise<Embedded> {
  return new Promise((resolve) => {
    const detail = `No vector within ${timeoutMs} ms.`;
    const end = () => resolve({ ok: false, fault: 'late', detail });
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
