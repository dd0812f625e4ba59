import { ReachError } from '@agent-reach/sdk';
import { type House, SHELVES, type ShelfName } from './house.ts';
import type { Scene, Stage } from './show.ts';
import { STOCK, TEXTS } from './texts.ts';

/** What one may see of a process: what is observed, and where it is taken out, that. */
type Word = string;

/** How long the scene may take: five seconds, on a slow machine more. */
const SCENE_MS = 20_000;
const QUESTIONS = 12;

/**
 * Freezes two of the three processes that count the stock. They still count as beating, but their probes
 * are lost: the gateway fences one off and, since it may not take out more of three, calls the other
 * degraded; while nobody who asks notices. Then they go on, one after the other. False when it went
 * otherwise.
 */
export async function freezeAndThaw(house: House, { stage, stop }: Scene): Promise<boolean> {
  const { print, paint, language } = stage;
  if (process.platform === 'win32') return true; // It knows no freezing.
  await house.startShelves();
  print('');
  print(paint('yellow', TEXTS[language].freeze.title));
  const watch = new Watch(house, stage, AbortSignal.any([stop, AbortSignal.timeout(SCENE_MS)]));
  try {
    for (const name of SHELVES) house.freeze(name);
    const first = await watch.until('fenced', SHELVES);
    const second = first === SHELVES[0] ? SHELVES[1] : SHELVES[0];
    await watch.until('degraded', [second]);
    const isAnswered = await askMeanwhile(house, stage);
    for (const name of [first, second]) {
      await watch.until('fenced', [name]);
      print(`  ${paint('dim', TEXTS[language].freeze.thaw(name))}`);
      house.thaw(name);
      await watch.until('up', [name]);
    }
    return isAnswered;
  } catch (error) {
    if (stop.aborted) return true;
    if (watch.isOver) return false;
    throw error;
  } finally {
    for (const name of SHELVES) house.thaw(name);
    await watch.end();
  }
}

/** Prints each change of the processes, and waits for one. */
class Watch {
  readonly #words = new Map<string, Word>();
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  readonly #reading: Promise<void>;
  #next = Promise.withResolvers<void>();

  constructor({ reach }: House, stage: Stage, signal: AbortSignal) {
    this.#signal = AbortSignal.any([signal, this.#end.signal]);
    this.#reading = this.#read(reach, stage).catch(() => {}); // Whoever waits is told by the signal.
  }

  get isOver(): boolean {
    return this.#signal.aborted;
  }

  /** The first of these processes of which the word is said, or has been. */
  async until(word: Word, names: readonly ShelfName[]): Promise<ShelfName> {
    const over = Promise.withResolvers<never>();
    over.promise.catch(() => {});
    const abort = () => over.reject(this.#signal.reason as Error);
    this.#signal.addEventListener('abort', abort, { once: true });
    for (;;) {
      this.#signal.throwIfAborted();
      const found = names.find((name) => this.#words.get(name) === word);
      if (found !== undefined) return found;
      await Promise.race([this.#next.promise, over.promise]);
    }
  }

  async end(): Promise<void> {
    this.#end.abort();
    await this.#reading;
  }

  async #read(reach: House['reach'], stage: Stage): Promise<void> {
    for await (const { rows } of reach.agents.watch(
      { agent: 'inventory' },
      { signal: this.#signal },
    )) {
      for (const name of SHELVES) {
        const state = rows.get(`inventory/${name}`)?.state;
        const word = state?.intent === 'enabled' ? state.observed : state?.intent;
        const before = this.#words.get(name);
        if (word === undefined || word === before) continue;
        this.#words.set(name, word);
        if (before !== undefined) stage.print(await lineOf(reach, { name, before, word }, stage));
      }
      this.#next.resolve();
      this.#next = Promise.withResolvers();
    }
  }
}

const LOOKS = { up: 'green', degraded: 'magenta', fenced: 'yellow' } as const;

async function lineOf(
  reach: House['reach'],
  { name, before, word }: { name: ShelfName; before: Word; word: Word },
  { paint }: Stage,
): Promise<string> {
  const look = LOOKS[word as keyof typeof LOOKS] ?? 'dim';
  const head = `  ${name}  ${before} → ${paint(look, word)}`;
  if (word !== 'fenced' && word !== 'degraded') return head;
  const { instances } = await reach.agents.get('inventory');
  const seen = instances.find(({ instance_id: id }) => id === name);
  return `${head}  ${paint('dim', seen?.intent_reason ?? seen?.observed_cause ?? '')}`;
}

/** Questions that need the stock, one after the other. False when one was not answered. */
async function askMeanwhile({ reach }: House, { print, paint, language }: Stage): Promise<boolean> {
  let answered = 0;
  for (let n = 0; n < QUESTIONS; n++) {
    try {
      const { result } = await reach.call<{ trouble?: object }>('answer_question', {
        question: STOCK[language],
        language,
      });
      if (result.trouble === undefined) answered += 1;
    } catch (error) {
      if (!ReachError.is(error)) throw error;
    }
  }
  print(`  ${paint('green', TEXTS[language].freeze.asked(QUESTIONS, answered))}`);
  return answered === QUESTIONS;
}
