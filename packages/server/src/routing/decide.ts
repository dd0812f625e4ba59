import { type Capability, ReachError, type RouteStrategy } from '@agent-reach/core';
import type { Directory, Provider } from '../registry/directory.ts';
import type { Decision, OfferFacts, Selector, Survey, Weighed } from './decision.ts';
import { readIntent } from './by-meaning.ts';
import { optionView, questionText, readiest, strategyOf } from './meant.ts';
import { findables } from './findable.ts';
import { gaveUpText, relaxations } from './match-tags.ts';
import {
  type Alike,
  NOTHING_ALIKE,
  noMatch,
  nobodyFits,
  nobodyReachable,
  notMeant,
  tooFewReachable,
} from './none.ts';
import { isSameName, nearestOf } from './nearest.ts';
import { mayGamble } from './panic.ts';
import { pick } from './pick.ts';
import type { Pin } from './pin-book.ts';
import type { RoutingPorts } from './ports.ts';
import { type Scales, weigh } from './weigh.ts';

/** What a run of the road tells routing beside the selector. */
export interface RouteLimits {
  permits: (facts: OfferFacts) => boolean;
  /** Why a capability of this kind will not do, where one stands in for another. */
  bars?: ((capability: Capability) => string | undefined) | undefined;
  /** Keys of instances already tried; taken again only when nothing else is left. */
  tried: ReadonlySet<string>;
  /** Only instances with an address, for traffic that goes direct. */
  addressed?: boolean;
  /** Where an intent is read: whoever only asks where to go has no parameters yet. */
  paramsLater?: boolean;
}

/**
 * Decides who should do this now: of all who fit, the version first, then one of its instances as
 * the capability's strategy says. Pure but for chance and whose turn it is.
 */
export function decide(selector: Selector, limits: RouteLimits, ports: RoutingPorts): Decision {
  const found = survey(selector, limits, ports);
  if (found.outcome !== 'fitting') return found;
  const { fitting, weighed, warnings, strategy, score, reading, pin } = found;
  const { warnings: more, chosen, panic } = pick(fitting, selector, ports);
  if (chosen === undefined) {
    const capability = fitting[0]?.provider.capability.name;
    const meant = reading === undefined ? selector : { ...selector, capability };
    const { tried } = limits;
    const isRefused = panic !== undefined && tried.size === 0 && isWrite(fitting);
    if (isRefused) return { ...tooFewReachable(meant, weighed, panic), reading, pin };
    return { ...nobodyReachable(meant, weighed, fitting, ports), reading, pin };
  }
  return {
    outcome: 'route',
    strategy,
    score,
    ...chosen,
    weighed,
    warnings: more.length === 0 ? warnings : [...warnings, ...more],
    reading,
    pin,
  };
}

/**
 * All who could do this, whether they can be reached now or not. A name that exists decides; then
 * tags, if they leave one capability; then the intent, if there is one, by the phrase it is pinned
 * by or by its meaning. What a decision chooses from, and what a task that may wait looks at whole.
 */
export function survey(selector: Selector, limits: RouteLimits, ports: RoutingPorts): Survey {
  const { tenant, capability, intent, strategy = 'auto' } = selector;
  if (intent === undefined || strategy === 'exact' || strategy === 'tags') {
    return surveyOffers({ ...selector, intent: undefined }, limits, ports);
  }
  if (strategy === 'semantic') return surveyIntent(selector, limits, ports);
  if (capability !== undefined) {
    const isKnown = ports.directory.offers(tenant, capability).length > 0;
    return (isKnown ? surveyOffers : surveyIntent)(selector, limits, ports);
  }
  for (const _ in selector.tags) {
    const tagged = surveyOffers(selector, limits, ports);
    return isOpen(tagged) ? surveyIntent(selector, limits, ports) : tagged;
  }
  return surveyIntent(selector, limits, ports);
}

/** Whether tags leave it to the intent: they fit several, or something that is found by meaning alone. */
function isOpen({ outcome, weighed }: Survey): boolean {
  return outcome === 'ask' || weighed.some(({ notByTags }) => notByTags?.byMeaning === true);
}

/** What the intent is pinned to, else what it means among all that may be had. */
function surveyIntent(selector: Selector, limits: RouteLimits, ports: RoutingPorts): Survey {
  const pin = ports.pins.ofPhrase(selector.tenant, selector.intent ?? '');
  if (pin !== undefined) return surveyPinned(selector, pin, limits, ports);
  if (ports.options.semanticMode === 'off') return unread(selector, limits, ports);
  const read = readIntent(selector, scalesOf(selector, limits, ports), ports);
  const { reading, weighed, warnings } = read;
  switch (reading.outcome) {
    case 'none':
      return notMeant(selector, read);
    case 'ask': {
      const capabilities = reading.options.map(({ capability }) => capability);
      return { outcome: 'ask', capabilities, options: reading.options, weighed, warnings, reading };
    }
    case 'route': {
      const found = { strategy: strategyOf(reading), score: reading.right };
      // A version or an agent that was asked for still holds; the name is the one that was meant.
      const surveys = reading.names.map((name) =>
        surveyOffers({ ...selector, capability: name, intent: undefined, found }, limits, ports),
      );
      return { ...readiest(surveys, selector.prefer, ports), reading };
    }
  }
}

/** An agent that was asked for as well still holds, so that two words for two agents find nobody. */
function surveyPinned(
  selector: Selector,
  pin: Pin,
  limits: RouteLimits,
  ports: RoutingPorts,
): Survey {
  const { capability } = pin;
  const { agent = pin.agent } = selector;
  const found = { strategy: 'pinned', score: 1 } as const;
  const asked = { ...selector, capability, agent, intent: undefined, found };
  if (pin.agent !== undefined && agent !== pin.agent) {
    return { ...noMatch({ ...asked, agent: pin.agent }, ports.directory), pin };
  }
  return { ...surveyOffers(asked, limits, ports), pin };
}

/** Where no intent is read, a name or tags that were given with it are all there is. */
function unread(selector: Selector, limits: RouteLimits, ports: RoutingPorts): Survey {
  return selector.strategy === 'semantic'
    ? noMatch({ ...selector, capability: undefined }, ports.directory)
    : surveyOffers(selector, limits, ports);
}

/**
 * Name, then tags; tags are relaxed in order if nobody has them all; parameters filter.
 */
function surveyOffers(selector: Selector, limits: RouteLimits, ports: RoutingPorts): Survey {
  const offers = offersFor(selector, ports.directory);
  if (offers.length === 0) {
    return noMatch(selector, ports.directory, [], alikeOf(selector, limits, ports));
  }
  const isByTags = selector.capability === undefined;
  const scales = { ...scalesOf(selector, limits, ports), isByTags, wanted: selector.tags };
  let weighed = weighAll(offers, selector, scales);
  const warnings: string[] = [];
  if (!selector.strictTags && weighed.every((w) => w.out !== undefined)) {
    for (const step of relaxations(selector.tags, ports.options.relax)) {
      weighed = weighAll(offers, selector, { ...scales, wanted: step.wanted });
      if (weighed.some((w) => w.out === undefined)) {
        warnings.push(gaveUpText(step.gaveUp));
        break;
      }
    }
  }
  const mayMiss = selector.found !== undefined && limits.paramsLater === true;
  return filter({ selector, mayMiss }, weighed, warnings, ports);
}

/**
 * Of what the asker may have: whose alias the name is that nobody offers, and names like it. They are
 * told, and never taken: what a name stands for is for its owner to say, and whoever calls it by an
 * alias would call whoever declared that last.
 */
function alikeOf(
  { tenant, capability, agent }: Selector,
  { permits }: RouteLimits,
  { directory, mayOffer }: RoutingPorts,
): Alike {
  if (capability === undefined) return NOTHING_ALIKE;
  const mayTell = (offer: Provider) => {
    const { agentId } = offer.agent.definition;
    const facts = { tenant, agentId, capability: offer.capability.name };
    return (agent === undefined || agent === agentId) && permits(facts) && mayOffer(facts);
  };
  const aliased = new Set<string>();
  for (const offer of directory.allOffers(tenant)) {
    const { name, aliases } = offer.capability;
    const isAlias = aliases?.some((alias) => isSameName(alias, capability)) === true;
    if (isAlias && mayTell(offer)) aliased.add(name);
  }
  if (aliased.size > 0) return { by: 'alias', names: [...aliased].sort().slice(0, ALIKE_MAX) };
  const own = agent === undefined ? undefined : directory.agent(tenant, agent)?.providers;
  const near = nearestOf(
    capability,
    own?.map((offer) => offer.capability.name) ?? directory.names(tenant),
    { most: ALIKE_MAX, mayTell: (name) => directory.offers(tenant, name).some(mayTell) },
  );
  return { by: 'spelling', names: near };
}

const ALIKE_MAX = 3;

function scalesOf(
  { tenant }: Selector,
  limits: RouteLimits,
  ports: RoutingPorts,
): Omit<Scales, 'wanted'> {
  const { weights, mayOffer, scores, board, pins } = ports;
  const { circuits } = board;
  const found = findables(tenant, ports);
  return { ...limits, weights, pins, mayOffer, scores, circuits, findable: found };
}

/** Whether nobody offers it as what may be tried at who is in doubt. */
function isWrite(fitting: readonly Weighed[]): boolean {
  return fitting.every(({ provider }) => !mayGamble(provider.capability.effect));
}

/** Whether any offer that the selector names, or may come to mean, is a declared write. */
export function mightWrite(
  selector: Pick<Selector, 'tenant' | 'capability' | 'intent' | 'tags'>,
  directory: Directory,
): boolean {
  const { tenant, capability, intent } = selector;
  const isRead =
    intent !== undefined &&
    (capability === undefined || directory.offers(tenant, capability).length === 0);
  if (isRead) return directory.hasWrites(tenant);
  return offersFor(selector, directory).some(({ capability: { effect } }) => {
    return effect === 'write' || effect === 'idempotent_write';
  });
}

/** All offers the selector names: by capability, or by tags alone. */
function offersFor(
  selector: Pick<Selector, 'tenant' | 'capability' | 'tags'>,
  directory: Directory,
): readonly Provider[] {
  if (selector.capability !== undefined) {
    return directory.offers(selector.tenant, selector.capability);
  }
  for (const _ in selector.tags) return [...directory.allOffers(selector.tenant)];
  return [];
}

function weighAll(offers: readonly Provider[], selector: Selector, scales: Scales): Weighed[] {
  return offers.map((offer) => weigh(offer, selector, scales));
}

function filter(
  { selector, mayMiss }: { selector: Selector; mayMiss: boolean },
  weighed: Weighed[],
  warnings: string[],
  ports: RoutingPorts,
): Survey {
  const matching = weighed.filter((w) => w.out === undefined);
  if (matching.length === 0) return noMatch(selector, ports.directory, weighed);
  const name = matching[0]?.provider.capability.name ?? '';
  if (matching.some((w) => w.provider.capability.name !== name)) {
    const names = new Set(matching.map((w) => w.provider.capability.name));
    return { outcome: 'ask', capabilities: [...names].sort(), options: [], weighed, warnings };
  }
  const { fitting, faults } = mayMiss
    ? { fitting: matching, faults: [] }
    : fitParams(matching, selector.params);
  if (fitting.length === 0) return nobodyFits(weighed, faults);
  const pin = ports.pins.ofCapability(selector.tenant, name);
  const { strategy, score: full } = selector.found ?? {
    strategy: howNamed(selector, pin),
    score: 1,
  };
  // Relaxed matches are worth less than full ones; a name that matches is a certainty.
  const score = warnings.length === 0 ? full : full / 2;
  return { outcome: 'fitting', strategy, score, fitting, weighed, warnings, pin };
}

function howNamed({ capability }: Selector, pin: Pin | undefined): RouteStrategy {
  if (capability === undefined) return 'tag_match';
  return pin === undefined ? 'exact_match' : 'pinned';
}

type Faults = ReturnType<Provider['checkInput']>;

/** "Parameter structure" is part of an exact match: offers whose schema refuses them are out. */
function fitParams(matching: Weighed[], params: unknown): { fitting: Weighed[]; faults: Faults } {
  const fitting: Weighed[] = [];
  let faults: Faults = [];
  for (const candidate of matching) {
    const found = candidate.provider.checkInput(params);
    if (found.length === 0) {
      fitting.push(candidate);
      continue;
    }
    if (faults.length === 0) faults = found;
    candidate.out = `its schema refuses the parameters: ${found[0]?.pointer} ${found[0]?.detail}`;
  }
  return { fitting, faults };
}

/** The error of a decision that ended without a route, for those who meant to send. */
export function decisionError(
  decision: Exclude<Decision, { outcome: 'route' }>,
  routeId?: string,
): ReachError {
  if (decision.outcome === 'none') {
    return new ReachError(decision.code, decision.detail, decision.facts);
  }
  const { capabilities, options } = decision;
  if (options.length === 0) {
    const detail = `These tags fit ${capabilities.length} capabilities; name the one you mean.`;
    return new ReachError('ambiguous-match', detail, { candidates: capabilities.slice(0, 10) });
  }
  return new ReachError('ambiguous-match', questionText(decision), {
    candidates: options.map(optionView),
    ...(routeId === undefined ? {} : { route_id: routeId }),
  });
}
