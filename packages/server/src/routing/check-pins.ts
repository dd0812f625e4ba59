import type { PinsPolicy } from '@agent-reach/core';
import type { Directory } from '../registry/directory.ts';
import type { Verdict } from './check-weights.ts';
import { nearest } from './nearest.ts';
import { phraseKey } from './pin-book.ts';

/**
 * Judges a document of pins. Phrases that nothing tells apart are refused, for one of them would
 * never hold. What nobody offers yet is warned of: most such names are slips of the pen.
 */
export function checkPins(doc: PinsPolicy, tenant: string, directory: Directory): Verdict {
  const verdict: Verdict = { faults: [], warnings: [] };
  const names = new Set([...directory.allOffers(tenant)].map(({ capability }) => capability.name));
  const offersOf = (name: string) => {
    const agents = directory.offers(tenant, name).map(({ agent }) => agent.definition.agentId);
    if (agents.length === 0) verdict.warnings.push(nobodyOffers(name, names));
    return agents;
  };
  for (const [name, { agents = [], strategy }] of Object.entries(doc.capabilities ?? {})) {
    const offering = offersOf(name);
    if (offering.length === 0) continue;
    const offers = directory.offers(tenant, name);
    if (strategy !== undefined && offers.some(({ capability }) => capability.sensitive)) {
      verdict.warnings.push(
        `${name} is sensitive: only its name or a pinned phrase reaches it, whatever strategy says.`,
      );
    }
    verdict.warnings.push(...notOffering(agents, offering, name));
    if (agents.length > 0 && !agents.some((id) => offering.includes(id))) {
      verdict.warnings.push(`Nobody is left who may serve ${name}.`);
    }
  }
  const keys = new Map<string, string>();
  for (const [phrase, { capability, agent }] of Object.entries(doc.phrases ?? {})) {
    const key = phraseKey(phrase);
    const same = keys.get(key);
    const pointer = `#/doc/phrases/${phrase.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (key === '') verdict.faults.push({ pointer, detail: 'has no words' });
    else if (same !== undefined) verdict.faults.push({ pointer, detail: `is the same as ${same}` });
    keys.set(key, phrase);
    const offering = offersOf(capability);
    if (agent === undefined) continue;
    if (offering.length > 0) {
      verdict.warnings.push(...notOffering([agent], offering, capability));
    }
    const allowed = Object.hasOwn(doc.capabilities ?? {}, capability)
      ? doc.capabilities?.[capability]?.agents
      : undefined;
    if (allowed !== undefined && !allowed.includes(agent)) {
      const detail = `says ${agent}, but ${capability} is pinned to ${allowed.join(', ')}`;
      verdict.faults.push({ pointer: `${pointer}/agent`, detail });
    }
  }
  return { ...verdict, warnings: [...new Set(verdict.warnings)] };
}

function nobodyOffers(name: string, names: Iterable<string>): string {
  const like = nearest(name, names);
  const hint = like === undefined ? '' : ` Did you mean ${like}?`;
  return `Nobody offers ${name} now.${hint}`;
}

function notOffering(agents: readonly string[], offering: readonly string[], name: string) {
  return agents
    .filter((id) => !offering.includes(id))
    .map((id) => `${id} does not offer ${name}; ${offering.slice(0, 5).join(', ')} does.`);
}
