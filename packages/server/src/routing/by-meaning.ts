import type { AgentEntry, Provider } from '../registry/directory.ts';
import type { Selector, Weighed } from './decision.ts';
import type { Findable } from './findable.ts';
import { gaveUpText, relaxations } from './match-tags.ts';
import { CALIBRATION } from './meaning/calibration.ts';
import type { Calibration } from './meaning/calibrator.ts';
import { fingerprintOf } from './meaning/features.ts';
import type { Reading } from './meaning/interpret.ts';
import { readIntent as readBySense } from './meaning/read-intent.ts';
import type { Verdict } from './meaning/rank.ts';
import type { RoutingPorts } from './ports.ts';
import { type Scales, weigh } from './weigh.ts';

/** An intent as it was read, and what was looked at for it. */
export interface ByMeaning {
  reading: Reading;
  weighed: readonly Weighed[];
  warnings: string[];
}

/**
 * Reads an intent over what may be had: hard filters first, then meaning ranks what they leave.
 * Tags are given up in their order, as for names, where nothing has them all.
 */
export function readIntent(
  selector: Selector,
  scales: Omit<Scales, 'wanted'>,
  ports: RoutingPorts,
): ByMeaning {
  const { intent = '' } = selector;
  const strict = readWith({ intent, wanted: selector.tags }, selector, scales, ports);
  if (selector.strictTags || isFound(strict)) return { ...strict, warnings: [] };
  for (const step of relaxations(selector.tags, ports.options.relax)) {
    const found = readWith({ intent, wanted: step.wanted }, selector, scales, ports);
    if (!isFound(found)) continue;
    return { ...found, warnings: [gaveUpText(step.gaveUp)] };
  }
  return { ...strict, warnings: [] };
}

function isFound({ reading: { outcome, ranking } }: Pick<ByMeaning, 'reading'>): boolean {
  return outcome !== 'none' || ranking.candidates.length > 0;
}

function readWith(
  { intent, wanted }: { intent: string; wanted: Scales['wanted'] },
  selector: Selector,
  scales: Omit<Scales, 'wanted'>,
  ports: RoutingPorts,
): Omit<ByMeaning, 'warnings'> {
  const { tenant } = selector;
  const { directory, meanings, learned } = ports;
  const looked = new Map<Provider, Weighed>();
  const refused = learned.refusedFor(tenant, intent);
  const mayHave = ({ agent, capability }: Provider) => {
    const { agentId } = agent.definition;
    const isAsked = selector.agent === undefined || selector.agent === agentId;
    return isAsked && scales.permits({ tenant, agentId, capability: capability.name });
  };
  const lookAt = (provider: Provider): Weighed => {
    const known = looked.get(provider) ?? weigh(provider, selector, { ...scales, wanted });
    looked.set(provider, known);
    return known;
  };
  const reading = readBySense(
    {
      intent,
      params: selector.params,
      among:
        selector.agent === undefined ? undefined : namesOf(directory.agent(tenant, selector.agent)),
      admits(name, agents) {
        if (refused.has(name)) return 'out';
        const offers = directory.offers(tenant, name);
        const own = offers.filter(({ agent }) => agents.has(agent.definition.agentId));
        // Who may have little of much asks about nearly all of it: nothing else is looked at for that.
        if (!own.some(mayHave)) return 'out';
        if (!own.some((provider) => lookAt(provider).out === undefined)) return 'out';
        return verdictOn(scales.findable(name));
      },
    },
    meanings.of(tenant),
    { ...readingBy(tenant, ports), sense: selector.sense },
  );
  const shown = new Set(reading.ranking.candidates.map(({ name }) => name));
  const weighed = [...looked.values()].filter(({ provider }) =>
    shown.has(provider.capability.name),
  );
  return { reading: restrained(reading, scales.findable), weighed };
}

/** What an intent may do with a capability that is found so. */
export function verdictOn({ byMeaning, byTitle }: Findable): Verdict {
  if (byMeaning) return 'in';
  return byTitle ? 'titled' : 'named-only';
}

/** A reading that says whose word keeps what fits best from being meant. */
function restrained(reading: Reading, found: Scales['findable']): Reading {
  const { namedOnly } = reading;
  const restraint = namedOnly === undefined ? undefined : found(namedOnly).restraint;
  return restraint === undefined ? reading : { ...reading, restraint };
}

function namesOf(agent: AgentEntry | undefined): string[] {
  return agent?.providers.map(({ capability }) => capability.name) ?? [];
}

/** How intents of a tenant are read here. */
export function readingBy(
  tenant: string,
  { options, calibration: own, fits }: Pick<RoutingPorts, 'options' | 'calibration' | 'fits'>,
) {
  const { semanticBudget: budget, semanticMode, semanticThreshold } = options;
  const cosineFrom = semanticMode === 'cosine' ? semanticThreshold : undefined;
  return { budget, cosineFrom, own, ownFit: fits.of(tenant) };
}

/** The calibration by which an intent is judged where all goes well with its vector, if it has one. */
export function calibrationHere({
  calibration: own,
  embedding,
}: Pick<RoutingPorts, 'calibration' | 'embedding'>): Calibration {
  const state = embedding?.state;
  if (own === undefined || state?.is !== 'ready') return CALIBRATION;
  return own.fingerprint === fingerprintOf(state.model) ? own : CALIBRATION;
}
