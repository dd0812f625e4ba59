import type { Capability } from '@agent-reach/core';
import { Catalogue } from './meaning/catalogue.ts';
import { lint, type Lint } from './meaning/lint.ts';
import type { RoutingPorts } from './ports.ts';

/** An agent with more is looked at in part: each costs about as much as one question. */
const CAPABILITIES_MAX = 8;
const WARNINGS_MAX = 8;
const AGENTS_SHOWN = 3;

/**
 * What somebody who registers should know of how he will be found among those who are there already:
 * warnings, and never a reason to keep him out. None where no intent is read.
 */
export function lintOffers(
  at: { tenant: string; agentId: string },
  { directory, meanings, options }: Pick<RoutingPorts, 'directory' | 'meanings' | 'options'>,
): string[] {
  const agent = directory.agent(at.tenant, at.agentId);
  if (agent === undefined || options.semanticMode === 'off') return [];
  return lintAmong(agent.definition.manifest.capabilities, meanings.of(at.tenant));
}

/** The same of a manifest alone, before it meets others. */
export function lintManifest(capabilities: readonly Capability[]): string[] {
  const catalogue = new Catalogue();
  for (const capability of capabilities) {
    catalogue.put(capability.name, [{ agentId: '', capability }]);
  }
  return lintAmong(capabilities, catalogue);
}

function lintAmong(capabilities: readonly Capability[], catalogue: Catalogue): string[] {
  // What is alike within one manifest is compared where it is read.
  const own = new Set(capabilities.map(({ name }) => name));
  const warnings = capabilities
    .slice(0, CAPABILITIES_MAX)
    .flatMap((one) => lint(one, catalogue, own).map((found) => ({ name: one.name, found })))
    .map(({ name, found }) => textOf(name, found));
  if (warnings.length <= WARNINGS_MAX) return warnings;
  const left = warnings.length - WARNINGS_MAX;
  return [...warnings.slice(0, WARNINGS_MAX), `and ${left} more of how it is described.`];
}

function textOf(name: string, found: Lint): string {
  switch (found.kind) {
    case 'weak':
      return `The description of ${name} says nothing beyond its name: say what it gives, and from what.`;
    case 'alike': {
      const { neighbour, agents, shared } = found;
      const whose = agents.slice(0, AGENTS_SHOWN).join(', ');
      const both = shared.length === 0 ? '' : ` (both have: ${shared.join(', ')})`;
      return `${name} reads like ${neighbour} of ${whose}${both}: say in not_for what it does not do, and give examples.`;
    }
    case 'example':
      return `${name} and ${found.neighbour} have the same example “${found.example.slice(0, 80)}”: whoever says it is asked back.`;
    case 'alias': {
      const { alias, neighbour, is } = found;
      return is === 'alias'
        ? `${name} and ${neighbour} have the same alias “${alias}”: whoever says it is asked back.`
        : `The alias “${alias}” of ${name} is a ${is} of ${neighbour}, which has it: take another one.`;
    }
    case 'aliased':
      return `${name} is an alias of ${found.neighbour} as well: the name wins, and ${found.neighbour} is no longer found by it.`;
  }
}
