import type { Ends, MeaningReason, MisrouteBudget, Rate, Utterance } from '@agent-reach/core';
import { breathe } from '@agent-reach/core/kernel';
import { thousandth } from '../registry/score-view.ts';
import type { Catalogue } from './meaning/catalogue.ts';
import { type Reading, TITLES } from './meaning/interpret.ts';
import type { OwnFit } from './meaning/own-fit.ts';
import { readIntent } from './meaning/read-intent.ts';
import type { Sense } from './meaning/sense.ts';
import { wilson } from './meaning/wilson.ts';
import { readingBy, verdictOn } from './by-meaning.ts';
import { type Findable, findables } from './findable.ts';
import type { RoutingPorts } from './ports.ts';
import { senseOf } from './sensing.ts';

/** An utterance and how it was read. */
export interface Read {
  text: string;
  /** What would be right; empty: nothing would. */
  expected: readonly string[];
  outcome: 'route' | 'ask' | 'none';
  /** What may be meant, the best first. */
  ranked: readonly string[];
  /** Where it would go, or what would be offered. */
  given: readonly string[];
  /** The probability that decides; undefined: something else does. */
  right: number | undefined;
  /** As it was read; undefined: a pinned phrase says where it goes. */
  reading: Reading | undefined;
  /** What became of it at the embedder. */
  sense: Sense | undefined;
}

/** For whom, and by what, utterances are read. */
export interface ReadAs {
  tenant: string;
  budget: MisrouteBudget;
  ownFit: OwnFit | undefined;
}

/**
 * Some milliseconds in which nobody else is served; and so many ask an embedder at once, which is
 * little enough for those who wait for their decisions.
 */
const BATCH = 4;

/** Reads every utterance as a decision would. Undefined: whoever asked is gone. */
export async function readUtterances(
  utterances: readonly Utterance[],
  how: ReadAs,
  ports: RoutingPorts,
  signal: AbortSignal,
): Promise<Read[] | undefined> {
  const { tenant } = how;
  const read: Read[] = [];
  for (let from = 0; from < utterances.length; from += BATCH) {
    if (signal.aborted) return undefined;
    const batch = utterances.slice(from, from + BATCH);
    const senses = await Promise.all(
      batch.map(async ({ text }) => senseOf({ tenant, intent: text }, ports)),
    );
    for (const [i, one] of batch.entries())
      read.push(readOne(one, { ...how, sense: senses[i] }, ports));
    await breathe();
  }
  return read;
}

/** Reads them once more, each by the fit that is its own, with what the embedder said before. */
export async function readAgain(
  utterances: readonly Utterance[],
  before: readonly Read[],
  how: Omit<ReadAs, 'ownFit'> & { fitOf: (place: number) => OwnFit | undefined },
  { ports, signal }: { ports: RoutingPorts; signal: AbortSignal },
): Promise<Read[] | undefined> {
  const { fitOf, ...as } = how;
  const read: Read[] = [];
  for (const [i, one] of utterances.entries()) {
    if (signal.aborted) return undefined;
    read.push(readOne(one, { ...as, ownFit: fitOf(i), sense: before[i]?.sense }, ports));
    if (i % BATCH === 0) await breathe();
  }
  return read;
}

function readOne(
  { text, expected, params }: Utterance,
  { tenant, budget, ownFit, sense }: ReadAs & { sense: Sense | undefined },
  ports: RoutingPorts,
): Read {
  const { pins, meanings, learned } = ports;
  const found = findables(tenant, ports);
  const catalogue = meanings.of(tenant);
  const wanted = [expected ?? []].flat();
  const right = wanted.filter((name) => mayBeRight(name, text, found(name), catalogue));
  const pin = pins.ofPhrase(tenant, text);
  if (pin !== undefined) {
    const ranked = [pin.capability];
    const pinned = { outcome: 'route', ranked, given: ranked, right: undefined } as const;
    return { text, expected: wanted, ...pinned, reading: undefined, sense };
  }
  const refused = learned.refusedFor(tenant, text);
  const admits = (name: string) => {
    if (refused.has(name)) return 'out';
    return verdictOn(found(name));
  };
  const question = { intent: text, params: params ?? {}, admits } as const;
  const by = { ...readingBy(tenant, ports), budget, ownFit, sense };
  const reading = readIntent(question, catalogue, by);
  const { outcome, names, options, ranking } = reading;
  const given = outcome === 'route' ? names : options.map(({ capability }) => capability);
  const candidates = ranking.candidates.map(({ name }) => name);
  const decides = DECIDED.has(reading.reason);
  return {
    text,
    expected: right,
    outcome,
    ranked: candidates.length === 0 ? given : candidates,
    given,
    right: decides && candidates.length > 0 ? reading.right : undefined,
    reading,
    sense,
  };
}

/** By a probability, or by the number that stands for one. */
const DECIDED: ReadonlySet<MeaningReason> = new Set(['CALIBRATED', 'COSINE', 'LOW_CONFIDENCE']);

/** Whether an utterance could lead to it at all. */
function mayBeRight(name: string, text: string, found: Findable, catalogue: Catalogue): boolean {
  if (found.byMeaning || !found.byTitle) return found.byMeaning;
  const named = catalogue.named(text);
  return named !== undefined && TITLES.has(named.kind) && named.names.includes(name);
}

/** Several that would be right are a question: whoever goes to one of them guesses. */
export const isIn = ({ expected }: Read) => expected.length === 1;
export const isOut = ({ expected }: Read) => expected.length === 0;
const has = (names: readonly string[], { expected }: Read) => {
  return names.some((name) => expected.includes(name));
};
export const isRight = (one: Read) => isIn(one) && has(one.given, one);
/** Those that say the same under other names stand in one place. */
export const isAmong = (most: number) => (one: Read) => {
  return has(one.ranked.slice(0, most), one) || (one.outcome === 'route' && has(one.given, one));
};

/** How utterances end: those that are sent somewhere, asked about, or neither. */
export function endsOf(read: readonly Read[]): Ends {
  const ends = (outcome: Read['outcome']) => (one: Read) => one.outcome === outcome;
  return {
    routed_right: rateOf(read, (one) => one.outcome === 'route' && isRight(one), isIn),
    misrouted: rateOf(read, (one) => one.outcome === 'route' && !isRight(one)),
    asked: rateOf(read, ends('ask')),
    none: rateOf(read, ends('none')),
  };
}

/** How many of those that it is about are so, with what may be of all that are like them. */
export function rateOf(
  read: readonly Read[],
  is: (one: Read) => boolean,
  among: (one: Read) => boolean = () => true,
): Rate {
  const all = read.filter(among);
  const count = all.filter(is).length;
  const share = all.length === 0 ? 0 : count / all.length;
  const { low, high } = wilson(share, all.length);
  const rounded = { share: thousandth(share), low: thousandth(low), high: thousandth(high) };
  return { count, of: all.length, ...rounded };
}
