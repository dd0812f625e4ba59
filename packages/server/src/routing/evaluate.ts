import type { Confusion, Evaluation, MisrouteBudget, Utterance } from '@agent-reach/core';
import { thousandth } from '../registry/score-view.ts';
import { BUDGETS } from './meaning/calibrator.ts';
import { cutOf, makeOf } from './meaning/own-fit.ts';
import { cutFor, type Graded, leastFor } from './meaning/wilson.ts';
import { calibrationHere } from './by-meaning.ts';
import { findables } from './findable.ts';
import type { RoutingPorts } from './ports.ts';
import {
  endsOf,
  isAmong,
  isIn,
  isOut,
  isRight,
  rateOf,
  type Read,
  type ReadAs,
  readUtterances,
} from './read-utterances.ts';

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
  const how = { tenant, budget, ownFit: ports.fits.of(tenant) };
  const read = await readUtterances(utterances, how, ports, signal);
  if (read === undefined) return undefined;
  return { budget, ...ratesOf(read, cutsIn(how, ports)), ...warningsOf(tenant, utterances, ports) };
}

/** From which probability on each budget lets routes pass here. */
function cutsIn({ ownFit }: Pick<ReadAs, 'ownFit'>, ports: RoutingPorts): Cuts {
  const calibration = calibrationHere(ports);
  if (ownFit?.fingerprint !== makeOf(calibration)) return calibration.routeFrom;
  const cuts = BUDGETS.map((budget) => [budget, cutOf(budget, { calibration, fit: ownFit })]);
  return Object.fromEntries(cuts) as Cuts;
}

type Cuts = Readonly<Record<MisrouteBudget, number>>;

function ratesOf(read: readonly Read[], cuts: Cuts): Omit<Evaluation, 'budget' | 'warnings'> {
  const rate = (is: (one: Read) => boolean, among?: (one: Read) => boolean) =>
    rateOf(read, is, among);
  return {
    utterances: read.length,
    top1: rate(isAmong(1), isIn),
    top3: rate(isAmong(3), isIn),
    ...endsOf(read),
    asked_right: rate((one) => one.outcome === 'ask' && isRight(one), isIn),
    none_right: rate(({ outcome }) => outcome === 'none', isOut),
    confusions: confusionsOf(read),
    thresholds: BUDGETS.map((budget) => thresholdFor(budget, read, cuts)),
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
  cuts: Cuts,
): Evaluation['thresholds'][number] {
  const part = Number(budget) / 100;
  const base = { budget, route_from: thousandth(cuts[budget]) };
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

export function warningsOf(
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
