import type {
  MeaningView,
  OwnFitView,
  RouteOption,
  RouteStrategy,
  SenseView,
} from '@agent-reach/core';
import { thousandth } from '../registry/score-view.ts';
import type { Instance } from '../registry/directory.ts';
import type { Survey } from './decision.ts';
import type { Option } from './meaning/differ.ts';
import { featureNames, FINGERPRINT } from './meaning/features.ts';
import type { Reading } from './meaning/interpret.ts';
import { LEGS } from './meaning/legs.ts';
import { type OwnShare, STRICT_LABELS_MIN } from './meaning/own-fit.ts';
import type { Candidate, Ranking } from './meaning/rank.ts';
import type { Sense } from './meaning/sense.ts';
import type { RoutingPorts } from './ports.ts';
import { type Preference, preferred } from './prefer.ts';

/** An intent that is a name is as good as the name. */
export function strategyOf({ reason }: Reading): RouteStrategy {
  return reason === 'EXACT' ? 'exact_match' : 'semantic_match';
}

type Fitting = Extract<Survey, { outcome: 'fitting' }>;

/**
 * Of capabilities that say the same, the one to go to: somebody can be reached, then the higher
 * priority, then what the request prefers, then the least in flight, then the one that fits best.
 * None of them can be wrong.
 */
export function readiest(
  surveys: readonly Survey[],
  prefer: Preference | undefined,
  ports: RoutingPorts,
): Survey {
  const [first, ...rest] = surveys;
  if (first === undefined) throw new RangeError('An intent was read as nothing.');
  const liking = likingOf(surveys, prefer, ports);
  return rest.reduce((best, one) => {
    if (one.outcome !== 'fitting') return best;
    return best.outcome !== 'fitting' || isReadier(one, best, liking, ports) ? one : best;
  }, first);
}

type Liking = (instance: Instance) => number;

function likingOf(
  surveys: readonly Survey[],
  prefer: Preference | undefined,
  ports: RoutingPorts,
): Liking {
  if (prefer === undefined || surveys.length === 1) return () => 1;
  const offers = surveys.flatMap((one) => (one.outcome === 'fitting' ? one.fitting : []));
  const instances = offers.flatMap((offer) => offer.instances.map(({ instance }) => instance));
  return preferred(instances, prefer, ports);
}

function isReadier(one: Fitting, best: Fitting, liking: Liking, ports: RoutingPorts): boolean {
  const [ours, theirs] = [standing(one, liking, ports), standing(best, liking, ports)];
  const difference = ours.map((value, i) => value - (theirs[i] ?? 0)).find((by) => by !== 0) ?? 0;
  return difference > 0;
}

/** More is better, the first difference counts. */
function standing({ fitting }: Fitting, liking: Liking, { board }: RoutingPorts): number[] {
  const instances = fitting.flatMap((offer) => offer.instances);
  const rank = Math.min(...instances.map((one) => one.rank), UNREACHED);
  const priority = Math.max(...fitting.map(({ provider }) => provider.capability.priority));
  const loads = instances.map(({ instance }) => {
    const { inflight, waiting } = board.of(instance.key);
    return inflight + waiting;
  });
  const liked = Math.max(...instances.map(({ instance }) => liking(instance)), 0);
  return [-rank, priority, liked, -Math.min(...loads, Number.MAX_SAFE_INTEGER)];
}

/** Behind every rank that an instance can have. */
const UNREACHED = 1_000;

/** What is asked back, in a sentence. Options have what an intent may mean; tags leave none. */
export function questionText({
  capabilities,
  options,
}: Pick<Extract<Survey, { outcome: 'ask' }>, 'capabilities' | 'options'>): string {
  const [only, ...others] = capabilities;
  if (options.length === 0) {
    return `These tags fit ${capabilities.join(', ')}; name the one you mean.`;
  }
  return others.length === 0
    ? `The intent may mean ${only}, which is not sure enough to go there unasked; name it if you mean it.`
    : `The intent could mean ${capabilities.join(', ')}; name the one you mean.`;
}

/** An option as callers see it. */
export function optionView(option: Option): RouteOption {
  return {
    capability: option.capability,
    display_name: option.displayName,
    description: option.description,
    not_for: [...option.notFor],
    differs: [...option.differs],
  };
}

/** A reading as callers see it: every number that it was decided by. */
export function meaningView(reading: Reading, isFull: boolean): MeaningView {
  const { ranking, features, namedOnly, restraint } = reading;
  const names = featureNames(ranking.model);
  return {
    reason: reading.reason,
    legs: [...LEGS.map(({ name }) => name), ...(reading.sense?.is === 'used' ? [VECTORS] : [])],
    words: ranking.words.slice(0, WORDS_SHOWN),
    unknown: thousandth(ranking.unknown),
    compared: ranking.size,
    is_full: isFull,
    is_cut: ranking.isCut,
    right: thousandth(reading.right),
    among: thousandth(reading.among),
    route_from: thousandth(reading.routeFrom),
    ask_from: thousandth(reading.askFrom),
    calibration: calibrationText(reading),
    features: Object.fromEntries(
      features.map((value, i) => [names[i] ?? String(i), thousandth(value)]),
    ),
    ...(namedOnly === undefined ? {} : { named_only: namedOnly }),
    ...(restraint === undefined ? {} : { named_only_by: restraint.by }),
    ...(reading.own === undefined ? {} : { own_fit: ownFitView(reading.own) }),
    ...(reading.sense === undefined ? {} : { embedder: senseView(reading.sense, ranking) }),
    candidates: ranking.candidates.map((one) => ({
      capability: one.name,
      score: thousandth(one.score),
      legs: legsOf(one),
      ...(one.cosine === undefined ? {} : { cosine: thousandth(one.cosine) }),
      coverage: thousandth(one.coverage),
      schema: thousandth(one.schema),
      boundary: thousandth(one.boundary),
    })),
  };
}

function calibrationText({ calibration = FINGERPRINT, own }: Reading): string {
  if (own === undefined || own.decides === 'shipped') return calibration;
  return `${calibration}, ${own.fit.labels} own labels`;
}

function ownFitView({ fit, decides, shipped, adapted }: OwnShare): OwnFitView {
  const { version, labels, slope, shift, fingerprint } = fit;
  const told = { version, labels, slope, shift, shipped: thousandth(shipped) };
  switch (decides) {
    case 'own':
      return { used: true, ...told, own: thousandth(adapted) };
    case 'lower': {
      const detail = `Below ${STRICT_LABELS_MIN} labels the lower of both decides here.`;
      return { used: true, ...told, own: thousandth(adapted), detail };
    }
    case 'shipped':
      return { used: false, ...told, detail: `It was fitted for ${fingerprint}, not for this.` };
  }
}

const WORDS_SHOWN = 64;
const VECTORS = 'vectors';

function legsOf({ legs, like }: Candidate): Record<string, number> {
  const own = legs.map((value, i) => [LEGS[i]?.name ?? String(i), thousandth(value)] as const);
  return Object.fromEntries(like === undefined ? own : [...own, [VECTORS, thousandth(like)]]);
}

function senseView(sense: Sense, { embedded }: Ranking): SenseView {
  if (sense.is !== 'used') return { is: sense.is, detail: sense.detail };
  return { is: sense.is, make: sense.make, share: thousandth(sense.trust.share), embedded };
}
