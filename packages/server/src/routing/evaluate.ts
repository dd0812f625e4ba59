import type {
  Confusion,
  Evaluation,
  MeaningReason,
  MisrouteBudget,
  Utterance,
} from '@agent-reach/core';
import { breathe } from '@agent-reach/core/kernel';
import { thousandth } from '../registry/score-view.ts';
import { CALIBRATION } from './meaning/calibration.ts';
import { BUDGETS } from './meaning/calibrator.ts';
import type { Catalogue } from './meaning/catalogue.ts';
import { TITLES } from './meaning/interpret.ts';
import { readIntent } from './meaning/read-intent.ts';
import type { Sense } from './meaning/sense.ts';
import { cutFor, type Graded, leastFor, wilson } from './meaning/wilson.ts';
import { readingBy, verdictOn } from './by-meaning.ts';
import { type Findable, findables } from './findable.ts';
import type { RoutingPorts } from './ports.ts';
import { senseOf } from './sensing.ts';

/** An utterance and how it was read. */
interface Read {
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
}

/**
 * Some milliseconds in which nobody else is served; and so many ask an embedder at once, which is
 * little enough for those who wait for their decisions.
 */
const BATCH = 4;
const CONFUSIONS_SHOWN = 20;
const NAMES_SHOWN = 5;

/**
 * Reads every utterance as a decision would, whoever may be reached and whatever is granted, and
 * compares with what should come of it. Undefined: whoever asked is gone.
 */
export async function evaluate(
  of: { tenant: string; utterances: readonly Utterance[]; budget: MisrouteBudget | undefined },
  ports: RoutingPorts,
  signal: AbortSignal,
): Promise<Evaluation | undefined> {
  const { tenant, utterances, budget = ports.options.semanticBudget } = of;
  const read: Read[] = [];
  for (let from = 0; from < utterances.length; from += BATCH) {
    if (signal.aborted) return undefined;
    const batch = utterances.slice(from, from + BATCH);
    const senses = await Promise.all(
      batch.map(async ({ text }) => senseOf({ tenant, intent: text }, ports)),
    );
    for (const [i, one] of batch.entries()) {
      read.push(readOne(one, { tenant, budget, sense: senses[i] }, ports));
    }
    await breathe();
  }
  return { budget, ...ratesOf(read), ...warningsOf(tenant, utterances, ports) };
}

function readOne(
  { text, expected, params }: Utterance,
  { tenant, budget, sense }: { tenant: string; budget: MisrouteBudget; sense: Sense | undefined },
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
    return { text, expected: wanted, outcome: 'route', ranked, given: ranked, right: undefined };
  }
  const refused = learned.refusedFor(tenant, text);
  const admits = (name: string) => {
    if (refused.has(name)) return 'out';
    return verdictOn(found(name));
  };
  const question = { intent: text, params: params ?? {}, admits } as const;
  const by = { ...readingBy(ports), budget, sense };
  const { outcome, names, options, ranking, ...said } = readIntent(question, catalogue, by);
  const given = outcome === 'route' ? names : options.map(({ capability }) => capability);
  const candidates = ranking.candidates.map(({ name }) => name);
  const decides = DECIDED.has(said.reason);
  return {
    text,
    expected: right,
    outcome,
    ranked: candidates.length === 0 ? given : candidates,
    given,
    right: decides && candidates.length > 0 ? said.right : undefined,
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
const isIn = ({ expected }: Read) => expected.length === 1;
const isOut = ({ expected }: Read) => expected.length === 0;
const has = (names: readonly string[], { expected }: Read) => {
  return names.some((name) => expected.includes(name));
};
const isRight = (one: Read) => isIn(one) && has(one.given, one);
/** Those that say the same under other names stand in one place. */
const isAmong = (most: number) => (one: Read) => {
  return has(one.ranked.slice(0, most), one) || (one.outcome === 'route' && has(one.given, one));
};

function ratesOf(read: readonly Read[]): Omit<Evaluation, 'budget' | 'warnings'> {
  const rate = (is: (one: Read) => boolean, among: (one: Read) => boolean = () => true) => {
    const all = read.filter(among);
    const count = all.filter(is).length;
    const share = all.length === 0 ? 0 : count / all.length;
    const { low, high } = wilson(share, all.length);
    const rounded = { share: thousandth(share), low: thousandth(low), high: thousandth(high) };
    return { count, of: all.length, ...rounded };
  };
  const ends = (outcome: Read['outcome']) => (one: Read) => one.outcome === outcome;
  return {
    utterances: read.length,
    top1: rate(isAmong(1), isIn),
    top3: rate(isAmong(3), isIn),
    routed_right: rate((one) => one.outcome === 'route' && isRight(one), isIn),
    misrouted: rate((one) => one.outcome === 'route' && !isRight(one)),
    asked: rate(ends('ask')),
    asked_right: rate((one) => one.outcome === 'ask' && isRight(one), isIn),
    none: rate(ends('none')),
    none_right: rate(ends('none'), isOut),
    confusions: confusionsOf(read),
    thresholds: BUDGETS.map((budget) => thresholdFor(budget, read)),
  };
}

/** What was taken for what, the most frequent first. */
function confusionsOf(read: readonly Read[]): Confusion[] {
  const found = new Map<string, Confusion>();
  for (const one of read) {
    const { expected, ranked, given, outcome, text } = one;
    // What is offered for nothing is a confusion only if it would be gone to.
    const got = outcome === 'route' ? given[0] : isOut(one) ? undefined : ranked[0];
    if (got === undefined || expected.includes(got) || (isRight(one) && outcome === 'route'))
      continue;
    const key = JSON.stringify([expected, got]);
    const known = found.get(key) ?? {
      expected: [...expected],
      got,
      count: 0,
      routed: 0,
      example: text,
    };
    known.count += 1;
    known.routed += outcome === 'route' ? 1 : 0;
    found.set(key, known);
  }
  return [...found.values()]
    .sort((a, b) => b.routed - a.routed || b.count - a.count)
    .slice(0, CONFUSIONS_SHOWN);
}

/** The threshold that these utterances alone would give. */
function thresholdFor(
  budget: MisrouteBudget,
  read: readonly Read[],
): Evaluation['thresholds'][number] {
  const part = Number(budget) / 100;
  const base = { budget, route_from: thousandth(CALIBRATION.routeFrom[budget]) };
  const least = leastFor(part);
  const values = read.flatMap(({ right }) => (right === undefined ? [] : [right]));
  if (values.length === 0) {
    return { ...base, detail: 'None of these utterances is decided by a probability.' };
  }
  if (read.length < least) {
    const detail = `${read.length} utterances are too few to say: it takes ${least} without a wrong route.`;
    return { ...base, detail };
  }
  const rows: Graded[] = read.map((one) => ({
    value: one.right ?? -1,
    isWrong: one.right !== undefined && !(isIn(one) && isAmong(1)(one)),
    weight: 1,
  }));
  const suggested = Math.max(Math.min(...values), cutFor(rows, part));
  const routed = rows.filter(({ value }) => value >= suggested);
  const wrong = routed.filter(({ isWrong }) => isWrong).length;
  return {
    ...base,
    suggested: thousandth(suggested),
    routed_right: routed.length - wrong,
    misrouted: wrong,
    detail: `By probability ${routed.length - wrong} would be routed right and ${wrong} wrong.`,
  };
}

function warningsOf(
  tenant: string,
  utterances: readonly Utterance[],
  ports: RoutingPorts,
): Pick<Evaluation, 'warnings'> {
  const names = new Set(utterances.flatMap(({ expected }) => expected ?? []));
  const unknown = [...names].filter((name) => ports.directory.offers(tenant, name).length === 0);
  const found = findables(tenant, ports);
  const named = [...names].filter((name) => !found(name).byMeaning && !found(name).byTitle);
  const titled = [...names].filter((name) => !found(name).byMeaning && found(name).byTitle);
  const list = (all: readonly string[]) => {
    const more = all.length > NAMES_SHOWN ? ` and ${all.length - NAMES_SHOWN} more` : '';
    return `${all.slice(0, NAMES_SHOWN).join(', ')}${more}`;
  };
  return {
    warnings: [
      ...(unknown.length === 0 ? [] : [`Expected, and offered by nobody: ${list(unknown)}.`]),
      ...(named.length === 0
        ? []
        : [`Reached by name alone, so that none is right: ${list(named)}.`]),
      ...(titled.length === 0
        ? []
        : [`Not found by meaning, so that only a name or an alias is right: ${list(titled)}.`]),
      ...(ports.options.semanticMode === 'off'
        ? ['Meaning is not matched here (routing.semantic.mode is off): this is what it would do.']
        : []),
    ],
  };
}
